from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from everyword.corpus.labelled.sets import Texts
from everyword.errors import ConfigError, InputError
from everyword.evaluation.tasks.extrinsic import protocol
from everyword.evaluation.tasks.extrinsic.networks import Classifier, ClassifyConfig, classify
from everyword.learning.word_vectors import WordVectors
from everyword.systems.classifiers.text_cnn import TextCnn

from .tiny_sets import DIM, GOOD, QUICK, encode, same_weights, texts

CONFIG = ClassifyConfig(filters=8, learning=QUICK)
TRAIN, DEV, TEST = texts("train", 80, 1), texts("dev", 40, 2), texts("test", 60, 3)


def learner(config: ClassifyConfig = CONFIG) -> Classifier:
    return Classifier(WordVectors(encode, DIM), TRAIN, DEV, config)


def test_a_tiny_set_is_learnt_and_counted() -> None:
    scores = classify(encode, DIM, TRAIN, DEV, TEST, config=replace(CONFIG, learning=replace(QUICK, seeds=3)))

    assert scores.value > 90
    assert (scores.n, scores.known, scores.seeds) == (60, 60, 3)
    assert scores.tokens == scores.tokens_known == sum(map(len, TEST.tokens))
    assert set(scores.spread) == {"accuracy"}
    assert scores.train_seconds > 0
    assert scores.score_seconds > 0
    assert scores.encode_seconds > 0


def test_a_classifier_reads_characters_beside_or_instead_of_vectors() -> None:
    letters = ClassifyConfig(input="char", filters=8, character_states=4, learning=replace(QUICK, epochs=5))
    alone = Classifier(WordVectors(None, 0), TRAIN, DEV, letters)
    assert alone.fit(2e-2, seed=0).dev > 70, "words that have no vectors are told apart by their letters"
    both = Classifier(WordVectors(encode, DIM), TRAIN, DEV, replace(letters, input="frozen+char"))
    assert [both.network().read.dim, alone.network().read.dim] == [DIM + 8, 8]
    with pytest.raises(ConfigError, match="needs vectors"):
        Classifier(WordVectors(None, 0), TRAIN, DEV, CONFIG)


def test_known_is_what_the_caller_says() -> None:
    scores = classify(encode, DIM, TRAIN, DEV, TEST, config=CONFIG, known=lambda word: word not in GOOD)

    assert scores.known == 30
    assert scores.tokens_known == scores.tokens - 30


def test_a_run_is_repeated_by_its_seed_and_leaves_random_numbers_alone() -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    one = learner().fit(1e-2, seed=1)
    assert torch.equal(torch.get_rng_state(), before)
    torch.rand(3)
    task = learner()
    again, other = task.fit(1e-2, seed=1), task.fit(1e-2, seed=2)

    assert same_weights(one.network, again.network)
    assert (one.dev, one.epoch, one.losses) == (again.dev, again.epoch, again.losses)
    assert not same_weights(one.network, other.network)


def test_word_vectors_stay_what_encode_gave_and_each_word_is_encoded_once() -> None:
    asked: list[str] = []

    def counting(words: list[str]) -> np.ndarray:
        asked.extend(words)
        return encode(words)

    task = Classifier(WordVectors(counting, DIM), TRAIN, DEV, CONFIG)
    task.fit(1e-2, 0)

    assert len(asked) == len(set(asked))
    np.testing.assert_array_equal(task.words.vectors[1:].numpy(), encode(task.words.tokens[1:]))


def test_vectors_are_looked_up_by_row_also_after_new_words() -> None:
    words = WordVectors(encode, DIM)
    for tokens in (("gooda", "badb"), ("goodc",)):
        rows = torch.from_numpy(words.rows([tokens])[0])
        np.testing.assert_array_equal(words.look_up(rows).numpy(), encode(tokens))


def test_padding_does_not_change_a_score() -> None:
    network = TextCnn(DIM, 2, widths=(3, 4, 5), filters=4, dropout=0.5).eval()
    short = torch.randn(1, 2, DIM, generator=torch.Generator().manual_seed(0))
    padded = torch.cat([short, torch.full((1, 30, DIM), 1e3)], dim=1)

    torch.testing.assert_close(network(short, torch.tensor([2])), network(padded, torch.tensor([2])))


def test_predictions_do_not_depend_on_the_company() -> None:
    task = learner()
    network = task.fit(1e-2, 0).network
    alone = [task.predictions(network, Texts("one", (tokens,), ("good",)))[0] for tokens in TEST.tokens]

    assert task.predictions(network, TEST) == alone


def test_the_rate_is_chosen_on_dev_and_a_killed_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(CONFIG, learning=replace(QUICK, rates=(1e-6, 1e-2), seeds=2))
    whole = protocol.score_test(learner(config), TEST)
    fits: list[tuple[float, int]] = []
    allowed = 2
    fit = Classifier.fit

    def counted(self: Classifier, rate: float, seed: int) -> object:
        if len(fits) == allowed:
            raise TimeoutError
        fits.append((rate, seed))
        return fit(self, rate, seed)

    monkeypatch.setattr(Classifier, "fit", counted)
    with pytest.raises(TimeoutError):
        protocol.score_test(learner(config), TEST, save_to=tmp_path)
    assert fits == [(1e-6, 0), (1e-2, 0)]
    fits.clear()
    allowed = 9
    resumed = protocol.score_test(learner(config), TEST, save_to=tmp_path)

    assert fits == [(1e-2, 1)]
    assert whole.rate == resumed.rate == 1e-2
    assert whole.dev["1e-06"] < whole.dev["0.01"]
    assert (whole.values, whole.spread, whole.dev) == (resumed.values, resumed.spread, resumed.dev)
    fits.clear()
    more = replace(config, learning=replace(config.learning, seeds=3))
    assert protocol.score_test(learner(more), TEST, save_to=tmp_path).seeds == 3
    assert fits == [(1e-2, 2)], "only the new seed is trained"
    fits.clear()
    protocol.score_test(learner(replace(config, filters=9)), TEST, save_to=tmp_path)
    assert len(fits) > 0, "another configuration must not take the saved trials"


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        (Texts("train", (), ()), TEST, "The split 'train' is empty"),
        (TRAIN, Texts("test", (("a",),), ("odd",)), "Item 1 of 'test' has the label 'odd', which 'train' never has"),
        (TRAIN, Texts("test", ((),), ("good",)), "Item 1 of 'test' has 0 tokens"),
        (Texts("train", (("a",),), ("good",)), TEST, "has the label 'bad'"),
        (Texts("train", (("x",), ("y",)), ("good", "bad")), TEST, "No word of 'train' has a vector"),
    ],
)
def test_splits_that_cannot_be_are_refused(train: Texts, test: Texts, message: str) -> None:
    with pytest.raises(InputError, match=message):
        classify(encode, DIM, train, DEV, test, config=CONFIG)


def test_vectors_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="must give an array of shape"):
        classify(encode, DIM + 1, TRAIN, DEV, TEST, config=CONFIG)
    with pytest.raises(InputError, match="holds NaN or infinity"):
        classify(lambda words: encode(words) * np.nan, DIM, TRAIN, DEV, TEST, config=CONFIG)
    with pytest.raises(ConfigError, match=r"epochs must be 1 or more.*rates"):
        learner(replace(CONFIG, learning=replace(QUICK, epochs=0, rates=(-1.0,))))


def test_two_learners_do_not_share_word_vectors() -> None:
    words = WordVectors(encode, DIM)
    Classifier(words, TRAIN, DEV, CONFIG)
    with pytest.raises(ValueError, match="word vectors of its own"):
        Classifier(words, TRAIN, DEV, CONFIG)
