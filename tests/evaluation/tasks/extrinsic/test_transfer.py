"""Taggers of several languages, on two made ones whose vectors lie apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from everyword import config as configs
from everyword.corpus.labelled.sets import TaggedSentences, cut_to
from everyword.errors import ConfigError, InputError
from everyword.evaluation.tasks.extrinsic.learner import LearnerConfig
from everyword.evaluation.tasks.extrinsic.networks import TagConfig
from everyword.evaluation.tasks.extrinsic.transfer import (
    LanguageVectors,
    TransferConfig,
    TransferLearner,
    in_language,
    joined,
)
from everyword.learning.adversary import AdversaryConfig, SharedFeatures
from everyword.learning.loop import weights_of
from everyword.learning.word_vectors import WordVectors
from everyword.systems.taggers.bilstm import Tagger
from everyword.vectors.table import VectorTable

DIM, WORDS = 6, 40
CONFIG = TransferConfig(
    tagger=TagConfig(
        hidden=8, dropout=0.1, shared=True, learning=LearnerConfig(epochs=2, batch=10, rates=(0.01,), clip=5.0)
    ),
    adversary=AdversaryConfig(strength=1.0, every=2, hidden=16, learning_rate=0.01),
    examples=40,
)


def tables() -> dict[str, VectorTable]:
    """Every second word is a date; the words of the languages differ by a shift."""
    rng = np.random.default_rng(0)
    found = {}
    for number, language in enumerate(("aa", "bb")):
        matrix = rng.normal(size=(WORDS, DIM)).astype(np.float32)
        matrix[:, 0] += 3 * (np.arange(WORDS) % 2) - 1.5
        matrix[:, 1] += 3 * number - 1.5
        found[language] = VectorTable([f"w{row}" for row in range(WORDS)], matrix)
    return found


def sentences(language: str, count: int, seed: int) -> TaggedSentences:
    rng = np.random.default_rng(seed)
    rows = [rng.integers(WORDS, size=6).tolist() for _ in range(count)]
    tokens = tuple(tuple(f"W{row}" for row in row_of) for row_of in rows)
    tags = tuple(tuple("B-DATE" if row % 2 else "O" for row in row_of) for row_of in rows)
    return in_language(language, TaggedSentences("made", tokens, tags))


def learner(config: TransferConfig, *, unlabelled: bool = True) -> TransferLearner:
    vectors = LanguageVectors(tables())
    text = [[token.partition(":")[2] for token in tokens] for tokens in sentences("bb", 8, 5).tokens]
    return TransferLearner(
        WordVectors(vectors.encode, vectors.dim),
        sentences("aa", 40, 1),
        sentences("aa", 10, 2),
        config,
        {"bb": text} if unlabelled else None,
    )


def test_words_that_two_languages_spell_alike_have_vectors_of_their_own() -> None:
    vectors = LanguageVectors(tables())
    one, other, unknown = vectors.encode(["aa:W3", "bb:w3", "bb:nothing"])
    assert not np.allclose(one, other)
    assert np.linalg.norm(one) == pytest.approx(np.sqrt(DIM), rel=1e-5)
    assert not unknown.any()
    with pytest.raises(InputError, match="no vectors of the language 'cc'"):
        vectors.encode(["cc:w3"])
    with pytest.raises(InputError, match=r"must have one dimension\. Got aa 6, bb 2"):
        LanguageVectors({**tables(), "bb": VectorTable(["w"], np.ones((1, 2), dtype=np.float32))})


def test_sentences_of_languages_are_joined() -> None:
    both = joined([sentences("aa", 3, 1), sentences("bb", 2, 1)], "both")
    assert len(both) == 5
    assert both.tokens[0][0].startswith("aa:")
    assert both.tokens[-1][0].startswith("bb:")
    assert cut_to(both, 2).scheme == "bio"


def test_the_adversary_sees_unlabelled_text_and_hides_the_language() -> None:
    tests = [sentences("aa", 40, 3), sentences("bb", 40, 4)]
    strong = replace(CONFIG.adversary, strength=10.0, every=1, learning_rate=0.05, decay=5.0)
    learning = replace(CONFIG.tagger.learning, epochs=12)
    config = replace(CONFIG, tagger=replace(CONFIG.tagger, learning=learning), adversary=strong, adversarial=True)
    accuracies = {}
    for adversarial in (False, True):
        one = learner(replace(config, adversarial=adversarial))
        assert sorted(one.rows_of) == ["aa", "bb"]
        trained = one.fit(0.01, 0)
        accuracies[adversarial] = one.language_accuracy(trained.network, tests)
        assert one.score(trained.network, tests[0])["strict"] > 90
    assert accuracies[False] > 85
    assert accuracies[True] < accuracies[False] - 15


def test_strength_zero_trains_the_same_tagger_to_the_bit() -> None:
    weights = []
    for config in (CONFIG, replace(CONFIG, adversarial=True, adversary=replace(CONFIG.adversary, strength=0.0))):
        weights.append(weights_of(learner(config).fit(0.01, 3).network))
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_scores_are_those_of_temporal_expressions() -> None:
    one = learner(CONFIG, unlabelled=False)
    assert one.main == "strict"
    network = one.fit(0.01, 0).network
    assert isinstance(network, Tagger)
    assert isinstance(network.shared, SharedFeatures)
    scores = one.score(network, sentences("bb", 5, 7))
    assert {"strict", "relaxed", "type", "accuracy"} <= set(scores)
    features = network.features(torch.tensor([[1, 2]]))
    assert features.abs().max() < 1
    assert one.with_config(replace(CONFIG, examples=3)).transfer.examples == 3


def test_an_adversary_needs_features_and_two_languages() -> None:
    bare = replace(CONFIG, adversarial=True, tagger=replace(CONFIG.tagger, shared=False))
    with pytest.raises(ConfigError, match=r"an adversary needs tagger\.shared"):
        configs.check(bare)
    with pytest.raises(InputError, match="two classes or more"):
        learner(replace(CONFIG, adversarial=True), unlabelled=False).fit(0.01, 0)
