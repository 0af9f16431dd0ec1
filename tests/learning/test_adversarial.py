"""Acceptance tests of training against the worst change of input vectors (Pereira and others 2020)."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.errors import ConfigError
from everyword.learning.adversarial import (
    AdversarialConfig,
    AdversarialTraining,
    accuracy_under_attack,
    changed,
    symmetric_divergence,
    worst_change,
)
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser

Example = tuple[Tensor, Tensor]


class MeanClassifier(nn.Module):
    """A linear softmax on the mean of vectors; row 0 is padding."""

    def __init__(self) -> None:
        super().__init__()
        self.look_up = nn.Embedding(9, 4, padding_idx=0)
        self.output = nn.Linear(4, 3)

    def forward(self, rows: Tensor) -> Tensor:
        scores: Tensor = self.output(self.look_up(rows).sum(dim=1) / (rows > 0).sum(dim=1, keepdim=True))
        return scores

    def loss(self, batch: Example) -> Tensor:
        return F.cross_entropy(self(batch[0]), batch[1])

    def scores(self, batch: Example) -> Tensor:
        return self(batch[0])  # type: ignore[no-any-return]


@pytest.fixture
def network() -> MeanClassifier:
    torch.manual_seed(0)
    return MeanClassifier()


BATCH: Example = (torch.tensor([[1, 2, 3], [4, 5, 0], [6, 7, 8]]), torch.tensor([0, 1, 2]))


def size(network: MeanClassifier) -> float:
    vectors = network.look_up(BATCH[0]).detach()
    return float((vectors.square().sum() / ((BATCH[0] > 0).sum() * 4)).sqrt())


def hook(network: MeanClassifier, **settings: object) -> AdversarialTraining:
    return AdversarialTraining(network.look_up, network.loss, network.scores, AdversarialConfig(**settings))  # type: ignore[arg-type]


def test_without_a_radius_it_is_the_clean_loss(network: MeanClassifier) -> None:
    clean = network.loss(BATCH)

    torch.testing.assert_close(hook(network, eps=0.0).before_backward(clean, BATCH), clean)


def test_the_change_stays_within_the_radius_and_padding_is_not_changed(network: MeanClassifier) -> None:
    settings = AdversarialConfig(eps=0.1, step=3.0, steps=4)

    change = worst_change(network.look_up, lambda: network.loss(BATCH), settings)

    assert float(change.abs().max()) <= 0.1 * size(network) * (1 + 1e-5)
    assert not change[1, 2].any()
    assert change[0].any(dim=1).all()


def test_a_large_step_is_the_sign_of_the_gradient(network: MeanClassifier) -> None:
    change = worst_change(
        network.look_up, lambda: network.loss(BATCH), AdversarialConfig(eps=0.1, step=1e6, noise=1e-9)
    )

    vectors = network.look_up(BATCH[0]).detach().requires_grad_()
    means = vectors.sum(dim=1) / (BATCH[0] > 0).sum(dim=1, keepdim=True)
    gradient = torch.autograd.grad(F.cross_entropy(network.output(means), BATCH[1]), vectors)[0]
    expected = 0.1 * size(network) * gradient.sign() * (BATCH[0] > 0)[:, :, None]
    torch.testing.assert_close(change, expected)


def test_the_changed_loss_is_higher_than_the_clean_one(network: MeanClassifier) -> None:
    generator, settings, higher = torch.Generator().manual_seed(1), AdversarialConfig(eps=0.05), []
    for _ in range(50):
        batch = (torch.randint(1, 9, (4, 5), generator=generator), torch.randint(3, (4,), generator=generator))
        change = worst_change(network.look_up, lambda now=batch: network.loss(now), settings)  # type: ignore[misc]
        with changed(network.look_up, change):
            higher.append(network.loss(batch).item())
        higher[-1] -= network.loss(batch).item()

    assert min(higher) > 0


def test_which_terms_count(network: MeanClassifier) -> None:
    clean = network.loss(BATCH)

    torch.manual_seed(1)
    label = hook(network, prediction=False).before_backward(clean, BATCH)
    torch.manual_seed(1)
    no_alpha = hook(network, alpha=0.0).before_backward(clean, BATCH)
    smooth = hook(network, label=False, clean=1.0).before_backward(clean, BATCH)

    torch.testing.assert_close(label, no_alpha)
    assert label.item() > clean.item()
    assert smooth.item() > clean.item()
    with pytest.raises(ConfigError, match="one of label and clean is needed"):
        hook(network, label=False)


def test_the_gradient_of_the_movement_is_that_of_a_numerical_estimate() -> None:
    weights = torch.tensor([[0.4, -0.3], [0.1, 0.8]], dtype=torch.float64, requires_grad=True)
    moved = torch.tensor([[0.7, 0.2]], dtype=torch.float64)
    before = torch.tensor([[0.3, -0.1]], dtype=torch.float64)

    def divergence(layer: Tensor) -> Tensor:
        return symmetric_divergence(moved @ layer, before)

    assert torch.autograd.gradcheck(divergence, (weights,))
    assert float(symmetric_divergence(before, before)) == 0
    inside = torch.tensor([[True, False]])
    rows = torch.tensor([[[1.0, 0.0], [0.0, 9.0]]])
    torch.testing.assert_close(
        symmetric_divergence(rows, rows.flip(-1), inside), symmetric_divergence(rows[:, :1], rows.flip(-1)[:, :1])
    )


def test_training_with_it_makes_a_network_bear_more() -> None:
    generator = torch.Generator().manual_seed(0)
    rows = torch.randint(1, 9, (60, 4), generator=generator)
    batch, attack = (rows, rows[:, 0] % 3), AdversarialConfig(eps=0.6)
    survived = []
    for trained_with in (False, True):
        torch.manual_seed(0)
        network = MeanClassifier()
        network.look_up.weight.requires_grad_(False)
        hooks = [hook(network, eps=0.6)] if trained_with else []
        TrainingLoop(
            network,
            TorchOptimiser(torch.optim.Adam(network.output.parameters(), lr=0.05)),
            epochs=40,
            batches=lambda _epoch, _first: [batch],
            loss=network.loss,
            seed=0,
            hooks=hooks,
        ).run()
        survived.append(
            accuracy_under_attack(network.look_up, [(batch, batch[1])], network.loss, network.scores, attack)
        )

    assert survived[1] > survived[0]


def test_dropout_is_the_same_in_all_passes_of_a_step() -> None:
    torch.manual_seed(0)
    network = MeanClassifier()
    network.output = nn.Sequential(nn.Dropout(0.5), nn.Linear(4, 3))  # type: ignore[assignment]
    still = hook(network, eps=0.0, noise=1e-9, label=False, clean=1.0)
    before = torch.get_rng_state()

    moved = still.movement(BATCH, seed=7)

    assert float(moved.detach()) == pytest.approx(0, abs=1e-9)
    assert not torch.equal(torch.get_rng_state(), before)  # one number is drawn for the random start, and no more


def test_only_named_vectors_are_changed(network: MeanClassifier) -> None:
    words = torch.tensor([[True, True, False], [True, False, False], [False, True, True]])

    change = worst_change(network.look_up, lambda: network.loss(BATCH), AdversarialConfig(eps=0.1), words)

    assert torch.equal(change.any(dim=-1), words)


def test_the_movement_may_be_learnt_from_the_clean_prediction_too(network: MeanClassifier) -> None:
    gradients = []
    for through in (False, True):
        moved = hook(network, eps=0.5, through_clean=through).movement(BATCH)
        gradients.append(torch.autograd.grad(moved, network.output.weight)[0])

    assert not torch.allclose(*gradients, rtol=1e-3)
