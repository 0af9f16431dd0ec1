"""The test of associations, on vectors whose associations are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.evaluation.run import evaluate_model
from everyword.evaluation.tasks.associations import Associations, association
from everyword.vectors.table import VectorTable

EAST, NORTH = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])


def near(angle: float, count: int = 8) -> np.ndarray:
    angles = angle + np.linspace(-0.05, 0.05, count)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def test_an_effect_has_a_sign_and_a_limit() -> None:
    effect, p = association(near(0.2), near(1.3), EAST, NORTH)
    assert 1.8 < effect <= 2
    assert p < 0.001
    assert association(near(1.3), near(0.2), EAST, NORTH)[0] == pytest.approx(-effect)
    assert association(near(0.2), near(1.3), NORTH, EAST)[0] == pytest.approx(-effect)


def test_equal_groups_have_none() -> None:
    effect, p = association(near(0.7), near(0.7), EAST, NORTH)
    assert effect == pytest.approx(0, abs=1e-9)
    assert p == 1
    same = np.repeat(near(0.7, 1), 4, axis=0)
    assert association(same, same, EAST, NORTH) == (0.0, 1.0)


def test_the_effect_is_that_of_the_paper() -> None:
    rng = np.random.default_rng(3)
    first, second, one, other = (rng.normal(size=(5, 4)) for _ in range(4))
    scores = [
        float(np.mean([word @ a for a in one]) - np.mean([word @ b for b in other])) for word in (*first, *second)
    ]
    expected = (np.mean(scores[:5]) - np.mean(scores[5:])) / np.std(scores, ddof=1)
    assert association(first, second, one, other)[0] == pytest.approx(expected)


def write(path: Path, *rows: str) -> Path:
    path.write_text("test\tpart\tgroup\tword\n" + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ((), "holds no words"),
        (("t\tgroup1\tmen\the",), "line 2: the part must be one of target1"),
        (("t\ttarget1\tmen\the", "t\ttarget2\twomen\tshe", "t\tattribute1\twork\toffice"), "no words of attribute2"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, rows: tuple[str, ...], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Associations.load(write(tmp_path / "list.tsv", *rows))


def test_our_list_is_shipped_and_vectors_of_chance_are_impartial() -> None:
    words = sorted({word for parts in _shipped().tests.values() for some in parts.values() for word in some})
    vectors = np.random.default_rng(0).normal(size=(len(words), 64)).astype(np.float32)
    result = evaluate_model(VectorTable(words, vectors), None, "associations")["associations/people"]
    assert result.data_expected
    assert (result.n, result.known) == (352, 352)
    assert result.value is not None
    assert 60 < result.value < 100
    assert set(result.sections) == set(_shipped().tests)


def _shipped() -> Associations:
    import everyword.evaluation

    return Associations.load(Path(everyword.evaluation.__file__).with_name("associations.tsv"))
