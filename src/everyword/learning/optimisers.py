"""Optimisers: those of torch behind one interface, and sparse ones that move only the rows that a batch touched.

Dense Adam over a whole table of units or words is most of a step on a CPU; a batch uses a few thousand of its rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

import torch
from torch import Tensor, nn

BETAS = (0.9, 0.999)
TINY = 1e-10
Rule = Literal["sgd", "adagrad", "adam"]
MOMENTS: dict[Rule, tuple[str, ...]] = {"sgd": (), "adagrad": ("squares",), "adam": ("squares", "mean", "steps")}
"""What a `RowOptimiser` stores of each parameter."""


class Optimiser(Protocol):
    """What a training loop asks of an optimiser."""

    def set_learning_rate(self, learning_rate: float) -> None:
        """Use this rate from now on."""

    def zero_grad(self) -> None:
        """Discard the gradients of the last batch."""

    def step(self) -> None:
        """Move the parameters against their gradients."""

    def state(self) -> dict[str, Tensor]:
        """Return all moments as named tensors, for a checkpoint without pickle."""

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        """Restore what `state` gave."""


class TorchOptimiser:
    """One or more optimisers of torch, each with parameters of its own, as one."""

    def __init__(self, *parts: torch.optim.Optimizer) -> None:
        self._parts = parts

    def set_learning_rate(self, learning_rate: float) -> None:
        for part in self._parts:
            for group in part.param_groups:
                group["lr"] = learning_rate

    def zero_grad(self) -> None:
        for part in self._parts:
            part.zero_grad(set_to_none=True)

    def step(self) -> None:
        for part in self._parts:
            part.step()

    def state(self) -> dict[str, Tensor]:
        return {
            f"{number}.{parameter}.{name}": torch.as_tensor(value)
            for number, part in enumerate(self._parts)
            for parameter, values in part.state_dict()["state"].items()
            for name, value in values.items()
        }

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        for number, part in enumerate(self._parts):
            full = part.state_dict()
            for key, value in state.items():
                *owner, parameter, name = key.split(".")  # without an owner in an older checkpoint of one part
                if int(owner[0] if owner else 0) == number:
                    # SparseAdam counts steps in a Python number, Adam in a tensor.
                    plain = isinstance(part, torch.optim.SparseAdam) and name == "step"
                    full["state"].setdefault(int(parameter), {})[name] = int(value) if plain else value.clone()
            part.load_state_dict(full)


class RowwiseAdam(TorchOptimiser):
    """SparseAdam for sparse embeddings and Adam for all other parameters; those without a gradient stay as they are."""

    def __init__(self, network: nn.Module, learning_rate: float) -> None:
        sparse = [module.weight for module in network.modules() if isinstance(module, nn.Embedding) and module.sparse]
        table_ids = set(map(id, sparse))
        tables = [table for table in sparse if table.requires_grad]
        dense = [p for p in network.parameters() if p.requires_grad and id(p) not in table_ids]
        parts: list[torch.optim.Optimizer] = []
        if tables:
            parts.append(torch.optim.SparseAdam(tables, lr=learning_rate))
        if dense:
            parts.append(torch.optim.Adam(dense, lr=learning_rate))
        super().__init__(*parts)


class RowOptimiser:
    """SGD, Adagrad or Adam for a network whose parameters are all tables; rows without a gradient stay where they are.

    Unlike torch's, its Adam counts the steps of each row by itself, and `clip` limits the gradient of each row.
    """

    def __init__(self, network: nn.Module, rule: Rule, learning_rate: float, clip: float = 0.0) -> None:
        self.network, self.rule, self.learning_rate, self.clip = network, rule, learning_rate, clip
        self._moments: dict[str, Tensor] = {}
        for name, parameter in network.named_parameters():
            for moment in MOMENTS[rule]:
                shape = (len(parameter), 1) if moment == "steps" else parameter.shape
                self._moments[f"{name}.{moment}"] = parameter.new_zeros(shape)

    def set_learning_rate(self, learning_rate: float) -> None:
        self.learning_rate = learning_rate

    def zero_grad(self) -> None:
        self.network.zero_grad(set_to_none=True)

    @torch.no_grad()
    def step(self) -> None:
        for name, parameter in self.network.named_parameters():
            if parameter.grad is None:
                continue
            moments = {moment: self._moments[f"{name}.{moment}"] for moment in MOMENTS[self.rule]}
            if parameter.grad.is_sparse:
                self._move_rows(parameter, moments, parameter.grad.coalesce())
            else:
                self._move(parameter, moments, parameter.grad)

    def _move_rows(self, parameter: Tensor, moments: dict[str, Tensor], gradient: Tensor) -> None:
        """Move some rows as if they were the whole table."""
        rows = gradient.indices()[0]
        some, some_moments = parameter[rows], {name: values[rows] for name, values in moments.items()}
        self._move(some, some_moments, gradient.values())
        for whole, part in ((parameter, some), *((moments[name], some_moments[name]) for name in moments)):
            whole.index_copy_(0, rows, part)

    def _move(self, parameter: Tensor, moments: dict[str, Tensor], gradient: Tensor) -> None:
        if self.clip:
            gradient = clipped_rows(gradient, self.clip)
        if self.rule == "sgd":
            parameter.add_(gradient, alpha=-self.learning_rate)
        elif self.rule == "adagrad":
            squares = moments["squares"].addcmul_(gradient, gradient)
            parameter.addcdiv_(gradient, (squares + TINY).sqrt_(), value=-self.learning_rate)
        else:
            _move_by_moments(parameter, moments, gradient, self.learning_rate)

    def state(self) -> dict[str, Tensor]:
        return self._moments

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        for name, values in state.items():
            self._moments[name].copy_(values)


def _move_by_moments(parameter: Tensor, moments: Mapping[str, Tensor], gradient: Tensor, rate: float) -> None:
    """Adam in which each row counts its own steps."""
    mean, squares, steps = (moments[name] for name in ("mean", "squares", "steps"))
    touched = gradient.any(dim=1, keepdim=True).to(gradient.dtype)
    steps += touched
    mean.lerp_(gradient, touched * (1 - BETAS[0]))
    squares.lerp_(gradient * gradient, touched * (1 - BETAS[1]))
    unbiased = mean / (1 - BETAS[0] ** steps).clamp(min=TINY)
    spread = (squares / (1 - BETAS[1] ** steps).clamp(min=TINY)).sqrt_().add_(1e-8)
    parameter.addcmul_(unbiased / spread, touched, value=-rate)


def clipped_rows(gradient: Tensor, longest: float) -> Tensor:
    """Scale down the rows that are longer than a limit.

    >>> clipped_rows(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), 5.0).tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    lengths = gradient.norm(dim=1, keepdim=True)
    shares: Tensor = longest / lengths.clamp(min=longest)
    return gradient * shares
