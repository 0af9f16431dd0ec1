"""A corpus of sentences that are made up, and the slow, obvious way to find words in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random

from everyword.corpus.contexts.find import ContextSearch, find_contexts
from everyword.corpus.contexts.sentences import stream_sentences
from everyword.corpus.contexts.spec import SearchOptions, SearchSpec
from everyword.corpus.executors import process_executor
from everyword.language_models.mentions import MentionFinder
from everyword.text.word_pattern import WORD_PATTERN, spelling

SYLLABLES = ["ka", "lo", "mi", "ru", "te", "šo", "né", "Ба", "ÿ"]
MARKS = [" ", " ", " ", ", ", "-", " (", ") ", "; ", "  ", " — "]
WORDS = ["ka", "lo", "Kalo", "milo", "né", "ba", "te-ka", "lo mi", "kaka", "RU", "ru", "never-there"]


def sentences(number: int, seed: int = 0) -> list[str]:
    rng = Random(seed)
    return [_sentence(rng) for _ in range(number)]


def _sentence(rng: Random) -> str:
    words = ["".join(rng.choices(SYLLABLES, k=rng.choice([1, 1, 2, 3]))) for _ in range(rng.randint(1, 12))]
    words = [word.capitalize() if rng.random() < 0.2 else word for word in words]
    return "".join(word + rng.choice(MARKS) for word in words).strip() + "."


def write_corpus(path: Path, number: int = 600, seed: int = 0) -> Path:
    path.write_text("\n".join(sentences(number, seed)) + "\n", encoding="utf-8")
    return path


def naive(lines: Sequence[str], words: Sequence[str], shortest: int = 4) -> dict[str, tuple[int, set[str]]]:
    """Counts and all sentences of each word; of those that differ in case and outer marks only, the first."""
    mentions = MentionFinder(words)
    counts: dict[int, int] = defaultdict(int)
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for line in lines:
        runs = list(WORD_PATTERN.finditer(line))
        for mention in mentions.find(line):
            counts[mention.row] += 1
            if len(runs) >= shortest:
                inner = spelling(line[runs[0].start() : runs[-1].end()])
                found[mention.row].setdefault(inner, " ".join(line.split()))
    rows = zip(words, mentions.row_of_word, strict=True)
    return {word: (counts[row], set(found[row].values())) for word, row in rows}


def make(corpus: Sequence[Path], out: Path, words: Sequence[str] = WORDS, workers: int = 1, **more: object) -> bool:
    spec = SearchSpec(list(words), more.pop("options", SearchOptions()))  # type: ignore[arg-type]
    executor = more.pop("executor", None) or process_executor(workers)
    return find_contexts(ContextSearch(spec, list(corpus), out, executor, **more))  # type: ignore[arg-type]


def read(out: Path) -> dict[str, tuple[int | None, set[str]]]:
    return {line.word: (line.count, set(line.sentences)) for line in stream_sentences(out)}


def bytes_of(out: Path) -> tuple[bytes, bytes]:
    return (out / "contexts.jsonl").read_bytes(), (out / "record.json").read_bytes()
