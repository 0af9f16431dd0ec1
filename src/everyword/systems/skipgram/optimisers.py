"""How a gradient moves a table: rows that a batch did not touch stay where they are, under every rule."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from everyword.systems.skipgram.config import Rule

BETAS = (0.9, 0.999)
TINY = 1e-10
MOMENTS: dict[Rule, tuple[str, ...]] = {"sgd": (), "adagrad": ("squares",), "adam": ("squares", "mean", "steps")}
"""What each rule remembers of a parameter."""


class RowOptimiser:
    """One of three rules for all parameters of a network, each of them a table with rows."""

    def __init__(self, network: nn.Module, rule: Rule, clip: float = 0.0) -> None:
        self.network, self.rule, self.clip = network, rule, clip
        self._moments: dict[str, Tensor] = {}
        for name, parameter in network.named_parameters():
            for moment in MOMENTS[rule]:
                shape = (len(parameter), 1) if moment == "steps" else parameter.shape
                self._moments[f"{name}.{moment}"] = parameter.new_zeros(shape)

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Move all parameters against their gradients, which are forgotten."""
        for name, parameter in self.network.named_parameters():
            if parameter.grad is None:
                continue
            moments = {moment: self._moments[f"{name}.{moment}"] for moment in MOMENTS[self.rule]}
            if parameter.grad.is_sparse:
                self._move_rows(parameter, moments, parameter.grad.coalesce(), rate)
            else:
                self._move(parameter, moments, parameter.grad, rate)
            parameter.grad = None

    def _move_rows(self, parameter: Tensor, moments: dict[str, Tensor], gradient: Tensor, rate: float) -> None:
        """Move some rows as if they were the whole table."""
        rows = gradient.indices()[0]
        some, some_moments = parameter[rows], {name: values[rows] for name, values in moments.items()}
        self._move(some, some_moments, gradient.values(), rate)
        for whole, part in ((parameter, some), *((moments[name], some_moments[name]) for name in moments)):
            whole.index_copy_(0, rows, part)

    def _move(self, parameter: Tensor, moments: dict[str, Tensor], gradient: Tensor, rate: float) -> None:
        if self.clip:
            gradient = clipped_rows(gradient, self.clip)
        if self.rule == "sgd":
            parameter.add_(gradient, alpha=-rate)
        elif self.rule == "adagrad":
            squares = moments["squares"].addcmul_(gradient, gradient)
            parameter.addcdiv_(gradient, (squares + TINY).sqrt_(), value=-rate)
        else:
            _move_by_moments(parameter, moments, gradient, rate)

    def state(self) -> dict[str, Tensor]:
        """All moments, for a checkpoint."""
        return self._moments

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        """Restore what `state` gave."""
        for name, values in state.items():
            self._moments[name].copy_(values)


def _move_by_moments(parameter: Tensor, moments: Mapping[str, Tensor], gradient: Tensor, rate: float) -> None:
    """Adam, in which each row has a time of its own."""
    mean, squares, steps = (moments[name] for name in ("mean", "squares", "steps"))
    touched = gradient.any(dim=1, keepdim=True).to(gradient.dtype)
    steps += touched
    mean.lerp_(gradient, touched * (1 - BETAS[0]))
    squares.lerp_(gradient * gradient, touched * (1 - BETAS[1]))
    unbiased = mean / (1 - BETAS[0] ** steps).clamp(min=TINY)
    spread = (squares / (1 - BETAS[1] ** steps).clamp(min=TINY)).sqrt_().add_(1e-8)
    parameter.addcmul_(unbiased / spread, touched, value=-rate)


def clipped_rows(gradient: Tensor, longest: float) -> Tensor:
    """Rows that are no longer than allowed.

    >>> clipped_rows(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), 5.0).tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    lengths = gradient.norm(dim=1, keepdim=True)
    shares: Tensor = longest / lengths.clamp(min=longest)
    return gradient * shares
