"""Misspellings in sentences, and words that are other words misspelt: how many are put right, and what else changes?

    python benchmarks/correct.py --data DATA --cache CACHE
    python benchmarks/correct.py --data DATA --cache CACHE --development --model FOLDER

Needs symspellpy (the extra `benchmarks`) and Aspell and hunspell with English dictionaries. Ambiguous misspellings of
learners are those of NeuSpell's BEA-4660, real-word errors those of Wikipedia's history (Zesch 2012, train part); clean
text is the right side of the first and the last 3,000 sentences of the corpus, on which nothing was counted or trained.
With --development, only every second row is read, and nothing is kept.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import click
from bars.spell_checkers import available, suggestions, version
from bars.subject import commit
from record import keep

import everyword
from everyword.corpus.rows import read_rows
from everyword.corpus.text_file import read_text
from everyword.models.model import Model
from everyword.models.saved.layout import PARTS
from everyword.sentences.context.stream import Numbering
from everyword.sentences.tokens import token_spans, tokens_of

CLEAN = 3_000
DISTANCE = 2
SPELLING = "everyword-en, spelling alone"
SYMSPELL, BIGRAMS = "symspell", "symspell, with bigrams"
TIMED = 1_000

Correct = Callable[[Sequence[str]], list[list[str]]]
"""Texts → the words of each in their order, corrected."""


class Errors(NamedTuple):
    """Texts with errors."""

    texts: list[str]
    wrong: list[dict[int, tuple[str, str]]]
    """Of each text, the wrong and the right word by the index of the token."""

    def count(self, which: Callable[[str], bool]) -> int:
        """Return how many wrong words are of a kind."""
        return sum(which(wrong) for words in self.wrong for wrong, _ in words.values())

    def put_right(self, words: list[list[str]], which: Callable[[str], bool]) -> int:
        """Return how many wrong words of a kind were put right."""
        return sum(
            which(wrong) and index < len(corrected) and corrected[index].lower() == right
            for expected, corrected in zip(self.wrong, words, strict=True)
            for index, (wrong, right) in expected.items()
        )


class Material(NamedTuple):
    """What correctors are judged on."""

    learners: Errors
    real_words: Errors
    clean: dict[str, list[str]]


def read_material(data: Path, development: bool) -> Material:
    """Read all sets; for development only every second row."""
    step = 2 if development else 1
    rows = [cells for _, cells in read_rows(data / "noisy" / "neuspell_bea4660.tsv.gz", "set", ("noisy", "clean"))]
    learners, right = Errors([], []), list[str]()
    for noisy, clean in rows[::step]:
        tokens = list(zip(tokens_of(noisy), tokens_of(clean), strict=False))
        same = len(tokens_of(noisy)) == len(tokens_of(clean))
        differing = {
            index: (one.lower(), other.lower()) for index, (one, other) in enumerate(tokens) if same and one != other
        }
        learners.texts.append(noisy)
        learners.wrong.append(differing)
        right.append(clean)
    columns = ("split", "wrong", "right", "offset", "noisy", "clean")
    natural = [cells for _, cells in read_rows(data / "noisy" / "realword_wikipedia.tsv", "set", columns)]
    real_words = Errors([], [])
    for _, wrong, meant, offset, noisy, _ in natural[::step]:
        places = [index for index, span in enumerate(token_spans(noisy)) if span.begin <= int(offset) < span.end]
        real_words.texts.append(noisy)
        real_words.wrong.append({index: (wrong.lower(), meant.lower()) for index in places})
    corpus = sorted((data / "corpus").glob("wiki-*.txt.xz"))[-1]
    last = list(deque(read_text(corpus, "corpus"), CLEAN))
    return Material(learners, real_words, {"learners' sentences": right, "Wikipedia": last})


def by_model(model: Model) -> Correct:
    """Return a model as a corrector."""
    return lambda texts: [tokens_of(text) for text in model.correct(texts)]


def by_word(first: Callable[[str], str | None]) -> Correct:
    """Return a corrector that puts the first suggestion in the place of every word that it takes for wrong."""

    def correct(texts: Sequence[str]) -> list[list[str]]:
        return [[first(word) or word if word.isalpha() else word for word in tokens_of(text)] for text in texts]

    return correct


def by_checker(name: str, material: Material, cache: Path) -> Correct:
    """Return Aspell or hunspell as a corrector."""
    every = [
        *material.learners.texts,
        *material.real_words.texts,
        *(t for part in material.clean.values() for t in part),
    ]
    found = suggestions(name, [word for text in every for word in tokens_of(text) if word.isalpha()], cache)
    return by_word(lambda word: next(iter(found.get(word, [])), None))


def by_symspell() -> Iterator[tuple[str, Correct]]:
    """Yield symspell with its own dictionary, word by word, and its correction of whole texts by bigrams."""
    from symspellpy import SymSpell, Verbosity

    symspell, folder = SymSpell(DISTANCE), files("symspellpy")
    symspell.load_dictionary(str(folder / "frequency_dictionary_en_82_765.txt"), 0, 1)
    symspell.load_bigram_dictionary(str(folder / "frequency_bigramdictionary_en_243_342.txt"), 0, 2)

    def first(word: str) -> str | None:
        found = symspell.lookup(word.lower(), Verbosity.TOP, max_edit_distance=DISTANCE)
        return found[0].term if found else None

    def compound(texts: Sequence[str]) -> list[list[str]]:
        return [aligned(tokens_of(text), _compound(text)) for text in texts]

    def _compound(text: str) -> list[str]:
        words = " ".join(tokens_of(text)).lower()
        return symspell.lookup_compound(words, max_edit_distance=DISTANCE)[0].term.split()

    yield SYMSPELL, by_word(first)
    yield BIGRAMS, compound


def aligned(words: list[str], other: list[str]) -> list[str]:
    """Return other words, which may have been joined or split, one for each word.

    >>> aligned(["i", "sea", "th", "e", "dog"], ["i", "see", "the", "dog"])
    ['i', 'see the', '', '', 'dog']
    """
    placed = [""] * len(words)
    lower = [word.lower() for word in words]
    for kind, begin, end, first, last in SequenceMatcher(None, lower, other, autojunk=False).get_opcodes():
        if kind == "equal" or end - begin == last - first:
            placed[begin:end] = other[first:last]
        elif begin < end:
            placed[begin] = " ".join(other[first:last])
    return placed


def judged(correct: Correct, material: Material, unknown: Callable[[str], bool]) -> dict[str, Any]:
    """Return the scores of a corrector."""
    learners, natural = material.learners, material.real_words
    by_context = correct(learners.texts)
    return {
        "unknown wrong words put right": round(learners.put_right(by_context, unknown) / learners.count(unknown), 4),
        "all wrong words put right": round(learners.put_right(by_context, bool) / learners.count(bool), 4),
        "real-word errors put right": round(natural.put_right(correct(natural.texts), bool) / len(natural.texts), 4),
        "clean words changed": {name: round(changed(correct, texts), 5) for name, texts in material.clean.items()},
    }


def changed(correct: Correct, texts: list[str]) -> float:
    """Return the share of words that are changed."""
    words = [[word.lower() for word in tokens_of(text)] for text in texts]
    others = correct(texts)
    differing = sum(
        one != (other[index].lower() if index < len(other) else "")
        for before, other in zip(words, others, strict=True)
        for index, one in enumerate(before)
    )
    return differing / sum(map(len, words))


def speed(model: Model, texts: list[str]) -> dict[str, float]:
    """Return how many sentences are corrected in a second of the processor, many at once and one by one, when warm."""
    model.correct(texts[:50])
    begin = time.process_time()
    model.correct(texts[:TIMED])
    together = time.process_time() - begin
    begin = time.process_time()
    for text in texts[:100]:
        model.correct(text)
    return {
        "sentences a second": round(TIMED / together, 1),
        "milliseconds for one sentence": round((time.process_time() - begin) * 10, 2),
    }


def bars(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is to be reached, and what is."""
    ours = result["correctors"]["everyword-en"]
    most = max(ours["clean words changed"].values())
    rows = [
        ("unknown wrong words put right", ours["unknown wrong words put right"], 0.76, False),
        ("real-word errors put right", ours["real-word errors put right"], 0.25, False),
        ("clean words changed", most, 0.003, True),
        ("bytes of the context part", result["bytes"], 12_000_000, True),
    ]
    return [
        {"what": what, "value": value, "bar": bar, "reached": value <= bar if lower else value >= bar}
        for what, value, bar, lower in rows
    ]


@click.command()
@click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path), required=True)
@click.option(
    "--cache", type=click.Path(path_type=Path), required=True, help="Where answers of spell checkers are kept."
)
@click.option("--model", "name", default=None, help="A name or a folder; else the default model.")
@click.option("--development", is_flag=True, help="Every second row, our own model only; keep nothing.")
def main(*, data: Path, cache: Path, name: str | None, development: bool) -> None:
    """Measure correctors of texts."""
    cache.mkdir(parents=True, exist_ok=True)
    model, material = everyword.load(name), read_material(data, development)
    numbering = Numbering(model.known_words, model.normalise)
    words = {wrong for errors in material[:2] for each in errors.wrong for wrong, _ in each.values()}
    unknown = {word for word in words if numbering.rows_of([word])[0] < 0}
    correctors = {"everyword-en": by_model(model)}
    if not development:
        alone = everyword.load(name)
        alone.parts = {}
        correctors[SPELLING] = by_model(alone)
        checkers = [checker for checker in ("aspell", "hunspell") if available(checker)]
        correctors |= {checker: by_checker(checker, material, cache) for checker in checkers}
        correctors |= dict(by_symspell())
    result: dict[str, Any] = {
        "question": "How many misspelt words of sentences are put right, and how many right ones are changed?",
        "code": commit(),
        "versions": {} if development else {checker: version(checker) for checker in checkers},
        "errors": {
            "wrong words of learners": material.learners.count(bool),
            "unknown ones": material.learners.count(unknown.__contains__),
            "real-word errors": len(material.real_words.texts),
        },
        "bytes": model.parts["context"].path.stat().st_size if "context" in PARTS and model.parts else 0,
        "correctors": {},
    }
    for corrector, correct in correctors.items():
        result["correctors"][corrector] = judged(correct, material, unknown.__contains__)
        print(corrector, result["correctors"][corrector], flush=True)
    result["speed"] = speed(model, material.clean["Wikipedia"])
    result["bars"] = bars(result)
    for bar in result["bars"]:
        print(f"{bar['what']}: {bar['value']} (bar {bar['bar']}){'' if bar['reached'] else ' NOT REACHED'}")
    print(result["speed"])
    if not development:
        keep("correct", result)


if __name__ == "__main__":
    main()
