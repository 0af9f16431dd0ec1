"""Training against the worst small change of the input vectors, for any network that reads vectors.

Pereira, Liu, Cheng, Asahara and Kobayashi, "Adversarial Training for Commonsense Inference" (RepL4NLP 2020): the loss
at the change that hurts the label most, and how far the prediction moves at the change that moves it most.

    label       CE(f(x + d1), y)             d1: up the gradient of this loss, at most eps in each coordinate
    prediction  D(f(x + d2), f(x))           d2: the same for this divergence, from a random start
    loss        clean · CE(f(x), y) + label + alpha · prediction

With `label` alone this is adversarial training, with the clean loss and `prediction` virtual adversarial training.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword import config as configs
from everyword.config import Count, NonNegative, Positive
from everyword.learning.hooks import Hook

Batch = Any
OfBatch = Callable[[Batch], Tensor]


@dataclass(frozen=True)
class AdversarialConfig:
    """Which changes of the input a network learns to bear."""

    eps: NonNegative = 0.05
    """The largest change of a coordinate, as a share of the size of the input's coordinates (root mean square)."""
    step: Positive = 1.0
    """How far one step up the gradient goes, as a share of eps."""
    steps: Count = 1
    noise: Positive = 1e-3
    """The size of the random start, as a share of the size of the coordinates."""
    label: bool = True
    """Whether the loss at the worst change for the label counts."""
    prediction: bool = True
    """Whether the movement of the prediction at the worst change for it counts."""
    alpha: NonNegative = 1.0
    """The weight of that movement."""
    clean: NonNegative = 0.0
    """The weight of the loss without a change; the published objective has none."""

    def problems(self) -> list[str]:
        wrong = not (self.label or self.clean)
        return ["one of label and clean is needed, or no label is learnt"] if wrong else []


class AdversarialTraining(Hook):
    """Replaces the loss of a step by the loss under the worst changes of what a layer gives.

    Args:
        layer: Its output is what is changed: the layer that looks vectors up. Rows of zeros, such as padding, stay.
        loss: Returns the loss of a batch; it runs the network, and so the layer.
        scores: Returns the scores of labels, (..., labels), for the same batch; rows of padding may be anything.
        settings: Sizes and weights.
        inside: Returns which rows of the scores count, for a batch of sequences; by default all.
    """

    def __init__(
        self,
        layer: nn.Module,
        loss: OfBatch,
        scores: OfBatch,
        settings: AdversarialConfig | None = None,
        inside: OfBatch | None = None,
    ) -> None:
        self.layer, self.loss, self.scores = layer, loss, scores
        self.settings, self.inside = settings or AdversarialConfig(), inside
        configs.check(self.settings)

    def before_backward(self, loss: Tensor, batch: Batch) -> Tensor:
        """Return the loss to learn from."""
        settings = self.settings
        total = settings.clean * loss
        if settings.label:
            with changed(self.layer, worst_change(self.layer, lambda: self.loss(batch), settings)):
                total = total + self.loss(batch)
        if settings.prediction and settings.alpha:
            total = total + settings.alpha * self.movement(batch)
        return total

    def movement(self, batch: Batch) -> Tensor:
        """Return how far the prediction moves at the worst change for it."""
        inside = self.inside(batch) if self.inside is not None else None
        with torch.no_grad():
            before = self.scores(batch)

        def divergence() -> Tensor:
            return symmetric_divergence(self.scores(batch), before, inside)

        with changed(self.layer, worst_change(self.layer, divergence, self.settings)):
            return divergence()


def symmetric_divergence(one: Tensor, other: Tensor, inside: Tensor | None = None) -> Tensor:
    """Return the mean of KL(p‖q) + KL(q‖p) over rows of scores, (..., labels)."""
    logs, others = F.log_softmax(one, dim=-1), F.log_softmax(other, dim=-1)
    rows = ((logs.exp() - others.exp()) * (logs - others)).sum(dim=-1)
    return rows.mean() if inside is None else rows[inside].mean()


@contextmanager
def changed(layer: nn.Module, change: Tensor | Callable[[Tensor], Tensor]) -> Iterator[None]:
    """Add something to the output of a layer, as long as the context lasts."""

    def add(_layer: nn.Module, _inputs: Any, output: Tensor) -> Tensor:
        return output + (change(output) if callable(change) else change)

    handle = layer.register_forward_hook(add)
    try:
        yield
    finally:
        handle.remove()


def worst_change(layer: nn.Module, loss: Callable[[], Tensor], settings: AdversarialConfig) -> Tensor:
    """Return the change of a layer's output, within eps, that steps up the gradient of a loss lead to.

    Args:
        layer: Its output is changed; rows of zeros stay zero.
        loss: Runs the network on a batch, and so the layer.
        settings: The largest change, its random start and the steps.
    """
    found: dict[str, Tensor] = {}

    def start(output: Tensor) -> Tensor:
        plain = output.detach()
        there = (plain != 0).any(dim=-1, keepdim=True)
        found["there"] = there.to(plain.dtype)
        found["size"] = (plain.square().sum() / (there.sum() * plain.shape[-1]).clamp(min=1)).sqrt()
        found["change"] = (settings.noise * found["size"] * torch.randn_like(plain) * found["there"]).requires_grad_()
        return found["change"]

    with changed(layer, start):
        gradient = _gradient(loss(), lambda: found["change"])
    limit = settings.eps * found["size"]
    change = _ascended(found["change"], gradient, settings.step * limit, limit) * found["there"]
    for _ in range(settings.steps - 1):
        change = change.requires_grad_()
        with changed(layer, change):
            gradient = _gradient(loss(), lambda now=change: now)  # type: ignore[misc]
        change = _ascended(change, gradient, settings.step * limit, limit) * found["there"]
    return change


def _gradient(loss: Tensor, change: Callable[[], Tensor]) -> Tensor:
    return torch.autograd.grad(loss, change())[0]


def _ascended(change: Tensor, gradient: Tensor, step: Tensor, limit: Tensor) -> Tensor:
    """Go up the gradient, scaled so that the largest coordinate of an example moves by a step, and stay within eps."""
    largest = gradient.abs().flatten(1).amax(dim=1).clamp(min=1e-30)
    scaled = gradient / largest.view(-1, *[1] * (gradient.ndim - 1))
    moved: Tensor = (change.detach() + step * scaled).clamp(min=-limit, max=limit)
    return moved


@torch.no_grad()
def accuracy_under_attack(
    layer: nn.Module, batches: list[tuple[Batch, Tensor]], loss: OfBatch, scores: OfBatch, settings: AdversarialConfig
) -> float:
    """Return the share of labels that survive the worst change within eps.

    Args:
        layer: Its output is changed.
        batches: Batches with their labels, (examples,).
        loss: The loss of a batch.
        scores: The scores of labels for a batch, (examples, labels).
        settings: The size of the change.
    """
    right = total = 0
    for batch, labels in batches:
        with torch.enable_grad():
            change = worst_change(layer, lambda now=batch: loss(now), settings)  # type: ignore[misc]
        with changed(layer, change):
            right += int((scores(batch).argmax(dim=-1) == labels).sum())
        total += len(labels)
    return right / total if total else 0.0
