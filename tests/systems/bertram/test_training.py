"""The three stages: what learns, what stays, and that a stopped training ends as an unbroken one."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pytest
import torch

from everyword.errors import ConfigError, InputError
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.learning.loop import TrainingLoop
from everyword.models.model import Model
from everyword.systems.bertram import Bertram, TrainingRun, train_bertram
from everyword.systems.bertram.config import BertramConfig, CombinedStage, ContextStage
from everyword.systems.bertram.train import target_table
from everyword.vectors.table import VectorTable

from .made_contexts import made_contexts, quick_config

Sentences = dict[str, list[str]]
VARIANTS = ["add", "replace", "shallow"]


def trained(encoder: LanguageModel, contexts: Sentences, folder: Path, **changes: object) -> Bertram:
    form = changes.pop("form_model", None)
    run = TrainingRun(contexts, folder, quick_config(**changes), form=form)  # type: ignore[arg-type]
    found = train_bertram(encoder, run)
    assert found is not None
    return found


def losses(folder: Path, stage: str) -> list[float]:
    lines = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    return [line["loss"] for line in lines if line["stage"] == stage]


@pytest.mark.parametrize("variant", VARIANTS)
def test_losses_fall_and_the_encoder_stays_as_it_is(encoder: LanguageModel, tmp_path: Path, variant: str) -> None:
    before = encoder.fingerprint()
    stages = {"context": ContextStage(epochs=8, learning_rate=0.01), "combined": CombinedStage(8, 0.01)}

    bertram = trained(encoder, made_contexts(encoder), tmp_path, variant=variant, start="random", **stages)

    for stage in ("context", "form", "combined"):
        found = losses(tmp_path, stage)
        assert found[-1] < found[0], stage
    assert encoder.fingerprint() == before
    assert not any(module.training for module in encoder.network.modules())
    assert bertram.infer("cat", ["the cat sat"]).shape == (16,)


@pytest.mark.parametrize(("variant", "frozen"), [("add", {"form"}), ("replace", set()), ("shallow", set())])
def test_every_trained_parameter_moves_and_no_other(
    bert: LanguageModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str, frozen: set[str]
) -> None:
    changes: dict[str, dict[str, bool]] = {}
    run_plain = TrainingLoop.run

    def run_and_compare(loop: TrainingLoop) -> bool:
        before = {name: weights.clone() for name, weights in loop.network.state_dict().items()}
        done = run_plain(loop)
        after = loop.network.state_dict()
        changes[loop.stage] = {name: not torch.equal(before[name], after[name]) for name in before}
        return done

    monkeypatch.setattr(TrainingLoop, "run", run_and_compare)
    trained(bert, made_contexts(bert), tmp_path, variant=variant)

    expected = {"context": {"attention", "to_space"}, "form": {"form"}}
    expected["combined"] = {"attention", "to_space", "form", "gate"} - frozen
    for stage, parts in expected.items():
        for name, moved in changes[stage].items():
            assert moved == (name.partition(".")[0] in parts), (stage, name)


def test_the_encoder_keeps_its_mode_inside_training(
    bert: LanguageModel, contexts: Sentences, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = []
    run_step = TrainingLoop._step

    def step(loop: TrainingLoop, *more: object) -> object:
        modes.append(any(module.training for module in bert.network.modules()))
        assert loop.network.training
        return run_step(loop, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(TrainingLoop, "_step", step)
    trained(bert, contexts, tmp_path, variant="replace")

    assert modes
    assert not any(modes)


@pytest.mark.parametrize(
    ("variant", "stop_at"), [("add", 3), ("add", 11), ("add", 15), ("replace", 15), ("shallow", 15)]
)
def test_a_stopped_training_ends_as_an_unbroken_one(
    bert: LanguageModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str, stop_at: int
) -> None:
    contexts = made_contexts(bert)
    whole = trained(bert, contexts, tmp_path / "whole", variant=variant)
    steps = 0
    run_step = TrainingLoop._step

    def step(loop: TrainingLoop, *more: object) -> object:
        nonlocal steps
        steps += 1
        if steps == stop_at:
            signal.raise_signal(signal.SIGINT)
        return run_step(loop, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(TrainingLoop, "_step", step)
    run = TrainingRun(contexts, tmp_path / "broken", quick_config(variant=variant))
    assert train_bertram(bert, run) is None
    again = TrainingRun(contexts, tmp_path / "broken", quick_config(variant=variant), resume=True)
    finished = train_bertram(bert, again)

    assert finished is not None
    for name, weights in whole.network.state_dict().items():
        assert torch.equal(weights, finished.network.state_dict()[name]), name


def test_another_configuration_does_not_resume(bert: LanguageModel, contexts: Sentences, tmp_path: Path) -> None:
    trained(bert, contexts, tmp_path)
    other = TrainingRun(contexts, tmp_path, quick_config(seed=5), resume=True)

    with pytest.raises(InputError, match="was started with another configuration or teacher"):
        train_bertram(bert, other)


def test_another_form_does_not_resume(
    bert: LanguageModel, contexts: Sentences, tmp_path: Path, tiny_model: Model
) -> None:
    trained(bert, contexts, tmp_path)
    other = TrainingRun(contexts, tmp_path, quick_config(), form=tiny_model, resume=True)

    with pytest.raises(InputError, match="was started with another configuration or teacher"):
        train_bertram(bert, other)


def test_a_second_training_needs_no_second_pass_of_the_encoder(
    bert: LanguageModel, contexts: Sentences, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = trained(bert, contexts, tmp_path)
    monkeypatch.setattr(Bertram, "context_vectors", None)

    second = trained(bert, contexts, tmp_path, combined=CombinedStage(epochs=1, learning_rate=0.02))

    assert not torch.equal(first.network.to_space.weight, second.network.to_space.weight)


def test_a_ridge_start_is_better_than_a_random_one(bert: LanguageModel, contexts: Sentences, tmp_path: Path) -> None:
    for start in ("ridge", "random"):
        trained(bert, contexts, tmp_path / start, start=start, context=ContextStage())

    assert losses(tmp_path / "ridge", "context")[0] < losses(tmp_path / "random", "context")[-1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_model_of_everyword_can_be_the_form(
    bert: LanguageModel, contexts: Sentences, tmp_path: Path, tiny_model: Model, variant: str
) -> None:
    bertram = trained(bert, contexts, tmp_path / "run", variant=variant, form_model=tiny_model)
    bertram.save(tmp_path / "saved")

    loaded = Bertram.load(tmp_path / "saved", bert)

    assert losses(tmp_path / "run", "form")[-1] < losses(tmp_path / "run", "form")[0]
    np.testing.assert_array_equal(loaded.infer(contexts), bertram.infer(contexts))


def test_targets_are_own_rows_or_made_vectors(bert: LanguageModel) -> None:
    made = VectorTable(["walking dogs", "cat"], np.ones((2, 16), dtype=np.float32))

    with pytest.warns(UserWarning, match="1 of 3 words are left out, because they are not one piece"):
        table = target_table(bert, ["cat", "walking dogs", "mats"], made)

    assert table.words == ["cat", "walking dogs"]
    np.testing.assert_array_equal(table["cat"], input_table(bert, ["cat"])["cat"])
    np.testing.assert_array_equal(table["walking dogs"], np.ones(16))


def test_what_cannot_be_trained(bert: LanguageModel, tmp_path: Path) -> None:
    def refused(contexts: object, **changes: object) -> str:
        run = TrainingRun(contexts, tmp_path, **changes)  # type: ignore[arg-type]
        with pytest.raises((InputError, ConfigError)) as error:
            train_bertram(bert, run)
        return str(error.value)

    assert "Contexts must be a mapping from words to their sentences" in refused(["cat"])
    assert "The contexts of 'cat' must be a list of sentences" in refused({"cat": "the cat"})
    assert "A word must be text. Got 3" in refused({3: ["a"]})
    assert "The list of words is empty" in refused({})
    assert "None of 1 words gets a vector" in refused({"mats": ["the mats"]})
    narrow = VectorTable(["cat"], np.ones((1, 3), dtype=np.float32))
    assert "of dimension 16. Got vectors of dimension 3" in refused({"cat": ["a cat"]}, targets=narrow)
    assert "fewest_contexts must be 1 or more" in refused(
        {"cat": ["a cat"]}, config=BertramConfig(context=ContextStage(fewest_contexts=0))
    )
    with pytest.warns(UserWarning, match="Skipped 1 of 1 sentences"):
        assert "No sentence contains the word it is given for" in refused({"cat": ["a dog"]})
