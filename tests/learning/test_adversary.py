"""Gradient reversal and the adversary as a hook of the training loop."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from everyword.errors import ConfigError, InputError
from everyword.learning.adversary import (
    Adversary,
    AdversaryConfig,
    Discriminator,
    probe_accuracy,
    reverse_gradient,
    strength_at,
)
from everyword.learning.loop import RunContext, TrainingLoop, weights_of
from everyword.learning.optimisers import TorchOptimiser

DIM = 4


def clouds(count: int = 200) -> tuple[Tensor, Tensor]:
    """Two Gaussian clouds whose means differ in the first two coordinates; 92 % of the points can be told apart."""
    classes = np.arange(count) % 2
    points = np.random.default_rng(0).normal(size=(count, DIM))
    points[:, :2] += 2 * classes[:, None] - 1
    return torch.from_numpy(points.astype(np.float32)), torch.from_numpy(classes)


def accuracy(features: Tensor, classes: Tensor) -> float:
    return probe_accuracy(features.detach(), classes, hidden=16, steps=60)


class Mapped(nn.Module):
    """A free linear map of the points, behind dropout, and a task on top: to tell the sign of the last coordinate."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.drop = nn.Dropout(0.2)
        self.map = nn.Linear(DIM, DIM, bias=False)
        self.output = nn.Linear(DIM, 1)
        with torch.no_grad():
            self.map.weight.copy_(torch.eye(DIM))

    def forward(self, points: Tensor) -> Tensor:
        return self.output(self.drop(self.map(points)))[:, 0]


def cloud_loop(
    config: AdversaryConfig | None, *, epochs: int = 2, seed: int | None = None, run: RunContext | None = None
) -> tuple[Mapped, TrainingLoop]:
    points, classes = clouds()
    targets = (points[:, -1] > 0).float()
    network = Mapped()
    optimiser = TorchOptimiser(torch.optim.Adam(network.parameters(), lr=0.01))

    def examples(step: int) -> tuple[Tensor, Tensor]:
        rows = torch.from_numpy(np.random.default_rng([5, step]).integers(len(points), size=50))
        return points[rows], classes[rows]

    hooks = []
    if config is not None:
        encode: Any = lambda batch: network.map(network.drop(batch))  # noqa: E731
        hooks = [Adversary(config, examples=examples, encode=encode, optimiser=optimiser, dim=DIM, classes=2)]
    torch.manual_seed(2)
    loop = TrainingLoop(
        network,
        optimiser,
        epochs=epochs,
        batches=lambda epoch, first: np.array_split(np.random.default_rng(epoch).permutation(200), 20)[first:],
        loss=lambda rows: nn.functional.binary_cross_entropy_with_logits(network(points[rows]), targets[rows]),
        seed=seed,
        hooks=hooks,
        run=run,
        fingerprint="clouds",
    )
    return network, loop


def equal(one: nn.Module, other: nn.Module) -> bool:
    first, second = weights_of(one), weights_of(other)
    return all(torch.equal(first[name], second[name]) for name in first)


def test_reversal_leaves_values_and_turns_gradients_round_as_finite_differences_show() -> None:
    strength, step = 0.3, 1e-3
    torch.manual_seed(0)
    points = torch.randn(4, DIM, dtype=torch.float64, requires_grad=True)
    network = Discriminator(DIM, 3).double()
    targets = torch.tensor([0, 1, 2, 1])

    def loss(values: Tensor) -> Tensor:
        return nn.functional.cross_entropy(network(values), targets)

    assert torch.equal(reverse_gradient(points, strength), points)
    loss(reverse_gradient(points, strength)).backward()
    assert points.grad is not None
    for row, column in ((0, 0), (1, 3), (3, 2)):
        moved = torch.zeros_like(points)
        moved[row, column] = step
        with torch.no_grad():
            slope = (loss(points + moved) - loss(points - moved)) / (2 * step)
        assert float(points.grad[row, column]) == pytest.approx(-strength * float(slope), abs=1e-8)


def test_the_discriminator_alone_separates_two_clouds_and_reversal_makes_them_inseparable() -> None:
    points, classes = clouds()
    for strength in (0.0, 1.0):
        free = nn.Linear(DIM, DIM, bias=False)
        with torch.no_grad():
            free.weight.copy_(torch.eye(DIM))
        adversary = Adversary(
            AdversaryConfig(strength=strength, every=1, learning_rate=0.05, decay=5.0, hidden=16),
            examples=lambda _: (points, classes),
            encode=free,
            optimiser=TorchOptimiser(torch.optim.SGD(free.parameters(), lr=0.3)),
            dim=DIM,
            classes=2,
        )
        for _ in range(150):
            adversary.after_step()
        right = (adversary.discriminator(free(points)).argmax(dim=1) == classes).float().mean()
        if strength:
            assert accuracy(free(points), classes) < 0.65
            assert free.weight.detach().norm() > 1  # not by making everything small
        else:
            assert right > 0.85
            assert accuracy(free(points), classes) > 0.8


def test_strength_zero_reproduces_plain_training_to_the_bit() -> None:
    plain, loop = cloud_loop(None)
    loop.run()
    watched, other = cloud_loop(AdversaryConfig(strength=0.0, every=3, lead=2))
    other.run()
    assert equal(plain, watched)
    assert [report["loss"] for report in other.history] == [report["loss"] for report in loop.history]


def test_the_adversary_acts_on_every_kth_step_only() -> None:
    plain, loop = cloud_loop(None, epochs=1, seed=4)
    watched, other = cloud_loop(AdversaryConfig(strength=1.0, every=7), epochs=1, seed=4)
    same = []
    for _ in zip(loop.steps(), other.steps(), strict=True):
        same.append(equal(plain, watched))
    assert same == [True] * 6 + [False] * 14


def test_a_stopped_training_resumes_to_the_bit(tmp_path: Path) -> None:
    config = AdversaryConfig(strength=0.5, every=3, ramp=40)
    whole, loop = cloud_loop(config, seed=4, run=RunContext(tmp_path / "whole"))
    loop.run()
    _, stopped = cloud_loop(config, seed=4, run=RunContext(tmp_path / "stopped"))
    for _ in islice(stopped.steps(), 25):
        pass
    stopped.save()
    resumed, again = cloud_loop(config, seed=4, run=RunContext(tmp_path / "stopped", resume=True))
    again.run()
    assert equal(whole, resumed)
    assert again.history[-1]["adversary_accuracy"] == loop.history[-1]["adversary_accuracy"]
    assert equal(loop.hooks[0].discriminator, again.hooks[0].discriminator)  # type: ignore[attr-defined]


def test_frequent_and_rare_words_are_classes_too() -> None:
    points, classes = clouds()  # frequent words on one side, rare ones on the other
    change = nn.Linear(DIM, DIM)
    with torch.no_grad():
        change.weight.copy_(torch.eye(DIM))
        change.bias.zero_()
    optimiser = TorchOptimiser(torch.optim.SGD(change.parameters(), lr=0.3))
    adversary = Adversary(
        AdversaryConfig(strength=1.0, every=1, learning_rate=0.05, decay=5.0, hidden=16),
        examples=lambda _: (points, classes),
        encode=change,
        optimiser=optimiser,
        dim=DIM,
        classes=2,
    )
    loop = TrainingLoop(
        change,
        optimiser,
        epochs=1,
        batches=lambda _epoch, _first: [0] * 150,
        # What has nothing to do with frequency stays as it is.
        loss=lambda _: (change(points)[:, 2:] - points[:, 2:]).square().mean(),
        hooks=[adversary],
    )
    loop.run()
    assert accuracy(change(points), classes) < 0.65
    assert nn.functional.cosine_similarity(change(points)[:, 2:], points[:, 2:]).mean() > 0.9


def test_a_ramp_rises_from_nothing_to_the_full_strength() -> None:
    config = AdversaryConfig(strength=2.0, ramp=50)
    strengths = [strength_at(config, step) for step in range(60)]
    assert strengths[0] == 0
    assert strengths == sorted(strengths)
    assert strengths[50:] == pytest.approx([2.0] * 10)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match=r"two classes or more apart\. Got 1 instead"):
        Adversary(
            AdversaryConfig(),
            examples=lambda _: (0, torch.zeros(1)),
            encode=lambda _: torch.zeros(1, 1),
            optimiser=TorchOptimiser(),
            dim=1,
            classes=1,
        )
    with pytest.raises(ConfigError, match="strength must be 0 or more"):
        cloud_loop(AdversaryConfig(strength=-1.0))
