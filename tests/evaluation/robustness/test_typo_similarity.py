from __future__ import annotations

import numpy as np
import pytest
from made import toy_model

from everyword import registry
from everyword.evaluation.evaluated_model import evaluated_model
from everyword.evaluation.robustness.noise import FAMILIES
from everyword.evaluation.robustness.typo_similarity import ERRORS, SEEDS, corrupted, run
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks.similarity import SimilaritySet
from everyword.evaluation.tasks.similarity import run as run_clean
from everyword.models.model import Model

PAIRS = [("dan", "daner"), ("danness", "delo"), ("is", "grinly"), ("lust", "trin"), ("soru", "sorus")]
DATA = SimilaritySet("made", PAIRS, np.array([9.0, 2, 4, 1, 7]))


def test_only_first_words_change_and_only_by_the_seed() -> None:
    kinds = [registry.corruptions.get("swap")]
    once = corrupted(DATA, kinds, 1)

    assert once == corrupted(DATA, kinds, 1)
    assert any(once != corrupted(DATA, kinds, seed) for seed in range(2, 9))
    assert [second for _, second in once] == [second for _, second in PAIRS]
    changed = [new != old for (new, _), (old, _) in zip(once, PAIRS, strict=True)]
    assert changed == [True, True, False, True, True]  # "is" is too short for a typo


def test_clean_and_corrupted_side_by_side(tiny_model: Model) -> None:
    model = evaluated_model(tiny_model)
    scores = run(model, DATA, 0)

    assert scores.values["clean"] == run_clean(model, DATA, 0).values["spearman"]
    assert scores.seeds == SEEDS
    assert set(scores.spread) == set(ERRORS)
    for family in ERRORS:
        assert scores.values[f"{family}_changed"] == pytest.approx(80, abs=10)
    assert run(model, DATA, 0) == scores
    assert run(model, DATA, 9).values["clean"] == scores.values["clean"]


def test_who_knows_no_typo_keeps_nothing() -> None:
    model = toy_model({"kitten": [1, 0], "tomcat": [1, 0.1], "lorry": [0, 1], "engine": [0.3, 1]})
    data = SimilaritySet(
        "made", [("kitten", "tomcat"), ("engine", "lorry"), ("kitten", "lorry")], np.array([3.0, 2, 1])
    )

    scores = run(model, data, 0)

    assert scores.values["clean"] == pytest.approx(100)
    assert scores.values["typo"] == 0.0
    assert scores.values["typo_kept"] == 0.0


def test_the_families_cover_every_corruption_and_ocr_is_not_trained_on() -> None:
    assert sorted(name for family in ERRORS for name in FAMILIES[family]) == sorted(registry.corruptions)


def test_nothing_known() -> None:
    with pytest.raises(NoOverlapError, match="No pair of made has both words in toy"):
        run(toy_model({"x": [1, 0]}), DATA, 0)
    with pytest.raises(NoOverlapError, match="No pair of made has both words in toy"):
        run_clean(toy_model({"x": [1, 0]}), DATA, 0)
