"""The arithmetic against loops that anyone can check."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from everyword.learning.optimisers import RowOptimiser
from everyword.systems.skipgram.config import Rule, Weighing
from everyword.systems.skipgram.network import (
    ContextTable,
    attention,
    band,
    products_in_sentences,
    skipgram_loss,
)
from everyword.systems.skipgram.sampling import StepRandom, WordSampler

ROWS = torch.tensor([[0, 1, 2, 3], [2, 0, -1, -1]])
NEGATIVES, SHARE = torch.tensor([4, 3, 1, 4]), 0.5
CENTRES = torch.tensor([0, 1, 3, 4, 5])  # word 2 of the first sentence is lost by the tokenizer


@pytest.fixture
def network() -> ContextTable:
    network = ContextTable(words=5, encoder_dim=3, dim=4, seed=1)
    with torch.no_grad():
        network.table.weight.mul_(20)
    return network


def loss_of(network: ContextTable, states: torch.Tensor, window: int, weighing: Weighing) -> torch.Tensor:
    words, drawn = network.vectors(ROWS.clamp(min=0), NEGATIVES)
    projected = network.project(states)
    products = products_in_sentences(projected, CENTRES, words)
    mask = band(ROWS, window).flatten(0, 1)[CENTRES]
    weights = None if weighing == "each" else attention(products, mask, weighing, dim=4)
    return skipgram_loss(products, mask, projected @ drawn.T, torch.tensor(SHARE), weights)


@pytest.fixture
def states() -> torch.Tensor:
    return torch.randn(len(CENTRES), 3, generator=torch.Generator().manual_seed(2))


def sigmoid(value: float) -> float:
    return 1 / (1 + np.exp(-value))


def by_hand(network: ContextTable, states: torch.Tensor, weighing: str) -> float:
    """Sentence by sentence, centre by centre, word by word."""
    table, projection = network.table.weight.detach().numpy(), network.projection.detach().numpy()
    loss = 0.0
    for number, centre in enumerate(CENTRES.tolist()):
        sentence, place = divmod(centre, ROWS.shape[1])
        vector = projection @ states[number].numpy()
        around = [p for p in (place - 1, place + 1) if 0 <= p < ROWS.shape[1] and ROWS[sentence, p] >= 0]
        context = [table[int(ROWS[sentence, p])] for p in around]
        own = [float(v @ vector) for v in context]
        other = SHARE * sum(np.log(sigmoid(-float(table[row] @ vector))) for row in NEGATIVES.tolist())
        if weighing == "each":
            loss -= sum(np.log(sigmoid(score)) + other for score in own)
        else:
            scale = {"attention": 1.0, "scaled-attention": 0.5, "equal": 0.0}[weighing]
            weights = np.exp(scale * np.array(own)) / np.exp(scale * np.array(own)).sum()
            mixture = sum(weight * v for weight, v in zip(weights, context, strict=True))
            loss -= np.log(sigmoid(float(mixture @ vector))) + other
    return loss


@pytest.mark.parametrize("weighing", ["attention", "scaled-attention", "equal", "each"])
def test_the_loss_is_that_of_a_loop(network: ContextTable, states: torch.Tensor, weighing: Weighing) -> None:
    loss = loss_of(network, states, 1, weighing).detach()

    assert float(loss) == pytest.approx(by_hand(network, states, weighing), rel=1e-5)


@pytest.mark.parametrize("weighing", ["attention", "each"])
def test_gradients_are_those_of_small_steps(states: torch.Tensor, weighing: Weighing) -> None:
    network = ContextTable(words=5, encoder_dim=3, dim=4, seed=1, sparse=False).double()
    loss_of(network, states.double(), 2, weighing).backward()
    for parameter in network.parameters():
        assert parameter.grad is not None
        for place in range(parameter.numel()):
            found = []
            for way in (1e-5, -1e-5):
                with torch.no_grad():
                    parameter.view(-1)[place] += way
                    found.append(float(loss_of(network, states.double(), 2, weighing)))
                    parameter.view(-1)[place] -= way
            assert float(parameter.grad.view(-1)[place]) == pytest.approx((found[0] - found[1]) / 2e-5, abs=1e-6)


@pytest.mark.parametrize("rule", ["sgd", "adagrad", "adam"])
def test_a_sparse_table_moves_as_a_dense_one_does(states: torch.Tensor, rule: Rule) -> None:
    tables = []
    for sparse in (True, False):
        network = ContextTable(words=7, encoder_dim=3, dim=4, seed=1, sparse=sparse)
        moving = RowOptimiser(network, rule, 0.1, clip=0.5)
        for _ in range(3):
            moving.zero_grad()
            loss_of(network, states, 2, "each").backward()
            moving.step()
        tables.append(network.table.weight.detach())

    torch.testing.assert_close(*tables)
    assert torch.equal(tables[0][5:], ContextTable(7, 3, 4, seed=1).table.weight[5:])


def test_attention_sums_to_one_where_there_is_context() -> None:
    products = torch.randn(4, 5)
    mask = torch.tensor([[1, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]).bool()
    weights = attention(products, mask)

    assert weights.sum(dim=1).tolist() == pytest.approx([1, 1, 0, 1])
    assert (weights[~mask] == 0).all()
    assert weights[1, 1] == 1


def test_outputs_are_standardised_before_the_projection(network: ContextTable, states: torch.Tensor) -> None:
    plain = network.project(states)
    scale, shift = torch.tensor([2.0, 0.5, 3.0]), torch.tensor([10.0, -4.0, 1.0])
    network.standardise(shift, scale)

    torch.testing.assert_close(network.project(states * scale + shift), plain, rtol=1e-4, atol=1e-5)
    assert set(network.state_dict()) == {"table.weight", "projection", "mean", "spread"}


def test_a_window_wider_than_the_sentence_is_the_sentence() -> None:
    wide = band(ROWS, 100)
    assert wide[0].int().tolist() == (1 - torch.eye(4, dtype=torch.int)).tolist()
    assert wide[1, 0].tolist() == [False, True, False, False]


def test_negatives_are_drawn_by_counts() -> None:
    counts = np.array([1000, 500, 200, 50, 10])
    sampler = WordSampler(counts, power=0.75, subsample=0, device=torch.device("cpu"))
    drawn = sampler.words(torch.rand(1_000_000, dtype=torch.float64, generator=torch.Generator().manual_seed(0)))
    expected = counts**0.75 / (counts**0.75).sum() * len(drawn)
    chi_square = ((torch.bincount(drawn, minlength=5).numpy() - expected) ** 2 / expected).sum()
    assert chi_square < 18.5  # four degrees of freedom, one in a thousand


def test_processes_draw_what_one_would_have_drawn() -> None:
    one = StepRandom(torch.Generator().manual_seed(3), 5, 4).numbers(3, 2)
    shares = [StepRandom(torch.Generator().manual_seed(3), 5, 4, rank, 2).numbers(3, 2) for rank in range(2)]

    assert torch.equal(one[0::2], shares[0])
    assert torch.equal(one[1::2], shares[1])
    same = [StepRandom(torch.Generator().manual_seed(3), 5, 4, rank, 2).shared(7) for rank in range(2)]
    assert torch.equal(*same)


def test_adam_is_that_of_torch_where_all_rows_are_touched() -> None:
    ours, theirs = ContextTable(4, 3, 2, seed=5), ContextTable(4, 3, 2, seed=5, sparse=False)
    rule, adam = RowOptimiser(ours, "adam", 0.01), torch.optim.Adam(theirs.parameters(), lr=0.01)
    for step in range(5):
        for network in (ours, theirs):
            generator = torch.Generator().manual_seed(step)
            network.table.weight.grad = torch.randn(4, 2, generator=generator)
            network.projection.grad = torch.randn(2, 3, generator=generator)
        rule.step()
        adam.step()

    torch.testing.assert_close(ours.table.weight, theirs.table.weight)
    torch.testing.assert_close(ours.projection, theirs.projection)
