"""Losses as pure functions of outputs and targets, one row per word, in the same order.

A loss that sees only directions says so, and then the runtime gives the output a norm of its own; a loss that
compares raw vectors must see the raw output, or it can never reach zero. `coco` and `aam` see words as classes, whose
centres are the targets, and outputs as their instances (Coria and others, 2020). The five distances of Stratos (2017)
are `manhattan` (D1), `euclidean`, `squared` (D2), `maximum` (D∞) and, up to a constant, `cosine`; `mse` is
`squared` / d.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from everyword.config import NonNegative, Positive

NEARLY = 1 - 1e-4
"""The largest cosine whose angle is computed: at 1 the slope of an angle is infinite."""


@dataclass(frozen=True)
class LossOptions:
    """Settings of some losses."""

    temperature: Positive = 0.07
    uniformity_weight: float = 1.0
    uniformity_t: float = 2.0
    margin: NonNegative = 0.05
    """Of `aam`: what is added, in radians, to the angle between an output and its own target."""


@dataclass(frozen=True)
class Loss:
    """A loss function and its properties."""

    function: Callable[[Tensor, Tensor, LossOptions], Tensor]
    direction_only: bool
    """Whether it depends on the directions of vectors only."""
    more_targets: bool = False
    """Whether targets may outnumber outputs: those of further words, from which the outputs are to keep away."""

    def __call__(self, outputs: Tensor, targets: Tensor, options: LossOptions | None = None) -> Tensor:
        """Return the mean loss of a batch."""
        return self.function(outputs, targets, options or LossOptions())


def _contrastive(outputs: Tensor, targets: Tensor, options: LossOptions) -> Tensor:
    # NT-Xent over 2N rows: each row's partner is the other view of the same word, every other row a negative. Targets
    # without an output are nobody's partner. The temperature goes into the rows, and a row's product with itself is
    # filled in position: a 2N × 2N matrix is not copied twice.
    count, more = len(outputs), len(targets) - len(outputs)
    rows = F.normalize(torch.cat([targets, outputs]), dim=1) / options.temperature**0.5
    queries = torch.cat([rows[:count], rows[count + more :]]) if more else rows
    position = torch.arange(2 * count, device=rows.device)
    itself = position + more * (position >= count)
    logits = queries @ rows.T
    logits[position, itself] = float("-inf")
    return F.cross_entropy(logits, itself.roll(count))


def _contrastive_one_sided(outputs: Tensor, targets: Tensor, options: LossOptions) -> Tensor:
    # Eq. 3: the target of a word against the outputs of all words.
    logits = F.normalize(targets, dim=1) @ F.normalize(outputs, dim=1).T / options.temperature
    return F.cross_entropy(logits, torch.arange(len(outputs), device=outputs.device))


def _coco(outputs: Tensor, targets: Tensor, options: LossOptions) -> Tensor:
    return _among_centres(outputs, targets, options.temperature, 0.0)


def _aam(outputs: Tensor, targets: Tensor, options: LossOptions) -> Tensor:
    return _among_centres(outputs, targets, options.temperature, options.margin)


def _among_centres(outputs: Tensor, targets: Tensor, temperature: float, margin: float) -> Tensor:
    # The output of a word against the targets of all words; outputs do not push each other apart.
    own = torch.arange(len(outputs), device=outputs.device)
    near = F.normalize(outputs, dim=1) @ F.normalize(targets, dim=1).T
    return F.cross_entropy(with_margin(near, own, margin) / temperature, own)


def with_margin(near: Tensor, targets: Tensor, margin: float) -> Tensor:
    """Return cosines, (rows, classes), in which the angle between a row and its class is larger by a margin.

    >>> [round(value, 3) for value in with_margin(torch.tensor([[0.0, 0.0]]), torch.tensor([1]), 0.5)[0].tolist()]
    [0.0, -0.479]
    """
    if not margin:
        return near
    own = near.gather(1, targets[:, None]).clamp(-NEARLY, NEARLY)
    return near.scatter(1, targets[:, None], torch.cos(torch.acos(own) + margin))


def _align_uniform(outputs: Tensor, targets: Tensor, options: LossOptions) -> Tensor:
    # Eq. 6 and 7 on the unit sphere, the uniformity averaged over both sides.
    outputs, targets = F.normalize(outputs, dim=1), F.normalize(targets, dim=1)
    align = (outputs - targets).square().sum(dim=1).mean()
    uniform = (_uniformity(outputs, options.uniformity_t) + _uniformity(targets, options.uniformity_t)) / 2
    return align + options.uniformity_weight * uniform


def _uniformity(rows: Tensor, t: float) -> Tensor:
    return torch.pdist(rows).square().mul(-t).exp().mean().log()


def _mse(outputs: Tensor, targets: Tensor, _options: LossOptions) -> Tensor:
    return F.mse_loss(outputs, targets)


def _squared(outputs: Tensor, targets: Tensor, _options: LossOptions) -> Tensor:
    return (outputs - targets).square().sum(dim=1).mean()


def _euclidean(outputs: Tensor, targets: Tensor, _options: LossOptions) -> Tensor:
    # The root has no slope at zero; a constant far below any distance gives it one.
    return ((outputs - targets).square().sum(dim=1) + 1e-12).sqrt().mean()


def _manhattan(outputs: Tensor, targets: Tensor, _options: LossOptions) -> Tensor:
    return (outputs - targets).abs().sum(dim=1).mean()


def _maximum(outputs: Tensor, targets: Tensor, _options: LossOptions) -> Tensor:
    # amax, unlike max, shares the gradient equally among coordinates that tie.
    return (outputs - targets).abs().amax(dim=1).mean()


def _cosine(outputs: Tensor, targets: Tensor, _options: LossOptions) -> Tensor:
    return (1 - F.cosine_similarity(outputs, targets, dim=1)).mean()


contrastive = Loss(_contrastive, direction_only=True, more_targets=True)
contrastive_one_sided = Loss(_contrastive_one_sided, direction_only=True)
coco = Loss(_coco, direction_only=True, more_targets=True)
aam = Loss(_aam, direction_only=True, more_targets=True)
align_uniform = Loss(_align_uniform, direction_only=True)
mse = Loss(_mse, direction_only=False)
squared = Loss(_squared, direction_only=False)
euclidean = Loss(_euclidean, direction_only=False)
manhattan = Loss(_manhattan, direction_only=False)
maximum = Loss(_maximum, direction_only=False)
cosine = Loss(_cosine, direction_only=True)
