"""Adam that touches only the rows a batch touched.

Dense Adam over the whole unit table is most of the reference's step on a CPU; a batch uses a few thousand of its rows.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn


class RowwiseAdam:
    """SparseAdam for the unit table, Adam for the few dense parameters, as one; what needs no gradient stays."""

    def __init__(self, encoder: nn.Module, learning_rate: float) -> None:
        sparse = [module.weight for module in encoder.modules() if isinstance(module, nn.Embedding) and module.sparse]
        tables = [table for table in sparse if table.requires_grad]
        table_ids = set(map(id, sparse))
        dense = [
            parameter
            for parameter in encoder.parameters()
            if id(parameter) not in table_ids and parameter.requires_grad
        ]
        self._parts: list[torch.optim.Optimizer] = []
        if tables:
            self._parts.append(torch.optim.SparseAdam(tables, lr=learning_rate))
        if dense:
            self._parts.append(torch.optim.Adam(dense, lr=learning_rate))

    def set_learning_rate(self, learning_rate: float) -> None:
        """Use this rate from now on."""
        for part in self._parts:
            for group in part.param_groups:
                group["lr"] = learning_rate

    def zero_grad(self) -> None:
        """Forget the gradients of the last batch."""
        for part in self._parts:
            part.zero_grad(set_to_none=True)

    def step(self) -> None:
        """Move the parameters."""
        for part in self._parts:
            part.step()

    def state(self) -> dict[str, Tensor]:
        """All moments as named tensors, for a checkpoint without pickle."""
        return {
            f"{number}.{parameter}.{name}": torch.as_tensor(value)
            for number, part in enumerate(self._parts)
            for parameter, values in part.state_dict()["state"].items()
            for name, value in values.items()
        }

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        """Restore what `state` gave."""
        for number, part in enumerate(self._parts):
            full = part.state_dict()
            for key, value in state.items():
                owner, parameter, name = key.split(".")
                if int(owner) == number:
                    # SparseAdam counts steps in a Python number, Adam in a tensor.
                    plain = isinstance(part, torch.optim.SparseAdam) and name == "step"
                    full["state"].setdefault(int(parameter), {})[name] = int(value) if plain else value.clone()
            part.load_state_dict(full)
