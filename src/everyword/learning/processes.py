"""Distributed training: several processes, as torchrun starts them, train one network."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
import torch.distributed as dist
from torch import Tensor, nn


@dataclass(frozen=True)
class Processes:
    """The rank of this process, and what all processes do together; a process on its own is one of one."""

    rank: int = 0
    count: int = 1
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    """Where numbers must be to be exchanged."""

    @property
    def first(self) -> bool:
        """Whether this is the process that writes files and messages."""
        return self.rank == 0

    def sums(self, values: Sequence[float]) -> list[float]:
        """Return each value summed over all processes."""
        if self.count == 1:
            return list(values)
        together = torch.tensor(values, dtype=torch.float64, device=self.device)
        dist.all_reduce(together)
        summed: list[float] = together.tolist()
        return summed

    def any(self, condition: bool) -> bool:
        """Return whether it holds in one of the processes; all get the same answer, so that none waits for another."""
        return self.sums([float(condition)])[0] > 0

    def wait(self) -> None:
        """Wait until all processes have come here."""
        if self.count > 1:
            dist.barrier()

    def share_weights(self, network: nn.Module) -> None:
        """Copy the weights of the first process to all; what each computed itself may differ by rounding."""
        if self.count > 1:
            for weights in network.state_dict().values():
                dist.broadcast(weights, 0)

    def sum_gradients(self, network: nn.Module) -> None:
        """Replace the gradients by their sum over all processes; parameters without a gradient count as zero."""
        if self.count == 1:
            return
        tables = {
            id(module.weight) for module in network.modules() if isinstance(module, nn.Embedding) and module.sparse
        }
        for parameter in network.parameters():
            if not parameter.requires_grad:
                continue
            if id(parameter) in tables:
                parameter.grad = self._sum_of_rows(parameter)
            else:
                gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
                dist.all_reduce(gradient)
                parameter.grad = gradient

    def _sum_of_rows(self, table: Tensor) -> Tensor:
        """Return the sum of sparse gradients; only the rows that they touch are exchanged."""
        if table.grad is None:
            rows, values = table.new_zeros(0, dtype=torch.int64), table.new_zeros(0, table.shape[1])
        else:
            touched = table.grad.coalesce()
            rows, values = touched.indices()[0], touched.values()
        sizes = [torch.zeros(1, dtype=torch.int64, device=table.device) for _ in range(self.count)]
        dist.all_gather(sizes, torch.tensor([len(rows)], device=table.device))
        counts = [int(size) for size in sizes]
        all_rows = torch.cat(self._gathered(rows, counts))
        all_values = torch.cat(self._gathered(values, counts))
        return torch.sparse_coo_tensor(all_rows[None], all_values, table.shape, check_invariants=False).coalesce()

    def _gathered(self, mine: Tensor, counts: Sequence[int]) -> list[Tensor]:
        """Return the rows of every process; they are exchanged in tensors of one size."""
        padded = mine.new_zeros(max(counts), *mine.shape[1:])
        padded[: len(mine)] = mine
        found = [torch.empty_like(padded) for _ in counts]
        dist.all_gather(found, padded)
        return [part[:count] for part, count in zip(found, counts, strict=True)]


def own_device(device: str) -> str:
    """Return the device of this process: with torchrun, each has a GPU of its own."""
    local = os.environ.get("LOCAL_RANK")
    on_gpu = device == "cuda" or (device == "auto" and torch.cuda.is_available())
    return f"cuda:{local}" if on_gpu and local is not None else device


@contextmanager
def joined_processes(device: torch.device) -> Iterator[Processes]:
    """Join all processes that torchrun started; without torchrun this process is the only one."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield Processes(device=device)
        return
    if device.type == "cuda":
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Processes(dist.get_rank(), dist.get_world_size(), device)
    finally:
        dist.destroy_process_group()
