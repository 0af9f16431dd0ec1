"""Captured steps share with others the same Adam, whose rate can be changed, and a loop that leaves steps to them."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from everyword.learning.captured import CapturableAdam
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser

RATES = (0.1, 0.05, 0.2)


def network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Embedding(5, 3, sparse=True), nn.Linear(3, 1))


def take_steps(net: nn.Module, optimiser: TorchOptimiser, rates: tuple[float, ...]) -> None:
    for rate in rates:
        optimiser.set_learning_rate(rate)
        optimiser.zero_grad()
        net(torch.tensor([0, 1, 2, 3, 4])).square().sum().backward()
        optimiser.step()


def test_it_is_adam_and_its_rate_can_be_changed() -> None:
    ours, theirs = network(), network()
    theirs[0].sparse = False
    take_steps(ours, CapturableAdam(ours, 1.0), RATES)
    take_steps(theirs, TorchOptimiser(torch.optim.Adam(theirs.parameters(), lr=1.0)), RATES)
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one, other)


def test_its_state_can_be_saved_and_restored() -> None:
    straight, stopped = network(), network()
    take_steps(straight, CapturableAdam(straight, 1.0), RATES)
    before, after = CapturableAdam(stopped, 1.0), CapturableAdam(stopped, 1.0)
    take_steps(stopped, before, RATES[:2])
    after.load_state(before.state())
    take_steps(stopped, after, RATES[2:])
    for one, other in zip(straight.parameters(), stopped.parameters(), strict=True):
        torch.testing.assert_close(one, other)


def test_a_loop_leaves_whole_steps_to_what_takes_them() -> None:
    net, seen = network(), []

    def take_step(batch: int) -> Tensor:
        seen.append(batch)
        return torch.tensor(float(batch))

    loop = TrainingLoop(
        net,
        CapturableAdam(net, 1.0),
        epochs=2,
        batches=lambda _epoch, first: [1, 2, 3][first:],
        loss=lambda batch: None,
        take_step=take_step,
    )
    assert loop.run()
    assert seen == [1, 2, 3, 1, 2, 3]
    assert [report["loss"] for report in loop.history] == [2.0, 2.0]
