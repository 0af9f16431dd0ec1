"""How a gradient moves a table: rows that a batch did not touch stay where they are, under every rule."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from everyword.skipgram.configuration import Rule

BETAS = (0.9, 0.999)
TINY = 1e-10


class RowRule:
    """One of three rules for all parameters of a network, each of them a table with rows."""

    def __init__(self, network: nn.Module, rule: Rule, clip: float = 0.0) -> None:
        self.network, self.rule, self.clip = network, rule, clip
        self._moments: dict[str, Tensor] = {}
        for name, parameter in network.named_parameters():
            if rule != "sgd":
                self._moments[f"{name}.squares"] = torch.zeros_like(parameter)
            if rule == "adam":
                self._moments[f"{name}.mean"] = torch.zeros_like(parameter)
                self._moments[f"{name}.steps"] = parameter.new_zeros(len(parameter), 1)

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Move all parameters against their gradients, which are forgotten."""
        for name, parameter in self.network.named_parameters():
            if parameter.grad is not None:
                gradient = clipped_rows(parameter.grad, self.clip) if self.clip else parameter.grad
                self._move(name, parameter, gradient, rate)
                parameter.grad = None

    def _move(self, name: str, parameter: Tensor, gradient: Tensor, rate: float) -> None:
        if self.rule == "sgd":
            parameter.add_(gradient, alpha=-rate)
        elif self.rule == "adagrad":
            squares = self._moments[f"{name}.squares"].addcmul_(gradient, gradient)
            parameter.addcdiv_(gradient, (squares + TINY).sqrt_(), value=-rate)
        else:
            self._move_by_moments(name, parameter, gradient, rate)

    def _move_by_moments(self, name: str, parameter: Tensor, gradient: Tensor, rate: float) -> None:
        """Adam, in which each row has a time of its own."""
        mean, squares, steps = (self._moments[f"{name}.{moment}"] for moment in ("mean", "squares", "steps"))
        touched = gradient.any(dim=1, keepdim=True).to(gradient.dtype)
        steps += touched
        mean.lerp_(gradient, touched * (1 - BETAS[0]))
        squares.lerp_(gradient * gradient, touched * (1 - BETAS[1]))
        unbiased = mean / (1 - BETAS[0] ** steps).clamp(min=TINY)
        spread = (squares / (1 - BETAS[1] ** steps).clamp(min=TINY)).sqrt_().add_(1e-8)
        parameter.addcmul_(unbiased / spread, touched, value=-rate)

    def state(self) -> dict[str, Tensor]:
        """All moments, for a checkpoint."""
        return self._moments

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        """Restore what `state` gave."""
        for name, values in state.items():
            self._moments[name].copy_(values)


def clipped_rows(gradient: Tensor, longest: float) -> Tensor:
    """Rows that are no longer than allowed.

    >>> clipped_rows(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), 5.0).tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    lengths = gradient.norm(dim=1, keepdim=True)
    shares: Tensor = longest / lengths.clamp(min=longest)
    return gradient * shares
