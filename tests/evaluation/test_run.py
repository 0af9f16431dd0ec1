from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import make_data

from everyword import __version__
from everyword.errors import InputError, UnknownNameError
from everyword.evaluation import results
from everyword.evaluation.benchmark import Benchmark, MissingData, choose, known_tasks, under_noises
from everyword.evaluation.catalogue import DATA_SETS
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.results import Result, read_all
from everyword.evaluation.robustness.noise import Noise, noise_levels
from everyword.evaluation.run import Outcome, evaluate, evaluate_model, run_benchmark, run_levels
from everyword.evaluation.task import Scores
from everyword.models.model import Model
from everyword.vectors.table import VectorTable


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_data(tmp_path_factory.mktemp("data"))


@pytest.fixture
def model(tiny_model_folder: Path) -> EvaluatedModel:
    return open_evaluated(str(tiny_model_folder))


def benchmarks_of(names: list[str], data: Path) -> list[Benchmark]:
    return [benchmark for benchmark in choose(names, data) if isinstance(benchmark, Benchmark)]


def test_names_stand_for_tasks_data_sets_and_both(data: Path) -> None:
    def names(*asked: str) -> list[str]:
        return [benchmark.name for benchmark in choose(asked, data)]

    assert names("clustering") == names("clustering.v1") == ["clustering/ap", "clustering/bless"]
    assert names("rareword") == ["similarity/rareword", "typo-similarity/rareword"]
    assert [benchmark.named for benchmark in benchmarks_of(["similarity/rareword", "rareword"], data)] == [True, False]
    assert names("similarity/rareword", "rareword") == ["similarity/rareword", "typo-similarity/rareword"]
    asked = [task for task in known_tasks() if not task.by_name_only]
    assert len(names("all")) == sum(data_set.kind == task.kind for task in asked for data_set in DATA_SETS)
    assert names("sst2") == ["classification/sst2"]


def test_a_mistyped_name_gets_a_hint(data: Path) -> None:
    with pytest.raises(UnknownNameError, match="There is no task 'similarty': did you mean 'similarity'"):
        choose(["similarty"], data)
    with pytest.raises(UnknownNameError, match="did you mean 'similarity/rareword'"):
        choose(["similarity/rarword"], data)


def test_held_out_words_need_both_files(data: Path, tmp_path: Path, teacher_path: Path) -> None:
    with pytest.raises(InputError, match="'held-out' needs held-out words and their teacher"):
        choose(["held-out"], data)
    with pytest.raises(InputError, match="need both a list and a teacher"):
        choose(["all"], data, held_out=tmp_path / "words.txt")
    with pytest.raises(InputError, match=r"There is no file .*words\.txt"):
        choose(["all"], data, held_out=tmp_path / "words.txt", teacher=teacher_path)


def test_missing_data_is_skipped_unless_it_was_named(
    tmp_path: Path, model: EvaluatedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyword.evaluation.catalogue.find_spec", lambda name: None)
    folder = make_data(tmp_path)
    (folder / "clustering" / "ap.tsv").unlink()

    chosen = choose(["clustering"], folder)
    done = list(evaluate(model, chosen))

    assert isinstance(chosen[0], MissingData)
    assert "'ap' is missing: get it from" in done[0].reason
    assert done[1].result is not None
    with pytest.raises(InputError, match="'ap' is missing: get it from"):
        choose(["clustering/ap"], folder)
    (folder / "clustering" / "bless.tsv").unlink()
    with pytest.raises(InputError, match="'ap' is missing: get it from"):
        choose(["clustering"], folder)


def test_a_result_says_all_that_is_needed_to_read_it(data: Path, model: EvaluatedModel, tmp_path: Path) -> None:
    [benchmark] = benchmarks_of(["similarity/simlex999"], data)
    [done] = evaluate(model, [benchmark], save_to=tmp_path)
    [path] = tmp_path.rglob("*.json")

    assert path == tmp_path / f"tiny-{(model.fingerprint or '')[:8]}" / "encode" / "similarity.v1-simlex999.json"
    record = json.loads(path.read_text())
    assert {key: record[key] for key in ("task", "version", "data", "model", "policy", "seed", "n", "main")} == {
        "task": "similarity",
        "version": 1,
        "data": "simlex999",
        "model": "tiny",
        "policy": "encode",
        "seed": 0,
        "n": 30,
        "main": "spearman",
    }
    assert record["model_sha256"] == model.fingerprint
    assert record["data_sha256"] == benchmark.sha256
    assert record["data_place"] == "data folder: similarity/simlex999.tsv"
    assert record["data_expected"] is False
    assert record["coverage"] == pytest.approx(record["known"] / 30, abs=1e-4)
    assert record["versions"]["everyword"] == __version__
    assert record["versions"]["numpy"] == np.__version__
    assert record["encode_seconds"] >= 0
    assert record["score_seconds"] > 0
    assert done.result is not None
    assert results.read(path).value == pytest.approx(done.result.value, abs=1e-4)


def test_a_killed_run_goes_on_without_repeating_what_is_finished(
    data: Path, model: EvaluatedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmarks = benchmarks_of(["clustering", "relation", "analogy"], data)
    assert [benchmark.task.name for benchmark in benchmarks] == ["clustering"] * 2 + ["analogy"] * 2 + ["relation"]
    ran: list[str] = []

    def counted(run: object) -> object:
        def run_and_note(model: EvaluatedModel, levels: list[Benchmark], seed: int, items: bool) -> Iterator[Result]:
            [benchmark] = levels
            if benchmark.task.name == "analogy" and len(ran) == 2:
                ran.append("killed")
                raise KeyboardInterrupt
            ran.append(benchmark.name)
            return run_levels(model, levels, seed, items)

        return run_and_note

    monkeypatch.setattr("everyword.evaluation.run.run_levels", counted(run_levels))
    with pytest.raises(KeyboardInterrupt):
        list(evaluate(model, benchmarks, save_to=tmp_path))
    again = list(evaluate(model, benchmarks, save_to=tmp_path))

    assert ran == [
        "clustering/ap",
        "clustering/bless",
        "killed",
        "analogy/google",
        "analogy/msr",
        "relation/semeval2012",
    ]
    assert [done.kept_before for done in again] == [True, True, False, False, False]
    assert not list(tmp_path.rglob("*.partial"))


def test_only_the_same_model_task_data_and_seed_are_the_same(
    data: Path, model: EvaluatedModel, tmp_path: Path, tiny_model_folder: Path
) -> None:
    [benchmark] = benchmarks_of(["clustering/ap"], data)

    def once(model: EvaluatedModel, benchmark: Benchmark, **options: int) -> Outcome:
        [done] = evaluate(model, [benchmark], save_to=tmp_path, **options)
        return done

    once(model, benchmark)
    assert once(model, benchmark).kept_before
    assert not once(model, benchmark, overwrite=True).kept_before
    assert not once(model, benchmark, seed=1).kept_before
    assert not once(model, replace(benchmark, sha256="0" * 64)).kept_before
    assert not once(model, replace(benchmark, task=replace(benchmark.task, version=2))).kept_before
    assert not once(open_evaluated(str(tiny_model_folder), "infer"), benchmark).kept_before
    assert not once(open_evaluated(str(tiny_model_folder), candidates=9), benchmark).kept_before


def test_no_result_takes_the_place_of_one_that_answers_another_question(
    data: Path, tmp_path: Path, tiny_model_folder: Path
) -> None:
    [benchmark] = benchmarks_of(["analogy/msr"], data)
    folder = str(tiny_model_folder)
    ladder = noise_levels(["typo", "ocr"], [0, 10, 2.5])
    for candidates in (None, 150, 10_000):  # as many as there are is as usual
        for seed in (0, 1):
            few = open_evaluated(folder, candidates=candidates)
            list(evaluate(few, under_noises([benchmark], ladder), save_to=tmp_path, seed=seed))

    noises = ("", "-typo-10", "-typo-2.5", "-ocr-10", "-ocr-2.5")
    expected = {
        f"analogy.v1-msr{noise}{few}{seed}.json"
        for noise in noises
        for few in ("", "-candidates-150")
        for seed in ("", "-seed-1")
    }
    assert {path.name for path in tmp_path.rglob("*.json")} == expected
    for path in tmp_path.rglob("*.json"):
        result = results.read(path)
        assert result.candidates_limited == ("-candidates-150" in path.name)
        assert str(result.noise or "clean") in path.name + " clean"
    model = open_evaluated(folder, candidates=150)
    again = list(evaluate(model, under_noises([benchmark], ladder), save_to=tmp_path, seed=1))
    assert all(done.kept_before for done in again)


def test_a_curve_that_was_stopped_makes_only_the_points_that_it_lacks(
    data: Path, model: EvaluatedModel, tmp_path: Path
) -> None:
    [benchmark] = benchmarks_of(["clustering/ap"], data)
    list(evaluate(model, under_noises([benchmark], noise_levels(["typo"], [0, 20])), save_to=tmp_path))

    done = list(evaluate(model, under_noises([benchmark], noise_levels(["typo"], [0, 10, 20, 30])), save_to=tmp_path))

    assert sorted((one.benchmark, one.kept_before) for one in done) == [
        ("clustering/ap", True),
        ("clustering/ap@typo-10", False),
        ("clustering/ap@typo-20", True),
        ("clustering/ap@typo-30", False),
    ]


def test_results_of_before_there_was_noise_are_read_as_clean(data: Path, model: EvaluatedModel, tmp_path: Path) -> None:
    [benchmark] = benchmarks_of(["clustering/ap"], data)
    list(evaluate(model, [benchmark], save_to=tmp_path))
    [path] = tmp_path.rglob("*.json")
    record = json.loads(path.read_text())
    for name in ("candidates_limited", "corruption", "strength", "changed"):
        del record[name]
    path.write_text(json.dumps(record))

    [done] = evaluate(model, [benchmark], save_to=tmp_path)

    assert done.kept_before
    assert (done.result.noise, done.result.changed) == (None, None)
    path.write_text(json.dumps({**record, "corruption": "typos", "strength": 10}))
    with pytest.raises(InputError, match="is not a saved result: There is no corruption 'typos': did you mean 'typo'"):
        results.read(path)


def test_noise_that_a_benchmark_cannot_have_is_skipped_unless_it_was_named(data: Path, model: EvaluatedModel) -> None:
    published = [Noise("published", 10)]
    chosen = [*benchmarks_of(["clustering"], data), *benchmarks_of(["mr"], data)]
    assert all("no published noisy copies" in done.reason for done in evaluate(model, under_noises(chosen, published)))
    for name in ("clustering/ap", "classification/mr", "tagging/bc2gm"):
        with pytest.raises(InputError, match="no published noisy copies"):
            list(evaluate(model, under_noises(benchmarks_of([name], data), published)))
    with pytest.raises(InputError, match=r"with 10% errors; save it as .*typo_10\.tsv"):
        list(evaluate(model, under_noises(benchmarks_of(["classification/sst2"], data), published)))


def test_vectors_without_an_identity_are_scored_anew(data: Path, model: EvaluatedModel, tmp_path: Path) -> None:
    [benchmark] = benchmarks_of(["clustering/ap"], data)
    model.fingerprint = None
    for _ in range(2):
        [done] = evaluate(model, [benchmark], save_to=tmp_path)
        assert not done.kept_before


def test_a_damaged_result_is_made_again_and_named_by_the_table(
    data: Path, model: EvaluatedModel, tmp_path: Path
) -> None:
    [benchmark] = benchmarks_of(["clustering/ap"], data)
    list(evaluate(model, [benchmark], save_to=tmp_path))
    [path] = tmp_path.rglob("*.json")
    for damage in ("{", "[]", '{"schema": 99}', '{"schema": 1}'):
        path.write_text(damage)
        with pytest.raises(InputError, match=r"ap\.json is not a saved result: .*Delete it, or run its task again"):
            read_all([tmp_path])
        [done] = evaluate(model, [benchmark], save_to=tmp_path)
        assert not done.kept_before
        assert len(read_all([tmp_path, path])) == 2


def test_a_score_that_is_not_finite_is_refused(data: Path, model: EvaluatedModel) -> None:
    [benchmark] = benchmarks_of(["clustering/ap"], data)
    broken = replace(
        benchmark, task=replace(benchmark.task, run=lambda model, data, seed: Scores({"purity": np.nan}, 1, 1))
    )

    with pytest.raises(InputError, match="clustering/ap gives tiny no finite score for purity"):
        run_benchmark(model, broken)


def test_no_overlap_is_skipped_unless_it_was_named(data: Path, tmp_path: Path) -> None:
    from everyword.errors import EverywordError
    from everyword.vectors.table import VectorTable

    VectorTable(["東京", "京都"], np.eye(2, dtype=np.float32)).save(tmp_path / "other.vec")
    model = open_evaluated(str(tmp_path / "other.vec"))

    assert all(done.result is None and "other" in done.reason for done in evaluate(model, benchmarks_of(["all"], data)))
    for name in (
        "similarity/rareword",
        "clustering/ap",
        "analogy/msr",
        "relation/semeval2012",
        "misspelling/wikipedia",
    ):
        with pytest.raises(EverywordError, match=r"^No .* other"):
            list(evaluate(model, benchmarks_of([name], data)))


def test_a_model_is_scored_by_one_call(
    tmp_path: Path, tiny_model: Model, tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyword.evaluation.catalogue.find_spec", lambda name: None)
    folder = make_data(tmp_path / "data")
    (folder / "clustering" / "ap.tsv").unlink()

    tasks = ["clustering", "misspelling/wikipedia"]
    found = evaluate_model(tiny_model_folder, folder, tasks, save_to=tmp_path / "kept")

    assert list(found.scores()) == [result.benchmark for result in found] == ["clustering/bless", tasks[1]]
    assert found["clustering/bless"].value == found.scores()["clustering/bless"]
    assert list(found.missing) == ["clustering/ap"]
    assert "clustering.v1/bless" in found.table()
    assert str(found).endswith(f"clustering/ap: skipped. {found.missing['clustering/ap']}")
    assert found.table("markdown").startswith("| model | clustering.v1/bless | ")
    with pytest.raises(KeyError, match="clustering/ap has no result: The data set 'ap' is missing"):
        found["clustering/ap"]
    with pytest.raises(KeyError, match="analogy/msr has no result: it was not run"):
        found["analogy/msr"]
    assert len(list((tmp_path / "kept").rglob("*.json"))) == len(found) == 2
    again = evaluate_model(tiny_model, str(folder), tasks)
    assert again.scores() == pytest.approx(found.scores(), abs=1e-3)


def test_tables_policies_and_noises_are_scored_by_one_call(
    data: Path, teacher_path: Path, model: EvaluatedModel
) -> None:
    table = VectorTable.load(teacher_path)

    mean = evaluate_model(table, data, ["clustering/ap"], policy="mean", noises=[None, Noise("typo", 50)])
    assert list(mean.scores()) == ["clustering/ap", "clustering/ap@typo-50"]
    assert {result.policy for result in mean} == {"mean"}
    assert evaluate_model(model, data, ["clustering/ap"], seed=3)["clustering/ap"].seed == 3
    with pytest.raises(InputError, match="has a policy and candidates already"):
        evaluate_model(model, data, policy="zero")
