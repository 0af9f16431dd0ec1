"""Acceptance tests of objectives that keep states true to their words (Tutek and Šnajder 2020)."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import torch
from torch import Tensor, nn

from everyword.learning.word_objectives import MaskedWords, Tying, WordObjective, inside, tying_loss

ROWS = torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0]])
LENGTHS = torch.tensor([4, 2])


class Passed(NamedTuple):
    states: Tensor
    inputs: Tensor


class Network(nn.Module):
    """States are a linear map of the vectors of words and of the mean of their text."""

    def __init__(self, width: int = 6) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.read = nn.Embedding(9, 6, padding_idx=0)
        self.read.requires_grad_(False)
        self.layer = nn.Linear(12, width)

    def forward(self, rows: Tensor, lengths: Tensor, inputs: Tensor | None = None) -> Passed:
        given = self.read(rows) if inputs is None else inputs
        return Passed(self.layer(torch.cat([given, given.mean(dim=1, keepdim=True).expand_as(given)], dim=-1)), given)


def learnt(
    objective: WordObjective, network: Network, steps: int, rows: Tensor = ROWS, lengths: Tensor = LENGTHS
) -> list[float]:
    losses, optimiser = [], torch.optim.Adam([*network.layer.parameters(), *objective.parameters()], lr=0.05)
    for _ in range(steps):
        loss = objective(network, rows, lengths, network(rows, lengths))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    return losses


def test_tying_is_zero_only_where_states_are_the_vectors() -> None:
    inputs = torch.randn(2, 4, 6, generator=torch.Generator().manual_seed(0))
    words = inside(ROWS, LENGTHS)
    other = inputs.clone()
    other[1, 1, 2] += 0.5

    assert float(tying_loss(inputs, inputs, words)) == 0
    size = float(inputs[words].square().sum())
    assert float(tying_loss(other, inputs, words)) == pytest.approx(0.25 / size)
    torch.testing.assert_close(tying_loss(9 * other, 9 * inputs, words), tying_loss(other, inputs, words))
    other[1, 1], other[1, 3] = inputs[1, 1], 9.0  # padding does not count
    assert float(tying_loss(other, inputs, words)) == 0


@pytest.mark.parametrize("width", [6, 4])
def test_states_move_to_their_words(width: int) -> None:
    network = Network(width)
    losses = learnt(Tying(6, width), network, 150)

    assert losses[-1] < 0.2 * losses[0]


@pytest.mark.parametrize("everything", [True, False])
def test_states_learn_to_name_their_words(everything: bool) -> None:
    network, vocabulary = Network(), torch.arange(1, 9) if everything else None
    same = torch.arange(1, 9)[:, None].repeat(1, 6)  # a hidden word is the word of its neighbours
    losses = learnt(MaskedWords(6, 6, vocabulary), network, 100, same, torch.full((8,), 6))

    assert sum(losses[-20:]) < 0.5 * sum(losses[:20])
    assert not network.read.weight.requires_grad


def test_words_are_hidden_in_the_usual_shares() -> None:
    torch.manual_seed(0)
    objective = MaskedWords(1, 1)
    with torch.no_grad():
        objective.mark.fill_(-1.0)
    vectors = torch.tensor([[7.0], [8.0]])
    inputs, chosen = torch.ones(100, 200, 1), torch.rand(100, 200) < 0.5

    shown = objective.hidden(inputs, chosen, vectors)

    assert torch.equal(shown[~chosen], inputs[~chosen])
    hidden = shown[chosen]
    assert float((hidden == -1).float().mean()) == pytest.approx(0.8, abs=0.02)
    assert float((hidden >= 7).float().mean()) == pytest.approx(0.1, abs=0.02)
    assert float((hidden == 1).float().mean()) == pytest.approx(0.1, abs=0.02)


def test_a_batch_without_a_hidden_word_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.learning.word_objectives.HIDDEN", 0.0)
    network = Network()

    loss = MaskedWords(6, 6)(network, ROWS, LENGTHS, network(ROWS, LENGTHS))

    assert float(loss.detach()) == 0
