from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import SQUARE, toy_model, write

from everyword.errors import InputError, NoScoreError
from everyword.evaluation.benchmark import Benchmark
from everyword.evaluation.by_frequency import score_by_frequency
from everyword.evaluation.tasks import kinds, misspelling, similarity
from everyword.evaluation.tasks.analogy import ANALOGY

WORDS = [f"w{row}" for row in range(120)]


def benchmark(task: object, path: Path) -> Benchmark:
    return Benchmark(task, "toy", (path,), "here", "0" * 64)  # type: ignore[arg-type]


def test_vectors_of_rare_words_are_seen_to_be_worse(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    meanings = rng.normal(size=(120, 8))
    counts = {word: 2 ** (row % 12) for row, word in enumerate(WORDS)}
    noise = np.array([3 / np.sqrt(counts[word]) for word in WORDS])[:, None] * rng.normal(size=(120, 8))
    model = toy_model(dict(zip(WORDS, (meanings + noise).tolist(), strict=True)))
    units = meanings / np.linalg.norm(meanings, axis=1, keepdims=True)
    pairs = [(row, (row + 12 * step) % 120) for row in range(120) for step in (1, 2, 3)]
    lines = [f"{WORDS[a]}\t{WORDS[b]}\t{units[a] @ units[b]:.5f}" for a, b in pairs]
    path = write(tmp_path / "toy.tsv", "word1\tword2\tscore\n" + "\n".join([*lines, "new\tw1\t0.1"]) + "\n")

    found = score_by_frequency(model, benchmark(similarity.TASK, path), counts, width=4)

    assert [(one.name, one.n) for one in found.bands] == [("0", 1), ("1-11", 120), ("12-181", 120), ("182-2,896", 120)]
    assert found.bands[0].score is None
    rare, middle, frequent = (one.score or 0 for one in found.bands[1:])
    assert rare < middle < frequent
    assert found.regression is not None
    assert found.regression["frequency"].low > 0
    assert found.regression.n == 360


def test_questions_and_misspellings_by_frequency(tmp_path: Path) -> None:
    counts = {"king": 100, "queen": 90, "man": 1000, "woman": 2000, "apple": 3}
    analogy = write(tmp_path / "a.tsv", "section\ta\tb\tc\td\nx\tman\tking\twoman\tqueen\nx\tman\tking\twoman\tapple\n")
    typos = write(tmp_path / "b.tsv", "wrong\tright\nking\tqueen\nman\twoman\nman\tapple\nnope\tmissing\n")

    questions = score_by_frequency(toy_model(SQUARE), benchmark(ANALOGY, analogy), counts, least=1)
    mistakes = score_by_frequency(
        toy_model(SQUARE), benchmark(misspelling.TASK, typos), counts | {"missing": 0}, least=1
    )

    assert [(one.name, one.score) for one in questions.bands] == [("3-11", 0.0), ("46-181", 100.0)]
    assert questions.regression is None
    assert [(one.name, one.n) for one in mistakes.bands] == [("0", 1), ("46-181", 1), ("725-2,896", 1)]
    assert mistakes.bands[0].score == 0


def test_what_cannot_be_scored_by_frequency(tmp_path: Path) -> None:
    with pytest.raises(NoScoreError, match="kinds cannot be scored by frequency; choose similarity, analogy"):
        score_by_frequency(toy_model(SQUARE), benchmark(kinds.TASK, tmp_path), {"a": 1})
    path = write(tmp_path / "toy.tsv", "word1\tword2\tscore\nking\tqueen\t1\nman\twoman\t2\n")
    with pytest.raises(InputError, match="of another language"):
        score_by_frequency(toy_model(SQUARE), benchmark(similarity.TASK, path), {"chat": 1})
