"""Training against the worst small change of the input vectors, for any network that reads vectors.

Pereira, Liu, Cheng, Asahara and Kobayashi, "Adversarial Training for Commonsense Inference" (RepL4NLP 2020): the loss
at the change that hurts the label most, and how far the prediction moves at the change that moves it most.

    label       CE(f(x + d1), y)             d1: up the gradient of this loss, at most eps in each coordinate
    prediction  D(f(x + d2), f(x))           d2: the same for this divergence, from a random start
    loss        clean · CE(f(x), y) + label + alpha · prediction

With `label` alone this is adversarial training, with the clean loss and `prediction` virtual adversarial training.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
    through_clean: bool = False
    """Whether the movement is also learnt from the prediction without a change, which is otherwise a fixed target."""

    def problems(self) -> list[str]:
        wrong = not (self.label or self.clean)
        return ["one of label and clean is needed, or no label is learnt"] if wrong else []


class AdversarialTraining(Hook):
    """Replaces the loss of a step by the loss under the worst changes of what a layer gives.

    Dropout leaves out the same units in all passes of a step, so that what moves is moved by the change alone.

    Args:
        layer: Its output is what is changed: the layer that looks vectors up.
        loss: Returns the loss of a batch; it runs the network, and so the layer.
        scores: Returns the scores of labels, (..., labels), for the same batch; rows of padding may be anything.
        settings: Sizes and weights.
        inside: Returns which rows of the scores count, for a batch of sequences; by default all.
        words: Returns which vectors of the layer may be changed, for a batch; by default all but vectors of zeros.
    """

    def __init__(
        self,
        layer: nn.Module,
        loss: OfBatch,
        scores: OfBatch,
        settings: AdversarialConfig | None = None,
        inside: OfBatch | None = None,
        *,
        words: OfBatch | None = None,
    ) -> None:
        self.layer, self.loss, self.scores = layer, loss, scores
        self.settings, self.inside, self.words = settings or AdversarialConfig(), inside, words
        configs.check(self.settings)

    def before_backward(self, loss: Tensor, batch: Batch) -> Tensor:
        """Return the loss to learn from."""
        settings = self.settings
        words, seed = self.words(batch) if self.words is not None else None, _drawn_seed()
        total = settings.clean * loss if settings.clean else torch.zeros_like(loss)
        if settings.label:
            total = total + self._at_worst(_repeated(lambda: self.loss(batch), seed), words)
        if settings.prediction and settings.alpha:
            total = total + settings.alpha * self.movement(batch, words, seed)
        return total

    def movement(self, batch: Batch, words: Tensor | None = None, seed: int = 0) -> Tensor:
        """Return how far the prediction moves at the worst change for it."""
        inside = self.inside(batch) if self.inside is not None else None
        scores = _repeated(lambda: self.scores(batch), seed)
        with torch.set_grad_enabled(self.settings.through_clean):
            before = scores()
        fixed = before.detach()
        change = worst_change(self.layer, lambda: symmetric_divergence(scores(), fixed, inside), self.settings, words)
        with changed(self.layer, change):
            return symmetric_divergence(scores(), before, inside)

    def _at_worst(self, loss: Callable[[], Tensor], words: Tensor | None) -> Tensor:
        with changed(self.layer, worst_change(self.layer, loss, self.settings, words)):
            return loss()


def _drawn_seed() -> int:
    return int(torch.randint(1 << 31, ()))


def _repeated(run: Callable[[], Tensor], seed: int) -> Callable[[], Tensor]:
    """Return a function that always draws the same random numbers, and leaves those of others as they were."""

    def again() -> Tensor:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return run()

    return again


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


def worst_change(
    layer: nn.Module, loss: Callable[[], Tensor], settings: AdversarialConfig, words: Tensor | None = None
) -> Tensor:
    """Return the change of a layer's output, within eps, that steps up the gradient of a loss lead to.

    Args:
        layer: Its output is changed.
        loss: Runs the network on a batch, and so the layer.
        settings: The largest change, its random start and the steps.
        words: Which vectors of the output may be changed, such as (texts, words); by default all but vectors of zeros.
    """
    found: dict[str, Tensor] = {}
    seed = _drawn_seed()

    def start(output: Tensor) -> Tensor:
        plain = output.detach()
        there = ((plain != 0).any(dim=-1) if words is None else words.to(plain.device))[..., None]
        found["there"] = there.to(plain.dtype)
        squares = (plain * found["there"]).square().sum()
        found["size"] = (squares / (there.sum() * plain.shape[-1]).clamp(min=1)).sqrt()
        # Of its own generator: a random number drawn here must not change what dropout leaves out.
        own = torch.Generator(plain.device).manual_seed(seed)
        noise = torch.randn(plain.shape, generator=own, device=plain.device, dtype=plain.dtype)
        found["change"] = (settings.noise * found["size"] * noise * found["there"]).requires_grad_()
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


def accuracy_under_attack(
    layer: nn.Module,
    batches: Iterable[tuple[Batch, Tensor]],
    loss: OfBatch,
    scores: OfBatch,
    settings: AdversarialConfig,
    *,
    words: OfBatch | None = None,
) -> float:
    """Return the share of labels that are right under the worst change within eps.

    Args:
        layer: Its output is changed.
        batches: Batches with their labels, (examples,).
        loss: The loss of a batch.
        scores: The scores of labels for a batch, (examples, labels).
        settings: The size of the change, and how many steps look for it.
        words: Which vectors of the layer may be changed, for a batch; by default all but vectors of zeros.
    """
    right = total = 0
    for batch, labels in batches:
        there = words(batch) if words is not None else None
        # LSTMs of cuDNN have no gradient while a network is not in training.
        with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):
            change = worst_change(layer, lambda now=batch: loss(now), settings, there)  # type: ignore[misc]
        with torch.no_grad(), changed(layer, change):
            right += int((scores(batch).argmax(dim=-1) == labels).sum())
        total += len(labels)
    return right / total if total else 0.0
