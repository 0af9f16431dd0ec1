"""Acceptance tests of training on several tasks (Cengiz and Yuret 2020): sampling, steps and the schedule."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from everyword.errors import InputError
from everyword.learning.loop import TrainingLoop
from everyword.learning.multitask import Sampling, TaskBatch, TaskBatches, task_shares
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.schedules import slanted_triangular


def numbered(name: str, size: int):  # type: ignore[no-untyped-def]
    return lambda number: [f"{name}-{number}-{place}" for place in range(size)]


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [("proportional", [0.6, 0.3, 0.1]), ("uniform", [1 / 3, 1 / 3, 1 / 3]), ("annealed", [0.6, 0.3, 0.1])],
)
def test_tasks_are_drawn_as_often_as_the_sampling_says(sampling: Sampling, expected: list[float]) -> None:
    names = ("a", "b", "c")
    tasks = TaskBatches(
        {name: numbered(name, size) for name, size in zip(names, (6000, 3000, 1000), strict=True)},
        sampling,
        epochs=3,
    )
    drawn = Counter(tasks.draws(0))
    steps = sum(drawn.values())
    assert steps == round(6000 / expected[0])
    chi_square = sum((drawn[name] - steps * p) ** 2 / (steps * p) for name, p in zip(names, expected, strict=True))
    assert chi_square < 13.8  # p = .001 with two degrees of freedom


def test_annealed_shares_go_from_proportional_nearly_to_uniform() -> None:
    first, middle, last = (task_shares([90, 10], "annealed", epoch, 3) for epoch in range(3))
    assert first == pytest.approx(task_shares([90, 10], "proportional"))
    assert first[0] > middle[0] > last[0] > 0.5
    assert last == pytest.approx(np.array([90, 10]) ** 0.2 / (90**0.2 + 10**0.2))


def test_batches_of_a_task_come_in_order_and_start_again() -> None:
    tasks = TaskBatches({"long": numbered("long", 20), "short": numbered("short", 3)}, "uniform", epochs=2, seed=1)
    drawn = [*tasks.batches(0), *tasks.batches(1)]
    for name, size in (("long", 20), ("short", 3)):
        seen = [batch for task, batch in drawn if task == name]
        assert seen == [f"{name}-{number // size}-{number % size}" for number in range(len(seen))]
        assert len(seen) > size
    assert tasks.batches(1, first=7) == tasks.batches(1)[7:]  # as a resumed training asks


def test_the_main_task_is_expected_once_an_epoch() -> None:
    tasks = {"main": numbered("main", 400), "other": numbered("other", 100)}
    for sampling, steps in (("proportional", 500), ("uniform", 800)):
        made = TaskBatches(tasks, sampling, epochs=2, main="main")  # type: ignore[arg-type]
        assert made.steps(0) == steps
        assert Counter(made.draws(0))["main"] == pytest.approx(400, rel=0.15)


class TwoHeads(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.shared, self.one, self.other = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)

    def loss(self, drawn: TaskBatch) -> Tensor:
        head = self.one if drawn.task == "one" else self.other
        found: Tensor = head(self.shared(drawn.batch)).square().mean()
        return found


def test_a_step_on_one_task_leaves_the_head_of_another_and_its_moments_alone() -> None:
    torch.manual_seed(0)
    network = TwoHeads()
    optimiser = TorchOptimiser(torch.optim.Adam(network.parameters(), lr=0.1))
    batches = [TaskBatch("other", torch.ones(2, 4)), *[TaskBatch("one", torch.ones(2, 4))] * 3]
    loop = TrainingLoop(network, optimiser, epochs=1, batches=lambda epoch, first: batches, loss=network.loss)
    steps = loop.steps()
    next(steps)
    place = {id(parameter): number for number, parameter in enumerate(network.parameters())}[id(network.other.weight)]
    before = network.other.weight.clone(), {k: v.clone() for k, v in optimiser.state().items() if f".{place}." in k}
    shared = network.shared.weight.clone()
    list(steps)
    assert before[1]
    assert torch.equal(network.other.weight, before[0])
    assert all(torch.equal(optimiser.state()[name], value) for name, value in before[1].items())
    assert not torch.equal(network.shared.weight, shared)


def test_the_slanted_triangle_rises_for_a_tenth_of_the_steps_and_then_falls() -> None:
    at = slanted_triangular(1.0, epochs=2)
    rates = np.array([at(epoch, step, 50) for epoch in range(2) for step in range(50)])
    assert int(rates.argmax()) == 10
    assert rates.max() == pytest.approx(1)
    assert np.diff(rates[:11]) == pytest.approx(np.diff(rates[:11])[0])
    assert (np.diff(rates[10:]) < 0).all()
    assert rates[0] == pytest.approx(1 / 32)


def test_what_cannot_be_sampled() -> None:
    with pytest.raises(InputError, match=r"must be one of proportional, uniform, annealed\. Got 'equal'"):
        task_shares([1, 2], "equal")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="needs one batch or more"):
        TaskBatches({"a": numbered("a", 2), "b": numbered("b", 0)}, "uniform", epochs=1)
    with pytest.raises(InputError, match=r"main task must be one of a\. Got 'b'"):
        TaskBatches({"a": numbered("a", 2)}, "uniform", epochs=1, main="b")
