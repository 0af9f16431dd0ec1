"""What is asked of every registered task: it runs under every policy, counts what it counted, and forgets nobody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import make_data

from everyword import registry
from everyword.evaluation.benchmark import Benchmark, choose, known_tasks, under_noises
from everyword.evaluation.catalogue import DATA_SETS
from everyword.evaluation.evaluated_model import (
    CHARACTERS,
    GIVING_VECTORS,
    READING_SENTENCES,
    EvaluatedModel,
    open_evaluated,
)
from everyword.evaluation.robustness.noise import FAMILIES, Noise
from everyword.evaluation.run import evaluate
from everyword.models.model import Model
from everyword.vectors.table import VectorTable


@pytest.fixture(scope="module")
def benchmarks(tmp_path_factory: pytest.TempPathFactory, teacher_path: Path, tiny_model: Model) -> list[Benchmark]:
    folder = make_data(tmp_path_factory.mktemp("data"))
    new = [word for word in VectorTable.load(teacher_path) if not tiny_model.known(word)]
    (folder / "new.txt").write_text("\n".join(new))
    chosen = choose(["all"], folder, held_out=folder / "new.txt", teacher=teacher_path)
    return [benchmark for benchmark in chosen if isinstance(benchmark, Benchmark)]


def test_names_carry_the_version_of_the_task() -> None:
    assert [task.full_name for task in known_tasks()] == list(registry.tasks)
    assert all(task.summary and task.main for task in known_tasks())


@pytest.fixture(scope="module")
def slow_benchmarks(tmp_path_factory: pytest.TempPathFactory) -> list[Benchmark]:
    folder = make_data(tmp_path_factory.mktemp("data"))
    chosen = choose([task.name for task in known_tasks() if task.slow], folder)
    return [benchmark for benchmark in chosen if isinstance(benchmark, Benchmark)]


@pytest.fixture(scope="module")
def sentence_benchmarks(tmp_path_factory: pytest.TempPathFactory) -> list[Benchmark]:
    folder = make_data(tmp_path_factory.mktemp("data"))
    chosen = choose([task.name for task in known_tasks() if task.reads_sentences], folder)
    return [benchmark for benchmark in chosen if isinstance(benchmark, Benchmark)]


def test_nothing_registered_is_skipped(
    benchmarks: list[Benchmark], slow_benchmarks: list[Benchmark], sentence_benchmarks: list[Benchmark]
) -> None:
    asked = [task for task in known_tasks() if not task.needs_target]
    expected = {f"{task.name}/{data.name}" for task in asked for data in DATA_SETS if data.kind == task.kind}
    every = [*benchmarks, *slow_benchmarks, *sentence_benchmarks]

    assert {benchmark.name for benchmark in every} == expected | {"held-out/new"}
    assert {benchmark.task.full_name for benchmark in every} == {task.full_name for task in asked}


def test_all_leaves_out_what_trains_something_or_gives_sentences(
    benchmarks: list[Benchmark], slow_benchmarks: list[Benchmark]
) -> None:
    assert not any(benchmark.task.slow or benchmark.task.reads_sentences for benchmark in benchmarks)
    assert all(benchmark.task.slow for benchmark in slow_benchmarks)


@pytest.mark.parametrize("policy", READING_SENTENCES)
def test_every_benchmark_with_sentences_runs_under_every_policy_that_reads_them(
    sentence_benchmarks: list[Benchmark], tiny_model_folder: Path, policy: str
) -> None:
    for done in evaluate(open_evaluated(str(tiny_model_folder), policy), sentence_benchmarks):
        result = done.result
        assert result is not None, done
        assert result.policy == policy
        assert result.n > 0
        assert -100 <= result.value <= 100
        assert bool(result.spread) == (result.seeds > 1)
        assert result.encode_seconds > 0


def test_sentences_and_policies_that_read_none_have_no_score(
    benchmarks: list[Benchmark], sentence_benchmarks: list[Benchmark], tiny_model_folder: Path
) -> None:
    plain, reading = (open_evaluated(str(tiny_model_folder), policy) for policy in ("encode", "context"))
    for model, wrong, reason in (
        (
            plain,
            sentence_benchmarks,
            "gives sentences, which the policy 'encode' does not read; choose form, context or",
        ),
        (reading, benchmarks, "The policy 'context' reads sentences, and"),
    ):
        assert all(reason in done.reason for done in evaluate(model, [replace(one, named=False) for one in wrong]))
    noisy = under_noises([replace(one, named=False) for one in sentence_benchmarks], [Noise("typo", 50)])
    assert all("takes no corruption" in done.reason for done in evaluate(reading, noisy))


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, int]]:
    """Networks learn for one epoch only; what was trained is listed, by learning rate and seed."""
    from everyword.evaluation.tasks.extrinsic.learner import Learner, TrainedNetwork

    fit, done = Learner.fit, []

    def fit_quickly(learner: Learner, rate: float, seed: int) -> TrainedNetwork:
        done.append((rate, seed))
        learner.learning = replace(learner.learning, epochs=1)
        return fit(learner, rate, seed)

    monkeypatch.setattr(Learner, "fit", fit_quickly)
    return done


@pytest.mark.usefixtures("fitted")
def test_every_slow_benchmark_runs_too(slow_benchmarks: list[Benchmark], tiny_model_folder: Path) -> None:
    model = open_evaluated(str(tiny_model_folder))
    for done in evaluate(model, slow_benchmarks):
        assert done.result is not None, done
        assert 0 <= done.result.scores[done.result.main] <= 100
        assert done.result.seeds == 3
        assert done.result.encode_seconds > 0


@pytest.fixture(params=[*GIVING_VECTORS, "table"])
def model(request: pytest.FixtureRequest, tiny_model_folder: Path, tiny_model: Model, tmp_path: Path) -> EvaluatedModel:
    if request.param != "table":
        return open_evaluated(str(tiny_model_folder), request.param)
    tiny_model.vectors_for(tiny_model.known_words.words).save(tmp_path / "stored.vec")
    return open_evaluated(str(tmp_path / "stored.vec"))


def test_every_benchmark_runs_and_says_what_it_counted(benchmarks: list[Benchmark], model: EvaluatedModel) -> None:
    done = {one.benchmark: one.result for one in evaluate(model, benchmarks)}

    assert set(done) == {benchmark.name for benchmark in benchmarks}
    for benchmark in benchmarks:
        result = done[benchmark.name]
        assert result is not None, benchmark.name
        assert result.n > 0
        assert 0 <= result.known <= result.n
        assert result.value is not None
        assert -100 <= result.value <= 100
        assert all(value is None or np.isfinite(value) for value in result.scores.values())
        assert set(result.spread) <= set(result.scores)
        assert bool(result.spread) == (result.seeds > 1)


TAKES_NO_CORRUPTION = {"typo-similarity", "function-words", "associations"}
"""Tasks that are about misspelt words already, or about words of the model."""


def test_every_task_can_be_corrupted_but_those_that_are_about_misspelt_words() -> None:
    asked = [task for task in known_tasks() if not (task.reads_sentences or task.needs_target)]
    unable = {task.name for task in asked if task.corrupt is None}
    assert unable == TAKES_NO_CORRUPTION


@pytest.mark.parametrize("corruption", FAMILIES)
def test_every_benchmark_runs_under_every_corruption(
    benchmarks: list[Benchmark], tiny_model_folder: Path, corruption: str
) -> None:
    noise, model = Noise(corruption, 50), open_evaluated(str(tiny_model_folder))
    for done, benchmark in zip(evaluate(model, under_noises(benchmarks, [noise])), benchmarks, strict=True):
        if benchmark.task.name in TAKES_NO_CORRUPTION:
            assert done.reason.startswith(f"The task {benchmark.task.name} takes no corruption: its words are")
            continue
        result = done.result
        assert result is not None, done
        assert (result.corruption, result.strength, result.noise) == (corruption, 50, noise)
        assert done.benchmark == result.benchmark == f"{benchmark.name}@{corruption}-50"
        assert result.changed is not None
        assert 0 < result.changed < 1
        assert result.value is not None
        assert result.seeds == 3
        assert result.main in result.spread


def test_noise_that_leaves_no_word_known_has_a_score_too(benchmarks: list[Benchmark], tiny_model_folder: Path) -> None:
    can = [benchmark for benchmark in benchmarks if benchmark.task.corrupt is not None]
    for done in evaluate(open_evaluated(str(tiny_model_folder), "zero"), under_noises(can, [Noise("insert", 100)])):
        assert done.result is not None, done
        assert done.result.value is not None


def test_every_slow_benchmark_is_trained_once_for_clean_and_noisy_text(
    slow_benchmarks: list[Benchmark], tiny_model_folder: Path, fitted: list[tuple[float, int]]
) -> None:
    model = open_evaluated(str(tiny_model_folder))
    for benchmark in {benchmark.task.name: benchmark for benchmark in slow_benchmarks}.values():
        fitted.clear()
        clean, noisy = (
            done.result for done in evaluate(model, under_noises([benchmark], [None, Noise("insert", 100)]))
        )
        assert len(fitted) == len(set(fitted)) == 7  # five rates, of which the best goes on, and two seeds more
        [alone] = (done.result for done in evaluate(model, [benchmark]))
        assert clean.scores == alone.scores
        assert clean.sections == alone.sections
        assert (clean.changed, noisy.changed) == (None, 1)
        assert noisy.known == 0


@pytest.mark.usefixtures("fitted")
def test_only_networks_read_characters(
    benchmarks: list[Benchmark], slow_benchmarks: list[Benchmark], tiny_model_folder: Path
) -> None:
    model = open_evaluated(str(tiny_model_folder), CHARACTERS)
    chosen = {benchmark.task.name: replace(benchmark, named=False) for benchmark in [*benchmarks, *slow_benchmarks]}
    done = dict(zip(chosen, evaluate(model, chosen.values()), strict=True))

    assert {name for name, one in done.items() if one.result} == {"classification", "tagging", "pos"}
    assert "is for taggers and classifiers, and similarity trains none" in done["similarity"].reason


def test_the_same_seed_gives_the_same_scores(benchmarks: list[Benchmark], tiny_model_folder: Path) -> None:
    first, second = (
        {
            done.benchmark: done.result.scores
            for done in evaluate(open_evaluated(str(tiny_model_folder)), benchmarks)
            if done.result
        }
        for _ in range(2)
    )

    assert first == second
