from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from everyword.systems.skipgram import PreparedCorpus, prepare
from everyword.systems.skipgram.baselines import glove
from everyword.systems.skipgram.baselines.batched import Corpus, WordTable, WordTrainer, batched_pair, substrings
from everyword.systems.skipgram.baselines.config import GloveConfig, Method, Word2VecConfig
from everyword.systems.skipgram.baselines.glove import (
    BiasedProducts,
    GloveNetwork,
    count_on,
    count_pairs,
    glove_loss,
    glove_pair,
    glove_table,
)
from everyword.systems.skipgram.baselines.word2vec import Sentences, word2vec_pair, word2vec_table
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

from .conftest import ANIMALS, PLACES, SHORT


@pytest.fixture(scope="module")
def bare(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> PreparedCorpus:
    """Without an encoder, in several parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("everyword.systems.skipgram.prepared.SENTENCES_A_PART", 70)
        return prepare([corpus], tmp_path_factory.mktemp("bare"), SHORT)


def kinds_are_apart(table: VectorTable) -> bool:
    units = unit_rows(table.select([*ANIMALS, *PLACES]).matrix)
    cosines = units @ units.T
    return bool(cosines[:3, :3].mean() > cosines[:3, 3:].mean() + 0.1)


def test_the_same_words_with_and_without_an_encoder(bare: PreparedCorpus, prepared: PreparedCorpus) -> None:
    assert bare.vocabulary.words == prepared.vocabulary.words
    assert list(Sentences(bare)) == list(Sentences(prepared))


@pytest.mark.parametrize("method", ["skip-gram", "cbow", "fasttext"])
def test_gensim_trains_on_the_prepared_sentences(bare: PreparedCorpus, method: Method) -> None:
    config = Word2VecConfig(dim=12, window=3, subsample=0, learning_rate=0.1, epochs=20)
    table = word2vec_table(bare, method, config)

    assert table.words == bare.vocabulary.words
    assert kinds_are_apart(table)


@pytest.mark.parametrize("method", ["skip-gram", "cbow", "fasttext"])
def test_batches_tell_kinds_apart(bare: PreparedCorpus, method: Method) -> None:
    config = Word2VecConfig(
        dim=12, window=3, subsample=0, learning_rate=0.1, epochs=12, rule="adagrad", batch=32, shared_negatives=16
    )
    pair = batched_pair(bare, method, config, device="cpu")

    assert pair.table.words == bare.vocabulary.words
    assert kinds_are_apart(pair.table)
    np.testing.assert_allclose(pair.vectors, batched_pair(bare, method, config, device="cpu").vectors, atol=1e-4)


@pytest.mark.parametrize("method", ["skip-gram", "cbow", "fasttext"])
def test_a_step_follows_the_gradient_of_its_loss(bare: PreparedCorpus, method: Method) -> None:
    config = Word2VecConfig(dim=5, window=2, negatives=3, batch=3, shared_negatives=4, rule="sgd", clip=0)
    parts = substrings(bare.vocabulary.words, 20) if method == "fasttext" else None
    network = WordTable(len(bare.vocabulary.words), 5, 1, parts)
    torch.nn.init.normal_(network.other, generator=torch.Generator().manual_seed(1))
    corpus = Corpus.of(bare, torch.device("cpu"))
    trainer = WordTrainer(network, corpus, bare.vocabulary.counts, method, config)
    centres, negatives, before = torch.tensor([0, 7, 20]), torch.tensor([1, 2, 2, 5]), network.own.detach().clone()
    loss = torch.zeros(())
    for centre in centres.tolist():
        places = [p for p in range(centre - 2, centre + 3) if p != centre and 0 <= p < len(corpus.rows)]
        around = corpus.rows[[p for p in places if corpus.sentence[p] == corpus.sentence[centre]]]
        if method == "cbow":
            # Each word of the window gets the whole gradient of the mean, not a share of it.
            inside = (
                network.own[around].sum(dim=0) + (network.own[around].mean(0) - network.own[around].sum(0)).detach()
            )
            vectors, targets = inside[None], corpus.rows[centre][None]
        else:
            vectors, targets = network.centres(torch.tensor([int(corpus.rows[centre])])), around
        pairs = (network.other[targets] @ vectors.T).squeeze(1)
        pushed = torch.nn.functional.logsigmoid(-(network.other[negatives] @ vectors.T)).sum() * 3 / 4
        loss = loss - torch.nn.functional.logsigmoid(pairs).sum() - pushed * len(pairs)
    gradients = torch.autograd.grad(loss, [network.own, network.other])
    after = [before - 0.5 * gradients[0], network.other.detach() - 0.5 * gradients[1]]
    with torch.no_grad():
        trainer.step(centres, negatives, torch.full((3,), 0.99), torch.tensor(0.5))
    torch.testing.assert_close(network.own.detach(), after[0], atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(network.other.detach(), after[1], atol=1e-4, rtol=1e-4)


def test_gaps_of_dropped_words_are_closed(bare: PreparedCorpus) -> None:
    config = Word2VecConfig(dim=2, subsample=0.01, shared_negatives=4)
    corpus = Corpus.of(bare, torch.device("cpu"))
    trainer = WordTrainer(WordTable(len(bare.vocabulary.words), 2, 0), corpus, bare.vocabulary.counts, "cbow", config)
    left = trainer.drop(torch.Generator().manual_seed(0))
    assert 0 < left < len(corpus.rows)
    assert (trainer._sentence[:left].diff() >= 0).all()
    assert (trainer._sentence[left:] == -1).all()


def test_pairs_are_counted_alike_on_a_device(bare: PreparedCorpus) -> None:
    one, other = count_pairs(bare, 3), count_on(torch.device("cpu"), bare, 3, len(bare.vocabulary.words))
    np.testing.assert_array_equal(one.first, other.first)
    np.testing.assert_array_equal(one.second, other.second)
    np.testing.assert_allclose(one.counts, other.counts, rtol=1e-5)


@pytest.mark.parametrize("method", ["skip-gram", "fasttext"])
def test_gensim_keeps_both_matrices(bare: PreparedCorpus, method: Method) -> None:
    config = Word2VecConfig(dim=6, window=3, subsample=0, learning_rate=0.1, epochs=8)
    pair = word2vec_pair(bare, method, config)

    assert pair.words == bare.vocabulary.words
    assert (pair.model, pair.power) == ("negative-sampling", 0.75)
    np.testing.assert_array_equal(pair.counts, bare.vocabulary.counts)  # type: ignore[arg-type]
    # Words meet their contexts more often than other words do, and products say so.
    products = pair.vectors @ pair.contexts.T
    row_of = {word: row for row, word in enumerate(pair.words)}
    together = [
        products[row_of[one], row_of[other]] for sentence in Sentences(bare) for one, other in pairwise(sentence)
    ]
    assert np.mean(together) > products.mean()


def test_glove_keeps_both_matrices_and_biases(bare: PreparedCorpus) -> None:
    config = GloveConfig(dim=6, window=4, most=20, epochs=30, batch=64)
    pair, table = glove_pair(bare, config, device="cpu"), glove_table(bare, config, device="cpu")

    np.testing.assert_allclose(pair.vectors + pair.contexts, table.matrix, atol=1e-6)
    assert pair.model == "softmax"
    assert pair.biases is not None
    assert pair.biases.any()
    np.testing.assert_array_equal(pair.counts, bare.vocabulary.counts)  # type: ignore[arg-type]


def test_pairs_are_those_of_a_loop(bare: PreparedCorpus) -> None:
    expected: dict[tuple[int, int], float] = {}
    row_of = {word: row for row, word in enumerate(bare.vocabulary.words)}
    for sentence in Sentences(bare):
        for place, word in enumerate(sentence):
            for distance, other in enumerate(sentence[place + 1 : place + 4], start=1):
                key = tuple(sorted((row_of[word], row_of[other])))
                expected[key] = expected.get(key, 0) + 1 / distance  # type: ignore[index, arg-type]
    found = count_pairs(bare, window=3)

    counted = {
        (int(a), int(b)): float(count) for a, b, count in zip(found.first, found.second, found.counts, strict=True)
    }
    assert counted == pytest.approx(expected, rel=1e-5)


def test_the_loss_of_glove_is_that_of_its_formula() -> None:
    network, config = GloveNetwork(3, 2, seed=0), GloveConfig(dim=2, most=10)
    pairs = torch.tensor([0, 1]), torch.tensor([2, 2]), torch.tensor([4.0, 20.0])
    own, other = network.own.detach().numpy(), network.other.detach().numpy()
    expected = 0.0
    for a, b, count in ((0, 2, 4.0), (2, 0, 4.0), (1, 2, 20.0), (2, 1, 20.0)):
        missed = own[a, :2] @ other[b, :2] + own[a, 2] + other[b, 2] - np.log(count)
        expected += min(1.0, (count / 10) ** 0.75) * missed**2 / 2

    assert glove_loss(network, *pairs, config).item() == pytest.approx(expected, rel=1e-5)


def test_the_gradients_of_glove_are_those_of_its_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glove, "ROWS_AT_ONCE", 3)
    tables = [torch.randn(5, 4, dtype=torch.float64, requires_grad=True) for _ in range(2)]
    rows = torch.tensor([0, 1, 1, 3, 0, 4, 1]), torch.tensor([2, 2, 0, 0, 2, 1, 4])

    def products(own: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = BiasedProducts.apply(own, other, *rows)  # type: ignore[no-untyped-call]
        return found

    own, other = tables[0][rows[0]], tables[1][rows[1]]
    expected = (own[:, :-1] * other[:, :-1]).sum(dim=1) + own[:, -1] + other[:, -1]
    torch.testing.assert_close(products(*tables), expected)
    assert torch.autograd.gradcheck(products, tables)


def test_glove_tells_kinds_apart(bare: PreparedCorpus) -> None:
    table = glove_table(bare, GloveConfig(dim=6, window=4, most=20, epochs=30, batch=64), device="cpu")
    again = glove_table(bare, GloveConfig(dim=6, window=4, most=20, epochs=30, batch=64), device="cpu")

    assert kinds_are_apart(table)
    np.testing.assert_array_equal(table.matrix, again.matrix)
    assert torch.isfinite(torch.from_numpy(table.matrix)).all()
