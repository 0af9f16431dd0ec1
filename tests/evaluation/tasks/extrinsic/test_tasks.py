from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from everyword.corpus.labelled.sets import Splits
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.robustness.noise import LADDER, Noise
from everyword.evaluation.tasks.extrinsic.networks import Classifier, ClassifyConfig
from everyword.evaluation.tasks.extrinsic.protocol import LearnerScores, score_test, score_tests
from everyword.evaluation.tasks.extrinsic.tasks import changed_share, noisy_copy, with_noisy_test
from everyword.learning.word_vectors import WordVectors

from .tiny_sets import DIM, QUICK, encode, tagged, texts

TEST = texts("test", 200, 3)


@pytest.mark.parametrize("test", [TEST, tagged("test", 100, 3)], ids=["texts", "tagged"])
def test_as_many_tokens_are_wrong_as_were_asked_for(test: object) -> None:
    for strength in LADDER[1:]:
        noise = Noise("insert", strength)  # every word of three letters or more can get a letter more
        copy = noisy_copy(test, noise)
        assert changed_share(test, copy) == pytest.approx(noise.share, abs=0.05)
        assert copy == noisy_copy(test, noise)
        assert copy != noisy_copy(test, noise, seed=1)


def test_what_is_wrong_stays_so_when_noise_grows() -> None:
    copies = [noisy_copy(TEST, Noise("typo", strength)) for strength in LADDER[1:]]
    clean, *flat = ([token for tokens in data.tokens for token in tokens] for data in (TEST, *copies))

    for lower, higher in pairwise(flat):
        assert all(one in (was, other) for was, one, other in zip(clean, lower, higher, strict=True))


def test_all_tokens_can_be_wrong_and_labels_stay() -> None:
    everything = noisy_copy(TEST, Noise("insert", 100))

    assert changed_share(TEST, everything) == 1
    assert (everything.labels, everything.name) == (TEST.labels, "test@insert-100")


def test_only_the_test_set_of_a_task_is_noisy() -> None:
    clean = Splits(tagged("train", 9, 1), tagged("dev", 9, 2), tagged("test", 9, 3))

    noisy, changed = with_noisy_test(clean, Noise("ocr", 90), 0)

    assert (noisy.train, noisy.dev, noisy.test.tags) == (clean.train, clean.dev, clean.test.tags)
    assert 0 < changed == changed_share(clean.test, noisy.test)


def test_published_noise_is_read_from_the_sets_folder(tmp_path: Path) -> None:
    lines = [f"{label}\t{' '.join(tokens)}x" for tokens, label in zip(TEST.tokens, TEST.labels, strict=True)]
    (tmp_path / "typo_10.tsv").write_text("label\ttext\n" + "\n".join(lines) + "\n", encoding="utf-8")
    clean = Splits(TEST, TEST, TEST, home=tmp_path)

    noisy, changed = with_noisy_test(clean, Noise("published", 10), 0)

    assert noisy.test.tokens[0][-1] == TEST.tokens[0][-1] + "x"
    assert 0 < changed < 1
    (tmp_path / "typo_20.tsv").write_text("label\ttext\ngood\tanother text\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not a noisy copy of 'test': their tokens are not aligned"):
        with_noisy_test(clean, Noise("published", 20), 0)
    with pytest.raises(InputError, match="with 30% errors; choose from 10, 20"):
        with_noisy_test(clean, Noise("published", 30), 0)
    with pytest.raises(NoScoreError, match="no published noisy copies"):
        with_noisy_test(replace(clean, home=None), Noise("published", 10), 0)


def test_all_copies_are_scored_by_the_same_networks_and_scores_fall() -> None:
    config = ClassifyConfig(filters=8, learning=replace(QUICK, seeds=2))
    learner = Classifier(WordVectors(encode, DIM), texts("train", 80, 1), texts("dev", 40, 2), config)
    tests = [TEST, noisy_copy(TEST, Noise("insert", 50)), noisy_copy(TEST, Noise("insert", 100))]

    clean, half, none = score_tests(learner, tests)

    assert clean.values == score_test(learner, TEST).values
    assert clean.value > 90
    assert clean.value > half.value > none.value - 5
    assert [(scores.n, scores.seeds) for scores in (clean, half, none)] == [(200, 2)] * 3
    assert (none.tokens_known, none.value) == (0, 50)  # without a single vector there is one answer for all


def test_scores_of_all_copies_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scores() -> list[LearnerScores]:
        config = ClassifyConfig(filters=8, learning=replace(QUICK, epochs=1, seeds=2))
        learner = Classifier(WordVectors(encode, DIM), texts("train", 40, 1), texts("dev", 20, 2), config)
        found = score_tests(learner, [TEST, noisy_copy(TEST, Noise("insert", 50))], save_to=tmp_path)
        return [replace(one, encode_seconds=0.0) for one in found]

    first = scores()
    monkeypatch.setattr(Classifier, "fit", None)
    assert scores() == first
