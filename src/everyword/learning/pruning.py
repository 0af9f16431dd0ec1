"""Magnitude pruning of networks: the smallest weights become zero, while training or afterwards.

Gordon, Duh and Andrews, "Compressing BERT: Studying the Effects of Weight Pruning on Transfer Learning" (RepL4NLP
2020). Each matrix is pruned by itself; biases and other vectors are left as they are. Tables of word vectors are pruned
in `everyword.space.compression`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from everyword import config as configs
from everyword.config import Count, Natural, Share
from everyword.learning.hooks import Hook

By = Literal["magnitude", "random"]


@dataclass(frozen=True)
class PruningConfig:
    """How much of a network goes, and when."""

    sparsity: Share = 0.5
    """The share of each matrix that is zero in the end."""
    begin: Natural = 0
    """The step with which pruning begins."""
    end: Count = 1000
    """The step at which the sparsity is reached; training goes on with what is left."""
    every: Count = 50
    """Steps between two choices of the weights that stay."""
    frees: bool = False
    """Whether pruned weights may move again after `end`: what they knew is lost, but not their capacity."""

    def problems(self) -> list[str]:
        wrong = self.end <= self.begin
        return [f"end must be after begin, {self.begin}. Got {self.end} instead"] if wrong else []


def cubic_sparsity(step: int, config: PruningConfig) -> float:
    """Return the sparsity at a step: it rises from 0, quickly at first, to the final one.

    >>> [round(cubic_sparsity(step, PruningConfig(0.8, 0, 100)), 3) for step in (0, 50, 100, 200)]
    [0.0, 0.7, 0.8, 0.8]
    """
    done = min(max((step - config.begin) / (config.end - config.begin), 0.0), 1.0)
    return config.sparsity * (1 - (1 - done) ** 3)


def prunable(network: nn.Module, keep: Callable[[str], bool] | None = None) -> dict[str, nn.Parameter]:
    """Return the matrices of a network by name, without those that are kept and those that are not trained."""
    return {
        name: weight
        for name, weight in network.named_parameters()
        if weight.ndim > 1 and weight.requires_grad and not (keep is not None and keep(name))
    }


@torch.no_grad()
def kept_weights(weight: Tensor, sparsity: float) -> Tensor:
    """Return which weights stay: all but the smallest share, rounded to a whole number; of equal ones the first go.

    >>> kept_weights(torch.tensor([[3.0, -1.0], [0.5, 2.0]]), 0.5).tolist()
    [[True, False], [False, True]]
    """
    gone = round(sparsity * weight.numel())
    mask = torch.ones(weight.numel(), dtype=torch.bool, device=weight.device)
    mask[weight.abs().flatten().argsort(stable=True)[:gone]] = False
    return mask.view(weight.shape)


@torch.no_grad()
def prune_network(
    network: nn.Module, sparsity: float, keep: Callable[[str], bool] | None = None, *, by: By = "magnitude"
) -> dict[str, Tensor]:
    """Set the smallest weights of each matrix of a network to zero, and return which ones stayed.

    Args:
        network: It is changed in place.
        sparsity: The share of each matrix that becomes zero.
        keep: Whether a matrix, by its name, is left as it is.
        by: What goes first: the smallest weights, or random ones, which is what the smallest have to beat.
    """
    configs.check(PruningConfig(sparsity))
    masks = {
        name: kept_weights(weight if by == "magnitude" else torch.rand_like(weight), sparsity)
        for name, weight in prunable(network, keep).items()
    }
    apply_masks(network, masks)
    return masks


@torch.no_grad()
def apply_masks(network: nn.Module, masks: Mapping[str, Tensor]) -> None:
    """Set the weights of a network that do not stay to zero."""
    weights = dict(network.named_parameters())
    for name, mask in masks.items():
        weights[name].mul_(mask)


def sparsity_of(network: nn.Module) -> float:
    """Return the share of zeros among the weights of all matrices of a network."""
    matrices = [weight for weight in network.parameters() if weight.ndim > 1]
    total = sum(weight.numel() for weight in matrices)
    return sum(int((weight == 0).sum()) for weight in matrices) / total if total else 0.0


class FixedMasks(Hook):
    """Keeps the weights of a network that was pruned before its training at zero.

    Args:
        network: The network that is trained.
        masks: The weights that stay, as `prune_network` returns them.
    """

    def __init__(self, network: nn.Module, masks: Mapping[str, Tensor]) -> None:
        self.network, self.masks = network, masks

    def after_step(self) -> None:
        """Set the others to zero again."""
        apply_masks(self.network, self.masks)


class MagnitudePruning(Hook):
    """Prunes a network while it is trained, ever more, until the final share of its weights is zero.

    The weights that stay are chosen anew by the magnitudes that they have now, until `end`.

    Args:
        network: The network that is trained.
        settings: How much, and when.
        keep: Whether a matrix, by its name, is left as it is.
    """

    def __init__(
        self, network: nn.Module, settings: PruningConfig | None = None, keep: Callable[[str], bool] | None = None
    ) -> None:
        self.network, self.settings, self.keep = network, settings or PruningConfig(), keep
        configs.check(self.settings)
        self.step, self.masks = 0, dict[str, Tensor]()

    @property
    def done(self) -> bool:
        """Whether the final share is reached: weights of an earlier step are not those of a pruned network."""
        return self.step >= self.settings.end

    def after_step(self) -> None:
        """Choose the weights that stay, if it is time, and set the others to zero."""
        self.step += 1
        settings = self.settings
        rising = settings.begin < self.step <= settings.end
        if rising and ((self.step - settings.begin) % settings.every == 0 or self.step == settings.end):
            share = cubic_sparsity(self.step, settings)
            self.masks = {name: kept_weights(one, share) for name, one in prunable(self.network, self.keep).items()}
        if not (settings.frees and self.step > settings.end):
            apply_masks(self.network, self.masks)

    def state(self) -> dict[str, Tensor]:
        """Return the step and the masks."""
        return {"step": torch.tensor(self.step), **{f"mask.{name}": mask for name, mask in self.masks.items()}}

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        """Restore the step and the masks."""
        device = next(self.network.parameters()).device
        self.step = int(state["step"])
        self.masks = {name[5:]: mask.to(device) for name, mask in state.items() if name.startswith("mask.")}
