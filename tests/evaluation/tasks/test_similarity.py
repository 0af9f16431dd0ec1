from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import Scores
from everyword.evaluation.tasks.similarity import SimilaritySet, run

VECTORS = {"cat": [1, 0], "tom": [2, 0.1], "car": [0, 3], "sun": [-1, 0.5], "void": [0, 0]}
PAIRS = [("cat", "tom"), ("cat", "car"), ("cat", "sun"), ("tom", "car")]
# The cosines are 1.0, 0, -0.89 and 0.05: the order of these scores.
SCORES = [9.0, 2.0, 1.0, 5.0]


def encode(words: Sequence[str]) -> npt.NDArray[np.float32]:
    return np.array([VECTORS[word] for word in words], dtype=np.float32)


def score(
    data: SimilaritySet,
    known: Iterable[str] = VECTORS,
    vectors: Callable[[Sequence[str]], npt.NDArray[np.float32]] = encode,
) -> Scores:
    return run(EvaluatedModel("tiny", "encode", vectors, list(known), str), data, 0)


def task(pairs: list[tuple[str, str]] = PAIRS, scores: list[float] = SCORES) -> SimilaritySet:
    return SimilaritySet("tiny", pairs, np.array(scores))


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "tiny.tsv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_cosines_in_the_order_of_the_judgements_score_a_hundred() -> None:
    scores = score(task())

    assert (scores.n, scores.known) == (4, 4)
    assert scores.values["spearman"] == scores.values["spearman_known"] == pytest.approx(100)


def test_cosines_in_the_opposite_order_score_minus_a_hundred() -> None:
    opposite = score(task(scores=[-one for one in SCORES]))

    assert opposite.values["spearman"] == pytest.approx(-100)


def test_the_length_of_a_vector_does_not_count() -> None:
    scaled = score(task(), vectors=lambda words: encode(words) * np.float32(1e-20))

    assert scaled.values["spearman"] == pytest.approx(100)


def test_the_second_score_is_over_pairs_with_both_words_known() -> None:
    pairs = [*PAIRS, ("sun", "tom"), ("car", "sun")]
    scores = [*SCORES, 10.0, 0.0]

    found = score(task(pairs, scores), VECTORS.keys() - {"sun"})

    assert (found.n, found.known) == (6, 3)
    assert found.values["spearman"] is not None
    assert found.values["spearman"] < 50
    assert found.values["spearman_known"] == pytest.approx(100)


@pytest.mark.parametrize(("known_words", "count"), [(set(), 0), ({"cat", "tom"}, 1)])
def test_fewer_than_two_known_pairs_have_no_score(known_words: set[str], count: int) -> None:
    found = score(task(), known_words)

    assert (found.values["spearman_known"], found.known) == (None, count)
    assert found.values["spearman"] == pytest.approx(100)


def test_a_zero_vector_counts_as_cosine_zero() -> None:
    pairs = [("cat", "tom"), ("void", "cat"), ("cat", "sun")]

    assert score(task(pairs, [3, 2, 1])).values["spearman"] == pytest.approx(100)


def test_only_zero_vectors_score_nothing() -> None:
    assert score(task([("void", "void"), ("void", "cat")], [1, 2])).values["spearman"] == 0.0


def test_a_set_is_read_from_tab_separated_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "word1\tword2\tscore\textra\nCafé\tnew york\t7.5\tx\r\nsun\tmoon\t-1e0\n")

    read = SimilaritySet.load(path)

    assert read.name == "tiny"
    assert list(read.pairs) == [("Café", "new york"), ("sun", "moon")]
    assert read.scores.tolist() == [7.5, -1.0]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("sun\tmoon", "two columns"),
        ("sun moon 3", "blanks"),
        ("sun\tmoon\tnear", "no number"),
        ("sun\tmoon\tnan", "not a number"),
        ("sun\tmoon\tinf", "no finite number"),
        ("sun\tmoon\t", "an empty score"),
    ],
)
def test_a_bad_line_is_named_with_file_and_number(tmp_path: Path, line: str, what: str) -> None:
    path = write(tmp_path, f"a\tb\tscore\ncat\tdog\t3\n{line}\nsun\tsea\t1\n")

    with pytest.raises(InputError, match=r"tiny\.tsv:3: needs word, word and score") as caught:
        SimilaritySet.load(path)
    assert repr(line) in str(caught.value), what


def test_an_odd_character_that_unicode_calls_a_line_end_is_part_of_a_word(tmp_path: Path) -> None:
    path = write(tmp_path, "a\tb\tscore\nx\u2028y\tz\t1\nx\ty\x85\t2\n")

    assert list(SimilaritySet.load(path).pairs) == [("x\u2028y", "z"), ("x", "y\x85")]


@pytest.mark.parametrize(("content", "count"), [("a\tb\tscore\n", 0), ("a\tb\tscore\ncat\tdog\t3\n", 1)])
def test_fewer_than_two_pairs_are_refused(tmp_path: Path, content: str, count: int) -> None:
    with pytest.raises(InputError, match=f"holds {count} pairs"):
        SimilaritySet.load(write(tmp_path, content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no similarity set .*tiny\.tsv"):
        SimilaritySet.load(tmp_path / "tiny.tsv")


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, b"a\tb\tscore\ncaf\xe9\tdog\t3\ncat\tdog\t3\n")

    with pytest.raises(InputError, match=r"tiny\.tsv.*UTF-8"):
        SimilaritySet.load(path)
