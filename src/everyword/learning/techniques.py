"""What the training of taggers and of classifiers shares: clipping, pruning, which epoch is kept, what is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch import nn

from everyword.learning.hooks import GradientClipping, Hook, Report
from everyword.learning.pruning import MagnitudePruning, PruningConfig

CHOICE = "choice"
"""The score that decides which epoch is kept."""
NOT_YET = 1e6


def weight_hooks(
    network: nn.Module, clip: float, prune: float, steps: int, keep: Callable[[str], bool] | None = None
) -> list[Hook]:
    """Return clipping of gradients and, if a share of the weights is to be zero, pruning in the first half of training.

    Args:
        network: What is trained.
        clip: The largest norm of a gradient.
        prune: The share of each matrix that becomes zero.
        steps: How many steps the whole training has.
        keep: Whether a matrix, by its name, is left as it is.
    """
    found: list[Hook] = [GradientClipping(network, clip)]
    if prune:
        end = max(1, steps // 2)
        found.append(MagnitudePruning(network, PruningConfig(prune, 0, end, every=max(1, end // 20)), keep))
    return found


def chosen_by(score: float, hooks: Sequence[Hook], epoch: int) -> dict[str, float]:
    """Return the score on dev and the one that decides: while weights are being pruned, a later epoch is better."""
    pruned = all(hook.done for hook in hooks if isinstance(hook, MagnitudePruning))
    return {"dev": score, CHOICE: score if pruned else epoch - NOT_YET}


def told(report: Callable[[str], None] | None) -> Callable[[Report], None]:
    """Return what tells of an epoch in a line of text."""

    def tell(found: Report) -> None:
        if report is not None:
            report(f"epoch {found['epoch']}: loss {found['loss']:.4f}, dev {found['dev']:.2f}")

    return tell
