"""The training loop itself, on a network that learns a line."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from two_processes import start_two_processes

from everyword.errors import InputError
from everyword.learning.checkpoint import load_checkpoint
from everyword.learning.hooks import EpochReport, GradientClipping, Hook, Report
from everyword.learning.loop import CHECKPOINT, LOG, RunContext, TrainingLoop, weights_of
from everyword.learning.optimisers import RowOptimiser, RowwiseAdam, TorchOptimiser
from everyword.learning.processes import joined_processes

STEPS, EPOCHS = 5, 3
INPUTS = torch.from_numpy(np.random.default_rng(0).normal(size=(40, 4)).astype(np.float32))
TARGETS = INPUTS @ torch.tensor([[1.0], [-2.0], [0.5], [0.0]]) + 1


class Line(nn.Module):
    """A linear map behind dropout, so that every step needs random numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.3)
        self.map = nn.Linear(4, 1)
        with torch.no_grad():
            for number, weights in enumerate(self.parameters()):
                weights.copy_(torch.linspace(-1, 1, weights.numel()).view_as(weights) + number)

    def forward(self, inputs: Tensor) -> Tensor:
        return self.map(self.drop(inputs))


def rows(epoch: int, first_step: int) -> list[np.ndarray]:
    order = np.random.default_rng([7, epoch]).permutation(len(INPUTS))
    return np.array_split(order, STEPS)[first_step:]


def line_loop(folder: Path | None = None, *, resume: bool = False, **changes: Any) -> TrainingLoop:
    network = Line()
    given: dict[str, Any] = {
        "epochs": EPOCHS,
        "batches": rows,
        "loss": lambda batch: (network(INPUTS[batch]) - TARGETS[batch]).square().mean(),
        "learning_rate": lambda epoch, step, steps: 0.1 / (1 + epoch + step / steps),
        "seed": 3,
        "run": RunContext(folder, resume),
        "fingerprint": "a line",
    }
    optimiser = TorchOptimiser(torch.optim.Adam(network.parameters()))
    return TrainingLoop(network, optimiser, **(given | changes))


def same(one: TrainingLoop, other: TrainingLoop) -> bool:
    pairs = zip(one.network.state_dict().values(), other.network.state_dict().values(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


def logged(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / LOG).read_text().splitlines()]


def timeless(folder: Path) -> list[dict[str, Any]]:
    return [{name: value for name, value in line.items() if name != "seconds"} for line in logged(folder)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> TrainingLoop:
    loop = line_loop(tmp_path_factory.mktemp("whole"))
    assert loop.run()
    return loop


def test_it_learns_and_leaves_the_network_ready_for_use(whole: TrainingLoop) -> None:
    losses = [report["loss"] for report in whole.history]
    assert losses == sorted(losses, reverse=True)
    assert not whole.network.training
    assert whole.is_over


def test_a_log_has_a_line_per_epoch(whole: TrainingLoop) -> None:
    assert whole.context.folder is not None
    lines = logged(whole.context.folder)
    assert [list(line) for line in lines] == [["epoch", "loss", "seconds"]] * EPOCHS
    assert [line["loss"] for line in lines] == pytest.approx([report["loss"] for report in whole.history], rel=1e-5)


@pytest.mark.parametrize("steps", range(1, EPOCHS * STEPS + 1))
def test_a_stopped_training_resumes_to_the_bit_from_any_step(tmp_path: Path, whole: TrainingLoop, steps: int) -> None:
    stopped = line_loop(tmp_path)
    for _ in islice(stopped.steps(), steps):
        pass
    stopped.save()
    torch.rand(5)  # nothing depends on what is drawn in between
    resumed = line_loop(tmp_path, resume=True)

    assert resumed.run()
    assert same(resumed, whole)
    assert whole.context.folder is not None
    assert timeless(tmp_path) == timeless(whole.context.folder)


@pytest.mark.parametrize("kind", ["rowwise", "sgd", "adagrad", "adam"])
def test_every_optimiser_resumes_to_the_bit(tmp_path: Path, kind: str) -> None:
    def loop(folder: Path, **more: Any) -> TrainingLoop:
        table = nn.Embedding(9, 3, _weight=torch.linspace(-1, 1, 27).view(9, 3), sparse=True)
        optimiser = RowwiseAdam(table, 0.1) if kind == "rowwise" else RowOptimiser(table, kind, 0.1, clip=1.0)  # type: ignore[arg-type]
        drawn = [[torch.tensor([epoch, step, 8]) for step in range(4)] for epoch in range(2)]
        return TrainingLoop(
            table,
            optimiser,
            epochs=2,
            batches=lambda epoch, first: drawn[epoch][first:],
            loss=lambda batch: (table(batch) - 1).square().sum(),
            run=RunContext(folder, **more),
        )

    whole, stopped = loop(tmp_path / "whole"), loop(tmp_path / "stopped")
    assert whole.run()
    for _ in islice(stopped.steps(), 3):
        pass
    stopped.save()
    resumed = loop(tmp_path / "stopped", resume=True)
    assert resumed.run()
    assert same(resumed, whole)
    assert torch.equal(whole.network.state_dict()["weight"][4:8], torch.linspace(-1, 1, 27).view(9, 3)[4:8])


class AfterStep(Hook):
    """Does something after a step."""

    def __init__(self, step: int, action: Any) -> None:
        self.left, self.action = step, action

    def after_step(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.action()


@pytest.mark.parametrize("step", [3, STEPS, EPOCHS * STEPS])
def test_ctrl_c_waits_for_the_end_of_the_step(tmp_path: Path, whole: TrainingLoop, step: int) -> None:
    handler = signal.getsignal(signal.SIGINT)
    stopped = line_loop(tmp_path, hooks=[AfterStep(step, lambda: signal.raise_signal(signal.SIGINT))])

    assert not stopped.run()
    assert stopped.progress.epoch * STEPS + stopped.progress.step == step
    assert signal.getsignal(signal.SIGINT) is handler
    resumed = line_loop(tmp_path, resume=True)
    assert resumed.run()
    assert same(resumed, whole)


def test_ctrl_c_stops_at_once_if_nothing_could_be_resumed() -> None:
    with pytest.raises(KeyboardInterrupt):
        line_loop(hooks=[AfterStep(3, lambda: signal.raise_signal(signal.SIGINT))]).run()


def test_a_killed_training_goes_back_to_its_last_checkpoint(tmp_path: Path, whole: TrainingLoop) -> None:
    for _ in islice(line_loop(tmp_path, checkpoint_steps=2).steps(), STEPS + 4):
        pass
    with (tmp_path / LOG).open("a") as log:  # an epoch whose checkpoint was never written, and half a line
        log.write('{"epoch": 2, "loss": 1.0, "seconds": 1.0}\n{"epoch": 3, "lo')
    resumed = line_loop(tmp_path, resume=True)
    resumed.start()

    assert (resumed.progress.epoch, resumed.progress.step) == (1, 2)
    assert resumed.run()
    assert same(resumed, whole)
    assert [line["epoch"] for line in logged(tmp_path)] == [1, 2, 3]


def test_another_fingerprint_is_refused(tmp_path: Path) -> None:
    line_loop(tmp_path).run()
    with pytest.raises(InputError, match="was started with another configuration or teacher"):
        line_loop(tmp_path, resume=True, fingerprint="another line").run()
    (tmp_path / CHECKPOINT).write_bytes(b"damaged")
    with pytest.raises(InputError, match="cannot be read"):
        line_loop(tmp_path, resume=True).run()


def test_a_new_run_removes_what_an_older_one_left(tmp_path: Path, whole: TrainingLoop) -> None:
    line_loop(tmp_path, epochs=5).run()
    again = line_loop(tmp_path)
    assert again.run()
    assert same(again, whole)
    assert len(logged(tmp_path)) == EPOCHS


def test_stages_share_a_folder_and_a_log(tmp_path: Path) -> None:
    context = RunContext(tmp_path, resume=True)
    for stage in ("first", "second", "first"):
        assert line_loop(run=context, stage=stage).run()
    assert [(line["stage"], line["epoch"]) for line in logged(tmp_path)] == [
        (stage, epoch) for stage in ("first", "second") for epoch in range(1, EPOCHS + 1)
    ]


class Spy(Hook):
    """Writes down when it is called."""

    def __init__(self, name: str, calls: list[str]) -> None:
        self.name, self.calls = name, calls

    def before_backward(self, loss: Tensor, batch: Any) -> Tensor:
        assert len(batch) == len(INPUTS) // STEPS
        self.calls.append(f"{self.name} before backward")
        return 2 * loss

    def after_backward(self) -> None:
        self.calls.append(f"{self.name} after backward")

    def after_step(self) -> None:
        self.calls.append(f"{self.name} after step")

    def after_epoch(self, report: Report) -> None:
        self.calls.append(f"{self.name} after epoch")
        report[self.name] = len(self.calls)


def test_hooks_are_called_in_order_and_change_loss_and_report(tmp_path: Path, whole: TrainingLoop) -> None:
    calls: list[str] = []
    loop = line_loop(tmp_path, hooks=[Spy("a", calls), Spy("b", calls)], epochs=1)
    assert loop.run()

    step = [f"{name} {when}" for when in ("before backward", "after backward", "after step") for name in "ab"]
    assert calls == step * STEPS + ["a after epoch", "b after epoch"]
    assert logged(tmp_path)[0]["b"] == len(calls)
    assert loop.history[0]["loss"] > 3 * whole.history[0]["loss"]  # twice two; Adam's steps are about the same


def test_gradients_are_clipped() -> None:
    norms: list[float] = []

    class Norm(Hook):
        def after_backward(self) -> None:
            norms.append(float(torch.cat([p.grad.flatten() for p in loop.network.parameters()]).norm()))  # type: ignore[union-attr]

    loop = line_loop()
    loop.hooks = [Norm(), GradientClipping(loop.network, 0.5), Norm()]
    assert loop.run()
    assert max(norms[0::2]) > 0.5
    assert norms[1::2] == pytest.approx([min(norm, 0.5) for norm in norms[0::2]], rel=1e-4)


def test_a_hook_that_raises_ends_the_training_and_loses_nothing(tmp_path: Path, whole: TrainingLoop) -> None:
    def fail() -> None:
        raise RuntimeError("no more")

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(RuntimeError, match="no more"):
        line_loop(tmp_path, hooks=[AfterStep(STEPS + 2, fail)]).run()
    assert signal.getsignal(signal.SIGINT) is handler
    resumed = line_loop(tmp_path, resume=True)
    assert resumed.run()
    assert same(resumed, whole)


def scored(folder: Path | None, scores: list[float], **more: Any) -> tuple[TrainingLoop, list[dict[str, Tensor]]]:
    """A loop whose epochs get these scores, and the weights after each epoch."""
    coming, after = iter(scores), []
    loop = line_loop(folder, evaluate=lambda: {"score": next(coming)}, best="score", epochs=len(scores), **more)
    loop.hooks = [EpochReport(lambda _: after.append(weights_of(loop.network)))]
    return loop, after


def test_the_best_weights_are_kept_even_over_a_resume(tmp_path: Path) -> None:
    loop, after = scored(tmp_path, [0.1, 0.7, 0.7, 0.3])
    for _ in islice(loop.steps(), 2 * STEPS + 1):
        pass
    loop.save()
    resumed, _ = scored(tmp_path, [0.7, 0.3, 0.0, 0.0], resume=True)
    assert resumed.run()

    assert (resumed.progress.best_score, resumed.progress.best_epoch) == (0.7, 1)
    for name, weights in resumed.network.state_dict().items():
        assert torch.equal(weights, after[1][name])
    assert [line["score"] for line in logged(tmp_path)] == [0.1, 0.7, 0.7, 0.3]


def test_a_training_that_diverges_is_told_and_its_last_good_checkpoint_stays(tmp_path: Path) -> None:
    factors = iter([1.0] * STEPS + [torch.inf] * STEPS)
    loop = line_loop(tmp_path, loss=lambda _: (next(factors) * loop.network(INPUTS)).square().mean())
    with pytest.raises(
        InputError, match=r"diverged in epoch 2: its loss is (nan|inf)\. Choose a smaller learning rate"
    ):
        loop.run()
    assert len(logged(tmp_path)) == 1
    resumed = line_loop(tmp_path, resume=True)
    resumed.start()
    assert resumed.progress.epoch == 1


def test_patience_ends_a_training_that_gets_no_better() -> None:
    loop, after = scored(None, [0.1, 0.5, 0.4, 0.3, 0.9], patience=2)
    assert loop.run()
    assert len(after) == 4
    assert torch.equal(loop.network.state_dict()["map.bias"], after[1]["map.bias"])


def test_no_epochs_leave_the_network_as_it_is(tmp_path: Path) -> None:
    loop = line_loop(tmp_path, epochs=0, evaluate=dict, best="score")
    assert loop.run()
    assert same(loop, line_loop())
    assert (tmp_path / CHECKPOINT).exists()


def test_batches_may_come_from_an_iterator_if_their_number_is_told(whole: TrainingLoop) -> None:
    asked: list[tuple[int, int]] = []

    def batches(epoch: int, first: int) -> Iterator[np.ndarray]:
        return iter(rows(epoch, first))

    def rate(epoch: int, step: int, steps: int) -> float:
        asked.append((step, steps))
        return 0.1 / (1 + epoch + step / steps)

    loop = line_loop(batches=batches, steps=STEPS, learning_rate=rate)
    assert loop.run()
    assert same(loop, whole)
    assert asked == [(step, STEPS) for step in range(STEPS)] * EPOCHS


def test_the_progress_bar_shows_epoch_and_loss(capsys: pytest.CaptureFixture[str]) -> None:
    line_loop(run=RunContext(show_progress=True), epochs=2).run()
    shown = capsys.readouterr().err
    assert "epoch 1/2" in shown
    assert "epoch 2/2: 100%" in shown
    assert "loss" in shown


def train_share(folder: str) -> None:
    """Train in one of several processes: stopped by a Ctrl-C that only the last one gets, then resumed."""
    with joined_processes(torch.device("cpu")) as processes:

        def loop(*, resume: bool, hooks: list[Hook]) -> TrainingLoop:
            network = Line()
            network.drop.p = 0.0

            def loss(batch: np.ndarray) -> Tensor | None:
                share = batch[processes.rank :: processes.count]
                return (network(INPUTS[share]) - TARGETS[share]).square().sum() / len(batch)

            return TrainingLoop(
                network,
                TorchOptimiser(torch.optim.SGD(network.parameters(), lr=0.05)),
                epochs=EPOCHS,
                batches=rows,
                loss=loss,
                hooks=hooks,
                run=RunContext(Path(folder), resume=resume, processes=processes),
            )

        last = processes.rank == processes.count - 1
        stopped = loop(resume=False, hooks=[AfterStep(7 if last else -1, lambda: signal.raise_signal(signal.SIGINT))])
        assert not stopped.run()
        assert (stopped.progress.epoch, stopped.progress.step) == (1, 2)
        processes.wait()
        assert loop(resume=True, hooks=[]).run()


def test_two_processes_learn_what_one_learns_and_stop_together(tmp_path: Path) -> None:
    train_share(str(tmp_path / "one"))
    start_two_processes(
        "-c", "import sys; from learning.test_loop import train_share; train_share(sys.argv[1])", str(tmp_path / "two")
    )

    one, two = (load_checkpoint(tmp_path / name / CHECKPOINT, "") for name in ("one", "two"))
    assert one[1].epoch == two[1].epoch == EPOCHS
    for name, weights in one[0]["network"].items():
        torch.testing.assert_close(two[0]["network"][name], weights)
    losses = [[line["loss"] for line in logged(tmp_path / name)] for name in ("one", "two")]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
