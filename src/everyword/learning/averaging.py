"""The average of a network's weights over its last steps, which is often better than any of them (Polyak 1992)."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from everyword.learning.hooks import Hook, Report


class WeightAveraging(Hook):
    """Keep an exponential average of the weights; `use` puts it into the network until the end of the epoch.

    Call `use` where the network is scored after an epoch: the loop then keeps the averaged weights of the best epoch,
    and training goes on with its own.

    Args:
        network: What is trained.
        decay: How much of the average a step keeps; 0.999 averages about a thousand steps.
    """

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.network, self.decay, self.steps = network, decay, 0
        self._weights = [weight for weight in network.parameters() if weight.requires_grad]
        self._average = [weight.detach().clone() for weight in self._weights]
        self._own: list[Tensor] | None = None

    @torch.no_grad()
    def after_step(self) -> None:
        self.steps += 1
        # The first steps are far from the end: while there are few, the average is that of all of them.
        kept = min(self.decay, self.steps / (self.steps + 9))
        torch._foreach_lerp_(self._average, [weight.detach() for weight in self._weights], 1 - kept)

    @torch.no_grad()
    def use(self) -> None:
        """Put the average into the network."""
        if self._own is None:
            self._own = [weight.detach().clone() for weight in self._weights]
            torch._foreach_copy_([weight.detach() for weight in self._weights], self._average)

    @torch.no_grad()
    def after_epoch(self, report: Report) -> None:
        if self._own is not None:
            torch._foreach_copy_([weight.detach() for weight in self._weights], self._own)
            self._own = None

    def state(self) -> dict[str, Tensor]:
        return {"steps": torch.tensor(self.steps)} | {str(n): weight for n, weight in enumerate(self._average)}

    @torch.no_grad()
    def load_state(self, state: Mapping[str, Tensor]) -> None:
        self.steps = int(state["steps"])
        for number, weight in enumerate(self._average):
            weight.copy_(state[str(number)])
