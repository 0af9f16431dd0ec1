"""What can be added to a training loop: a hook sees every step and every epoch.

A technique that any system can use (gradient clipping, adversarial training, pruning, several tasks at once) is a
subclass of `Hook` that overrides what it needs. Hooks are called in the order in which the loop got them; an exception
that one raises ends the training, and the last checkpoint stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn

Report = dict[str, Any]
"""What is logged of an epoch: its number, its mean loss, its seconds and whatever was evaluated."""


class Hook:
    """Base class whose methods do nothing."""

    def before_backward(self, loss: Tensor, batch: Any) -> Tensor:
        """Return the loss to learn from: the same one, or one with further terms."""
        return loss

    def after_backward(self) -> None:
        """See or change the gradients, which are already those of all processes."""

    def after_step(self) -> None:
        """See or change the weights after the optimiser has moved them."""

    def after_epoch(self, report: Report) -> None:
        """Read or change the report of an epoch before it is logged."""

    def state(self) -> dict[str, Tensor]:
        """Return what a resumed training needs, as named tensors."""
        return {}

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        """Restore what `state` gave."""


class GradientClipping(Hook):
    """Scale the gradients down if their norm, over all parameters of a network together, is above a limit."""

    def __init__(self, network: nn.Module, limit: float) -> None:
        self.network, self.limit = network, limit

    def after_backward(self) -> None:
        nn.utils.clip_grad_norm_(self.network.parameters(), self.limit)


class EpochReport(Hook):
    """Call a function with the report of each epoch: to print it, or to add to what is logged."""

    def __init__(self, function: Callable[[Report], None]) -> None:
        self.function = function

    def after_epoch(self, report: Report) -> None:
        self.function(report)
