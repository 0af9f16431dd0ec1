from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from everyword.corpus.labelled.sets import TaggedSentences
from everyword.errors import ConfigError
from everyword.evaluation.tasks.extrinsic.inputs import INPUTS
from everyword.evaluation.tasks.extrinsic.networks import TagConfig, TagLearner, tag
from everyword.learning.characters import CharacterEncoder, fresh_characters
from everyword.learning.word_vectors import WordVectors
from everyword.systems.spelling.encoders.pam_stacked import PamStacked, PamStackedConfig
from everyword.text.mixed import MixedUnits

from .tiny_sets import DIM, QUICK, encode, same_weights, tagged

LEARNING = replace(QUICK, epochs=7, rates=(2e-2,))
CONFIG = TagConfig(hidden=16, dropout=0.1, lookup=8, character_states=8, learning=LEARNING)
TRAIN, DEV, TEST = tagged("train", 80, 1), tagged("dev", 20, 2), tagged("test", 30, 3)


def learner(config: TagConfig = CONFIG) -> TagLearner:
    return TagLearner(WordVectors(encode, DIM), TRAIN, DEV, config)


@pytest.mark.parametrize("kind", INPUTS)
def test_a_tiny_set_is_learnt_from_every_input(kind: str) -> None:
    needs_vectors = kind in ("frozen", "frozen+char", "full+emb")
    scores = tag(encode if needs_vectors else None, DIM, TRAIN, DEV, TEST, config=replace(CONFIG, input=kind))

    assert scores.main == "f1"
    assert scores.value > 90
    assert set(scores.values) == {"f1", "precision", "recall", "accuracy"}
    assert (scores.n, scores.tokens) == (30, sum(map(len, TEST.tokens)))


def test_plain_tags_are_scored_by_token_and_need_no_crf() -> None:
    splits = [replace(data, scheme="plain") for data in (TRAIN, DEV, TEST)]

    scores = tag(encode, DIM, *splits, config=replace(CONFIG, crf=False))

    assert set(scores.values) == {"accuracy"}
    assert scores.value > 90


def test_a_run_is_repeated_by_its_seed_and_frozen_vectors_do_not_change() -> None:
    task = learner()
    one, again = task.fit(1e-2, 1), learner().fit(1e-2, 1)

    assert same_weights(one.network, again.network)
    assert one.losses == again.losses
    np.testing.assert_array_equal(task.words.vectors[1:].numpy(), encode(task.words.tokens[1:]))


def test_a_lookup_started_from_vectors_begins_there_and_moves_for_words_of_train_only() -> None:
    task = learner(replace(CONFIG, input="full+emb"))
    rows = torch.from_numpy(np.concatenate(task.words.rows([*TRAIN.tokens, ("Lastz", "wordz")])))[None]
    new = rows >= task.trained_rows
    fresh, fitted = task.network().eval(), task.fit(1e-2, 0).network.eval()
    start, moved = fresh.read(rows)[..., :DIM], fitted.read(rows)[..., :DIM]

    torch.testing.assert_close(start, task.words.vectors[rows])
    torch.testing.assert_close(moved[new], task.words.vectors[rows][new])
    assert not torch.equal(moved[~new], start[~new])


@pytest.mark.parametrize("kind", INPUTS)
def test_predictions_do_not_depend_on_the_company(kind: str) -> None:
    task = learner(replace(CONFIG, input=kind, learning=replace(LEARNING, epochs=1)))
    network = task.fit(1e-2, 0).network
    alone = [task.predictions(network, TaggedSentences("one", (tokens,), (tokens,)))[0] for tokens in TEST.tokens]

    assert task.predictions(network, TEST) == alone


def test_a_character_encoder_that_was_trained_before_is_copied_for_each_run() -> None:
    words = {token for tokens in TRAIN.tokens for token in tokens}
    given = fresh_characters(words, hidden=8)
    before = {name: tensor.clone() for name, tensor in given.module.state_dict().items()}
    task = TagLearner(WordVectors(None, 0), TRAIN, DEV, replace(CONFIG, input="char"), given)

    start = task.network()
    task.fit(1e-2, 0)

    assert same_weights(start.read.characters, given.module)
    assert all(torch.equal(tensor, before[name]) for name, tensor in given.module.state_dict().items())


def test_inputs_that_cannot_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="needs vectors"):
        tag(None, 0, TRAIN, DEV, TEST, config=CONFIG)
    with pytest.raises(ConfigError, match=r"must be one of frozen, frozen\+char, full"):
        learner(replace(CONFIG, input="words"))
    with pytest.raises(ConfigError, match="reads no characters"):
        tag(encode, DIM, TRAIN, DEV, TEST, config=CONFIG, characters=fresh_characters(["a"]))


def test_an_encoder_of_everyword_reads_words_for_a_tagger() -> None:
    units = MixedUnits(sorted({letter for tokens in TRAIN.tokens for token in tokens for letter in token}))
    encoder = CharacterEncoder(units.ids, PamStacked(units.size, 12, PamStackedConfig(initial_scale=0.3)), 12)
    short = replace(CONFIG, input="char", learning=replace(LEARNING, epochs=2))

    scores = tag(None, 0, TRAIN, DEV, TEST, config=short, characters=encoder)

    assert scores.values["accuracy"] > 50
    assert encoder.module.units.embedding.sparse, "what was given stays as it was"


def test_tokens_that_train_never_shows_have_a_score_of_their_own() -> None:
    task = learner(replace(CONFIG, learning=replace(LEARNING, epochs=1)))
    data = TaggedSentences("test", (("worda", "new"), ("other",)), (("O", "B-PER"), ("O",)))

    assert task.scores(data, [["O", "O"], ["O"]])["accuracy_unseen"] == 50
    assert "accuracy_unseen" not in task.scores(TRAIN, TRAIN.tags)
