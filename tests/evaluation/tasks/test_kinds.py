from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from made import write

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.tasks import confidence, kinds
from everyword.evaluation.tasks.confidence import CHANCE, roc_area, run_kinds, run_misspellings
from everyword.evaluation.tasks.given_candidates import GivenCandidates
from everyword.evaluation.tasks.kinds import KindsSet, readings, run
from everyword.evaluation.tasks.misspelling import MisspellingSet

CIRCLE = [f"word{angle:02}" for angle in range(12)]
"""Twelve words at thirty degrees from each other."""
EXTRA = {"near0": 2.0, "near3": 92.0, "word06": 180.0, "empty": None}


def vector(word: str) -> list[float]:
    angle = 30.0 * CIRCLE.index(word) if word in CIRCLE else EXTRA[word]
    return [0.0, 0.0] if angle is None else [float(np.cos(np.radians(angle))), float(np.sin(np.radians(angle)))]


def model(**options: object) -> EvaluatedModel:
    def vectors(words: Sequence[str]) -> np.ndarray:
        return np.array([vector(word) for word in words], dtype=np.float32)

    return EvaluatedModel("toy", "encode", vectors, CIRCLE, str, **options)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write(tmp_path / "candidates.txt", "\n".join(CIRCLE) + "\n")
    text = "kind\ttoken\taccept\none\tnear0\tword00,word06\none\tword06\tword06,word00\ntwo\tnear3\tword09,nowhere\n"
    return write(tmp_path / "made.tsv", text + "two\tempty\tword00\n")


def test_ranks_of_the_best_accepted_word_by_hand(path: Path) -> None:
    # near0: word00 is first. word06: itself is left out, word00 is the farthest of the eleven others.
    # near3: word09 is opposite, twelfth. empty has no vector.
    found = list(readings(model(), KindsSet.load(path)))

    assert [reading.rank for reading in found] == [1, 11, 12, 0]
    assert found[0].nearest[:3] == ["word00", "word01", "word11"]
    assert (len(found[1].nearest), "word06" in found[1].nearest, found[3].nearest) == (10, False, ())


def test_scores_by_kind(path: Path) -> None:
    scores = run(model(), KindsSet.load(path), 0)

    assert (scores.n, scores.known, scores.items) == (4, 1, {"rank": [1, 11, 12, 0]})
    assert scores.values["hit@10"] == 25
    assert scores.values["mrr"] == pytest.approx(100 * (1 + 1 / 11 + 1 / 12) / 4)
    assert scores.values["lowest_kind"] == 0
    assert scores.sections["one"] == pytest.approx({"n": 2, "hit@10": 50, "mrr": 50 * (1 + 1 / 11), "answered": 100})
    assert scores.sections["two"]["answered"] == 50


def test_a_candidate_without_a_vector_is_never_near() -> None:
    candidates = GivenCandidates([*CIRCLE, "empty"], model())

    nearest = candidates.nearest(candidates.cosines(model().units(["word06"]), ["word06"]))

    assert "empty" not in [candidates.words[row] for row in nearest[0]]


def test_files_that_cannot_be_scored(tmp_path: Path, path: Path) -> None:
    with pytest.raises(InputError, match=r"made\.tsv:2: none of 'nowhere' is a candidate; accept one that is"):
        KindsSet.load(write(path, "kind\ttoken\taccept\none\tcat\tnowhere\n"))
    with pytest.raises(InputError, match="holds no tokens"):
        KindsSet.load(write(path, "kind\ttoken\taccept\n"))
    write(tmp_path / "candidates.txt", "a\nb\n")
    with pytest.raises(InputError, match="holds 2 words; a search for the nearest 10 needs more"):
        KindsSet.load(path)
    (tmp_path / "candidates.txt").unlink()
    with pytest.raises(InputError, match="There is no list of candidates"):
        KindsSet.load(path)


def test_tokens_in_other_spellings(path: Path) -> None:
    noisy = kinds.misspelt(KindsSet.load(path), str.upper)

    assert [token.text for token in noisy.tokens] == ["NEAR0", "WORD06", "NEAR3", "EMPTY"]
    assert noisy.tokens[0].accepted == ["word00", "word06"]


def test_the_area_counts_pairs_in_the_right_order() -> None:
    right = np.array([True, True, False, False])

    assert roc_area(np.array([0.9, 0.5, 0.5, 0.1]), right) == pytest.approx(100 * 3.5 / 4)
    assert roc_area(np.array([0.1, 0.2, 0.5, 0.9]), right) == 0
    assert roc_area(np.array([0.1, 0.2]), np.array([True, True])) is None


def test_confidence_of_right_and_wrong_readings(path: Path) -> None:
    given = {"near0": 0.9, "word06": 1.0, "near3": 0.4, "empty": 0.0}
    scores = run_kinds(model(confidences=lambda words: [given[word] for word in words]), KindsSet.load(path), 0)

    assert scores.values["auc"] == pytest.approx(100 * 2 / 3)  # near0 is right, and word06 is more confident
    assert scores.values["auc_unknown"] == 100
    assert scores.values["confidence_right"] == pytest.approx(90)
    assert scores.sections == {"one": {"auc": 0}}
    assert scores.items["right"] == [1, 0, 0, 0]


def test_a_model_without_confidence_trusts_known_words(path: Path) -> None:
    assert model().confidences(["word00", "near0"]) == [1.0, 0.0]
    scores = run_misspellings(model(), MisspellingSet("made", {"near0": ["word00"]}), 0)

    assert (scores.values["auc"], scores.values["auc_unknown"]) == (CHANCE, None)


def test_misspellings_are_right_if_the_word_is_first() -> None:
    data = MisspellingSet("made", {"near0": ["word00"], "near3": ["word04"], "empty": ["word01"]})
    given = {"near0": 0.8, "near3": 0.3, "empty": 0.0}

    scores = run_misspellings(model(confidences=lambda words: [given[word] for word in words]), data, 0)

    assert scores.items["right"] == [1, 0, 0]
    assert scores.values["auc"] == 100
    assert confidence.CORRECTIONS.kind == "misspelling"
