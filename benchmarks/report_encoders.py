"""The parts of the docs that speak of language models: new tokens, robust encoders, sentences of words."""

from __future__ import annotations

from typing import Any

from record import read
from tables import table


def added() -> dict[str, str]:
    """New tokens: how good their rows are, and what many of them cost."""
    return {"added-words": added_words(), "added-speed": added_speed()}


def robust() -> dict[str, str]:
    """Typos and encoders."""
    return {"robust-sentences": robust_sentences(), "robust-sst2": robust_sst2()}


def robust_sentences() -> str:
    """Sentences looked for by misspelt copies."""
    result = read("robust-sentences")
    levels = [str(level) for level in result["levels"]]
    rows = [
        (name, *(f"{of['levels'][level]['same']['recall@1']:.1f}" for level in ("0", *levels)), *_of_words(of))
        for name, of in result["parts"]["scores"]["ways"].items()
    ]
    timing = result["parts"]["timing"]["ratio"]
    told = (
        f"{result['sentences']:,} sentences of Wikipedia, each looked for among all of them by a copy with so many "
        f"misspelt words, with {result['encoder']}: how many of a hundred are found first. Then the cosine of clean "
        "sentences to those of the plain encoder, and the rank correlation with human similarity of words "
        "(SimLex-999), clean and with a typo in one of the two:"
    )
    head = ("misspelt words", "0", *("all" if level == "99" else level for level in levels), "clean", "words", "typo")
    took = (
        f"On clean text the robust encoder takes {timing['best']:.2f} times as long as the plain one on one core, "
        f"{timing['first']:.2f} times at first, when every word is new."
    )
    return "\n\n".join((told, table(head, rows), took))


def _of_words(of: dict[str, Any]) -> tuple[str, ...]:
    return f"{of['cosine_to_plain_on_clean_text']:.3f}", f"{of['simlex']['clean']:.3f}", f"{of['simlex']['typo']:.3f}"


def robust_sst2() -> str:
    """A fine-tuned classifier over the ladder of typos."""
    result = read("robust-sst2")
    rows = [(name, *(f"{score:.1f}" for score in of["mean"])) for name, of in result["accuracy"].items()]
    spread = max(max(of["spread"]) for of in result["accuracy"].values())
    told = (
        f"SST-2 with {result['encoder']}, fine-tuned on clean text and tested on the published copies with typos in so "
        f"many percent of the words of four letters and more: accuracy, the mean of {result['seeds']} seeds (largest "
        f"standard deviation {spread:.1f}). “After fine-tuning”: the plain classifier, made robust when it was done."
    )
    return told + "\n\n" + table(("", *map(str, result["ladder"])), rows)


def added_words() -> str:
    """How near the rows of new tokens come."""
    quality = read("added-words")["parts"]["quality"]
    scores = quality["mean_cosine_to_several_pieces"]
    rows = [(name, f"{score['sentence']:.3f}", f"{score['word']:.3f}") for name, score in scores.items()]
    told = f"{quality['words']} frequent words that all-MiniLM-L6-v2 cuts into pieces, in “{quality['template']}”:"
    return told + "\n\n" + table(("rows from", "sentence", "word"), rows)


def added_speed() -> str:
    """What many new tokens cost."""
    result = read("added-words")["parts"]["speed"]
    kinds = {"word pieces, all-MiniLM-L6-v2": "word_pieces", "byte pairs, made for this": "byte_pairs"}
    rows = [(title, *_added_speed_row(result[kind])) for title, kind in kinds.items()]
    entries = result["entries_of_the_vocabulary"]
    remark = (
        f"As entries of the WordPiece vocabulary, found at {entries['tokenising']['words_per_second']:,} words/s, the "
        f"same words would cut {entries['other_words_cut_anew']:,} of {entries['other_words']:,} other words anew."
    )
    head = ("50,000 words", "vectors, s", "adding, s", "words/s before", "after", "loading before, s", "after")
    return table(head, rows) + "\n\n" + remark


def _added_speed_row(part: dict[str, Any]) -> tuple[str, ...]:
    before, after = part["before"], part["after"]
    return (
        f"{part['seconds_to_impute']:.0f}",
        f"{part['seconds_to_add']:.1f}",
        f"{before['tokenising']['words_per_second']:,}",
        f"{after['tokenising']['words_per_second']:,}",
        f"{before['loading_seconds']:.1f}",
        f"{after['loading_seconds']:.1f}",
    )


def contexts() -> str:
    """How fast sentences are found."""
    result = read("contexts")
    processor, runs = result["machine"]["processor"], result["repeats"]
    told = (
        f"{result['words']:,} words in {result['megabytes']:.0f} MB of English Wikipedia, the best of {runs} runs on "
        f"two cores ({processor}). Reading makes the parts, start and word list included, writing the result. The rate "
        "by processor time leaves out the time in which others had the core, and adds up all workers:"
    )
    rows = [
        (
            name,
            f"{way['megabytes_per_second']:.1f} MB/s",
            f"{way['megabytes_per_processor_second']:.1f} MB/s",
            f"{way['seconds_writing']:.0f} s",
            f"{way['megabytes_of_memory']} MB",
        )
        for name, way in result["ways"].items()
    ]
    head = ("", "reading", "reading, by processor time", "writing", "memory of the largest process")
    return told + "\n\n" + table(head, rows)
