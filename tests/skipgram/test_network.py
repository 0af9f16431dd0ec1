"""The arithmetic against loops that anyone can check."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from everyword.skipgram.configuration import Rule
from everyword.skipgram.draws import Chance, Draws, windows
from everyword.skipgram.network import ContextTable, attention, band, skipgram_loss
from everyword.skipgram.rules import RowRule

ROWS = torch.tensor([[0, 1, 2, 3], [2, 0, -1, -1]])
CENTRES = torch.tensor([0, 1, 3, 4, 5])  # word 2 of the first sentence is lost by the tokenizer


@pytest.fixture
def network() -> ContextTable:
    network = ContextTable(words=5, encoder_dim=3, dim=4, seed=1)
    with torch.no_grad():
        network.table.mul_(20)
    return network


@pytest.fixture
def states() -> torch.Tensor:
    return torch.randn(len(CENTRES), 3, generator=torch.Generator().manual_seed(2))


def sigmoid(value: float) -> float:
    return 1 / (1 + np.exp(-value))


def by_hand(network: ContextTable, states: torch.Tensor, negatives: torch.Tensor, weighing: str) -> float:
    """Sentence by sentence, centre by centre, word by word."""
    table, projection = network.table.detach().numpy(), network.projection.detach().numpy()
    loss = 0.0
    for number, centre in enumerate(CENTRES.tolist()):
        sentence, place = divmod(centre, ROWS.shape[1])
        vector = projection @ states[number].numpy()
        around = [p for p in (place - 1, place + 1) if 0 <= p < ROWS.shape[1] and ROWS[sentence, p] >= 0]
        context = [table[int(ROWS[sentence, p])] for p in around]
        own = [float(v @ vector) for v in context]
        other = sum(np.log(sigmoid(-float(table[row] @ vector))) for row in negatives[number].tolist())
        if weighing == "each":
            loss -= sum(np.log(sigmoid(score)) + other for score in own)
        else:
            weights = np.exp(own) / np.exp(own).sum() if weighing == "attention" else np.full(len(own), 1 / len(own))
            mixture = sum(weight * v for weight, v in zip(weights, context, strict=True))
            loss -= np.log(sigmoid(float(mixture @ vector))) + other
    return loss


@pytest.mark.parametrize("weighing", ["attention", "equal", "each"])
def test_the_loss_is_that_of_a_loop(network: ContextTable, states: torch.Tensor, weighing: str) -> None:
    negatives = torch.tensor([[4, 3], [4, 4], [1, 4], [4, 1], [3, 4]])
    projected, products = network.products(states, CENTRES, ROWS)
    mask = band(ROWS, 1).flatten(0, 1)[CENTRES]
    against = network.against(projected, negatives)
    loss = skipgram_loss(products, mask, against, torch.ones_like(against, dtype=torch.bool), weighing)  # type: ignore[arg-type]

    assert float(loss.detach()) == pytest.approx(by_hand(network, states, negatives, weighing), rel=1e-5)


@pytest.mark.parametrize("weighing", ["attention", "each"])
def test_gradients_are_those_of_small_steps(network: ContextTable, states: torch.Tensor, weighing: str) -> None:
    network, negatives = network.double(), torch.tensor([[4, 3], [4, 4], [1, 4], [4, 1], [3, 4]])

    def loss(table: torch.Tensor, projection: torch.Tensor) -> torch.Tensor:
        network_of = {"table": table, "projection": projection}

        class Whole(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.inner = network

            def forward(self) -> torch.Tensor:
                projected, products = self.inner.products(states.double(), CENTRES, ROWS)
                mask = band(ROWS, 2).flatten(0, 1)[CENTRES]
                against = self.inner.against(projected, negatives)
                return skipgram_loss(products, mask, against, torch.ones_like(against), weighing)  # type: ignore[arg-type]

        named = {f"inner.{name}": value for name, value in network_of.items()}
        return torch.func.functional_call(Whole(), named, ())  # type: ignore[no-any-return]

    assert torch.autograd.gradcheck(loss, (network.table, network.projection))


def test_attention_sums_to_one_where_there_is_context() -> None:
    products = torch.randn(4, 5)
    mask = torch.tensor([[1, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]]).bool()
    weights = attention(products, mask)

    assert weights.sum(dim=1).tolist() == pytest.approx([1, 1, 0, 1])
    assert (weights[~mask] == 0).all()
    assert weights[1, 1] == 1


def test_a_window_wider_than_the_sentence_is_the_sentence() -> None:
    wide = band(ROWS, 100)
    assert wide[0].int().tolist() == (1 - torch.eye(4, dtype=torch.int)).tolist()
    assert wide[1, 0].tolist() == [False, True, False, False]
    assert windows(ROWS, 100).shape == (2, 4, 200)


def test_negatives_are_drawn_by_counts_and_never_from_the_context() -> None:
    counts = np.array([1000, 500, 200, 50, 10])
    draws = Draws(counts, power=0.75, subsample=0, device=torch.device("cpu"))
    drawn = draws.words(torch.rand(1_000_000, dtype=torch.float64, generator=torch.Generator().manual_seed(0)))
    expected = counts**0.75 / (counts**0.75).sum() * len(drawn)
    chi_square = ((torch.bincount(drawn, minlength=5).numpy() - expected) ** 2 / expected).sum()
    assert chi_square < 18.5  # four degrees of freedom, one in a thousand

    context = torch.tensor([[[0, -1], [1, 2]]]).repeat(200, 1, 1)
    negatives, allowed = draws.negatives(context, 3, Chance(torch.Generator().manual_seed(1), 200, 2))
    assert not (negatives[..., None] == context[..., None, :]).any(dim=-1)[allowed].any()
    assert allowed.float().mean() > 0.9


def test_processes_draw_what_one_would_have_drawn() -> None:
    one = Chance(torch.Generator().manual_seed(3), 5, 4).numbers(3, 2)
    shares = [Chance(torch.Generator().manual_seed(3), 5, 4, rank, 2).numbers(3, 2) for rank in range(2)]

    assert torch.equal(one[0::2], shares[0])
    assert torch.equal(one[1::2], shares[1])


@pytest.mark.parametrize("rule", ["sgd", "adagrad", "adam"])
def test_rows_without_gradient_stay(rule: Rule) -> None:
    network = ContextTable(words=4, encoder_dim=3, dim=2)
    before = network.table.detach().clone()
    moving = RowRule(network, rule, clip=5.0)
    for _ in range(3):
        network.table.grad = torch.zeros(4, 2)
        network.table.grad[1] = torch.tensor([1.0, -2.0])
        moving.step(0.1)

    assert torch.equal(network.table[[0, 2, 3]], before[[0, 2, 3]])
    assert network.table[1, 0] < before[1, 0]
    assert network.table[1, 1] > before[1, 1]


def test_adam_is_that_of_torch_where_all_rows_are_touched() -> None:
    ours, theirs = ContextTable(4, 3, 2, seed=5), ContextTable(4, 3, 2, seed=5)
    rule, adam = RowRule(ours, "adam"), torch.optim.Adam(theirs.parameters(), lr=0.01)
    for step in range(5):
        for network in (ours, theirs):
            generator = torch.Generator().manual_seed(step)
            network.table.grad = torch.randn(4, 2, generator=generator)
            network.projection.grad = torch.randn(2, 3, generator=generator)
        rule.step(0.01)
        adam.step()

    torch.testing.assert_close(ours.table, theirs.table)
    torch.testing.assert_close(ours.projection, theirs.projection)
