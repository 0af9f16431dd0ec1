"""Training steps as CUDA graphs: recorded once for each shape of batch, then replayed as a whole.

A step of a small network is hundreds of short kernels, and starting them takes longer than running them. A graph starts
them all at once. What it replays must not wait for the processor: no shape may depend on values, and batches, targets
and optimiser live on the GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from everyword.learning.optimisers import Optimiser, TorchOptimiser

Batch = tuple[Tensor, ...]


class CapturableAdam(TorchOptimiser):
    """Adam whose rate and steps are tensors, so that a graph reads what they are at each replay."""

    def __init__(self, network: nn.Module, learning_rate: float) -> None:
        for part in network.modules():
            if isinstance(part, nn.Embedding):
                part.sparse = False  # the rows of a sparse gradient are a shape that depends on values
        parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
        rate = torch.tensor(learning_rate, device=parameters[0].device)
        self._adam = torch.optim.Adam(parameters, lr=rate, capturable=rate.is_cuda)
        super().__init__(self._adam)

    def set_learning_rate(self, learning_rate: float) -> None:
        for group in self._adam.param_groups:
            group["lr"].fill_(learning_rate)


@dataclass
class _Recorded:
    graph: Any
    inputs: Batch
    loss: Tensor


class CapturedSteps:
    """Takes whole steps of a training: the first one as usual, which makes the optimiser's state, then by graphs.

    Args:
        network: What is trained.
        optimiser: Moves its parameters; it must be capturable, as `CapturableAdam` is.
        loss: Returns the loss of a batch, whose tensors are on the GPU.
    """

    def __init__(self, network: nn.Module, optimiser: Optimiser, loss: Callable[[Any], Tensor]) -> None:
        self.network, self.optimiser, self.loss = network, optimiser, loss
        self._recorded: dict[tuple[torch.Size, ...], _Recorded] = {}
        self._stream: Any = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        self._pool: Any = None

    def __call__(self, batch: Batch) -> Tensor:
        """Take a step, and return its loss."""
        if self._pool is None:
            self._pool = torch.cuda.graph_pool_handle()
            loss = self._apart(batch)
            self.optimiser.step()
            return loss
        shape = tuple(part.shape for part in batch)
        recorded = self._recorded.get(shape)
        if recorded is None:
            recorded = self._recorded[shape] = self._record(batch)
        for part, given in zip(recorded.inputs, batch, strict=True):
            part.copy_(given)
        recorded.graph.replay()
        return recorded.loss.clone()

    def _apart(self, batch: Batch) -> Tensor:
        """Compute the gradients of a batch on a stream of its own, as what is recorded afterwards requires."""
        self.network.zero_grad(set_to_none=True)
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            loss = self.loss(batch)
            loss.backward()  # type: ignore[no-untyped-call]
        torch.cuda.current_stream().wait_stream(self._stream)
        return loss.detach()

    def _record(self, batch: Batch) -> _Recorded:
        inputs = tuple(part.clone() for part in batch)
        self._apart(inputs)
        self.network.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool):
            loss = self.loss(inputs)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()
        return _Recorded(graph, inputs, loss.detach())
