"""The sections about language models in the docs: new tokens, robust encoders, sentences of words."""

from __future__ import annotations

from typing import Any

from record import read
from tables import table


def added() -> dict[str, str]:
    """Return the sections about new tokens."""
    return {"added-words": added_words(), "added-speed": added_speed()}


def robust() -> dict[str, str]:
    """Return the sections about robust encoders."""
    return {"robust-sentences": robust_sentences(), "robust-sst2": robust_sst2()}


def robust_sentences() -> str:
    """Return the results of searching for sentences by misspelt copies."""
    result = read("robust-sentences")
    levels = [str(level) for level in result["levels"]]
    rows = [
        (name, *(f"{of['levels'][level]['same']['recall@1']:.1f}" for level in ("0", *levels)), *_of_words(of))
        for name, of in result["parts"]["scores"]["ways"].items()
    ]
    timing = result["parts"]["timing"]["ratio"]
    text = (
        f"{result['sentences']:,} sentences of Wikipedia, each searched among all of them by a copy with this number "
        f"of misspelt words, with {result['encoder']}: the percentage that is found first. Then the cosine of clean "
        "sentences to those of the plain encoder, and the rank correlation with human similarity of words "
        "(SimLex-999), clean and with a typo in one of the two:"
    )
    head = ("misspelt words", "0", *("all" if level == "99" else level for level in levels), "clean", "words", "typo")
    took = (
        f"On clean text the robust encoder takes {timing['best']:.2f} times as long as the plain one on one core, "
        f"{timing['first']:.2f} times at first, when every word is new."
    )
    return "\n\n".join((text, table(head, rows), took))


def _of_words(of: dict[str, Any]) -> tuple[str, ...]:
    return f"{of['cosine_to_plain_on_clean_text']:.3f}", f"{of['simlex']['clean']:.3f}", f"{of['simlex']['typo']:.3f}"


def robust_sst2() -> str:
    """Return the accuracies of fine-tuned classifiers under typos."""
    result = read("robust-sst2")
    rows = [(name, *(f"{score:.1f}" for score in of["mean"])) for name, of in result["accuracy"].items()]
    spread = max(max(of["spread"]) for of in result["accuracy"].values())
    text = (
        f"SST-2 with {result['encoder']}, fine-tuned on clean text and tested on the published copies with typos in "
        f"this percentage of the words of four letters or more: accuracy, the mean of {result['seeds']} seeds (largest "
        f"standard deviation {spread:.1f}). “After fine-tuning”: the plain classifier, made robust afterwards."
    )
    return text + "\n\n" + table(("", *map(str, result["ladder"])), rows)


def added_words() -> str:
    """Return how similar the rows of new tokens are to the pieces they replace."""
    quality = read("added-words")["parts"]["quality"]
    scores = quality["mean_cosine_to_several_pieces"]
    rows = [(name, f"{score['sentence']:.3f}", f"{score['word']:.3f}") for name, score in scores.items()]
    text = f"{quality['words']} frequent words that all-MiniLM-L6-v2 splits into pieces, in “{quality['template']}”:"
    return text + "\n\n" + table(("rows from", "sentence", "word"), rows)


def added_speed() -> str:
    """Return the cost of many new tokens."""
    result = read("added-words")["parts"]["speed"]
    kinds = {"word pieces, all-MiniLM-L6-v2": "word_pieces", "byte pairs, made for this test": "byte_pairs"}
    rows = [(title, *_added_speed_row(result[kind])) for title, kind in kinds.items()]
    entries = result["entries_of_the_vocabulary"]
    remark = (
        f"As entries of the WordPiece vocabulary, found at {entries['tokenising']['words_per_second']:,} words/s, the "
        f"same words would split {entries['other_words_cut_anew']:,} of {entries['other_words']:,} other words "
        "differently."
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
    """Return the speed of finding sentences."""
    result = read("contexts")
    processor, runs = result["machine"]["processor"], result["repeats"]
    text = (
        f"{result['words']:,} words in {result['megabytes']:.0f} MB of English Wikipedia, the best of {runs} runs on "
        f"two cores ({processor}). Reading makes the parts, including start and word list; writing merges them. The "
        "rate by processor time excludes the time in which other programs had the core, and sums up all workers:"
    )
    rows = [
        (
            name,
            f"{part['megabytes_per_second']:.1f} MB/s",
            f"{part['megabytes_per_processor_second']:.1f} MB/s",
            f"{part['seconds_writing']:.0f} s",
            f"{part['megabytes_of_memory']} MB",
        )
        for name, part in result["ways"].items()
    ]
    head = ("", "reading", "reading, by processor time", "writing", "memory of the largest process")
    return text + "\n\n" + table(head, rows)
