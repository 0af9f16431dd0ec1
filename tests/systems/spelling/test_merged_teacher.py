"""A teacher of several sources, stage by stage, with a language model of random weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_sources import make_sources, shown_words

from everyword import config
from everyword.errors import ConfigError, InputError
from everyword.space.record import load_merge, load_pipeline
from everyword.systems.spelling import merged_teacher
from everyword.systems.spelling.merged_teacher import MergedTeacherConfig, build_teacher
from everyword.vectors.table import VectorTable

RECIPE = MergedTeacherConfig(
    lists=("frequencies", "glove-6b"),
    synonyms="synonyms",
    encoder="mpnet",
    templates=("{}", "the {}"),
    tables={"glove": 0.7},
    before="pca:12,unit-rows",
    after="pca:8,unit-rows",
    fit_on=100,
)
STAGES = {"words.txt", "distilled.npy", "merge.record", "steps.record", "teacher.npy", "teacher.json"}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory, tiny_bert_folder: Path) -> dict[str, Path]:
    return make_sources(tmp_path_factory.mktemp("sources"), tiny_bert_folder)


def build(sources: dict[str, Path], folder: Path, recipe: MergedTeacherConfig = RECIPE) -> VectorTable:
    return VectorTable.load(build_teacher(recipe, sources, folder, device="cpu", show_progress=False))


@pytest.fixture(scope="module")
def folder(sources: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished teacher, not to be changed."""
    folder = tmp_path_factory.mktemp("built")
    build(sources, folder)
    return folder


def language_model_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("the language model was asked again")

    monkeypatch.setattr(merged_teacher, "extract", refuse)


def test_every_stage_leaves_its_file(folder: Path) -> None:
    teacher = VectorTable.load(folder / "teacher.npy")
    assert {path.name for path in folder.iterdir()} >= STAGES
    words = (folder / "words.txt").read_text().splitlines()
    assert set(words) == set(shown_words())
    assert teacher.words == [word for word in words if word in teacher], "in order of frequency, but for variants"
    assert len(words) > len(teacher) > len(words) / 2
    assert teacher.dim == 8
    np.testing.assert_allclose(np.linalg.norm(teacher.matrix, axis=1), 1, atol=1e-5)


def test_the_same_sources_give_the_same_teacher(sources: dict[str, Path], folder: Path, tmp_path: Path) -> None:
    again = build(sources, tmp_path / "run")
    np.testing.assert_array_equal(again.matrix, VectorTable.load(folder / "teacher.npy").matrix)


def test_synonyms_come_closer(sources: dict[str, Path], folder: Path, tmp_path: Path) -> None:
    mild = build(sources, tmp_path, replace(RECIPE, shrinkage=1e6))
    near = VectorTable.load(folder / "teacher.npy")
    pairs = [line.split("\t")[:2] for line in sources["synonyms"].read_text().splitlines()]
    cosines = [np.mean([table[a] @ table[b] for a, b in pairs if a in table and b in table]) for table in (mild, near)]
    assert cosines[1] > cosines[0] + 0.01


def test_a_killed_run_does_not_repeat_finished_stages(
    sources: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = build(sources, tmp_path).matrix.copy()
    (tmp_path / "teacher.npy").unlink()
    language_model_is_not_asked(monkeypatch)
    np.testing.assert_array_equal(build(sources, tmp_path).matrix, straight)


def test_a_finished_teacher_is_only_found(
    sources: dict[str, Path], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    language_model_is_not_asked(monkeypatch)
    before = (folder / "teacher.npy").stat().st_mtime_ns
    told: list[str] = []
    assert build_teacher(RECIPE, sources, folder, report=told.append) == folder / "teacher.npy"
    assert (folder / "teacher.npy").stat().st_mtime_ns == before
    assert told == []


def test_each_stage_is_told(sources: dict[str, Path], tmp_path: Path) -> None:
    told: list[str] = []
    build_teacher(RECIPE, sources, tmp_path, device="cpu", report=told.append, show_progress=False)
    assert told[:2] == [
        "choosing the words",
        f"extracting the vectors of {len(shown_words())} words from the language model",
    ]
    assert any(sentence.endswith("pairs of synonyms closer") for sentence in told)


def test_another_recipe_is_refused_in_the_same_folder(sources: dict[str, Path], folder: Path) -> None:
    with pytest.raises(InputError, match="holds a teacher of another recipe; choose another --run-folder or remove it"):
        build_teacher(replace(RECIPE, votes=1), sources, folder)


def test_missing_sources_are_all_named(sources: dict[str, Path], tmp_path: Path) -> None:
    given = {name: sources[name] for name in ("frequencies", "glove", "synonyms")}
    with pytest.raises(InputError, match=r"not given; add --source glove-6b=PATH --source mpnet=PATH$"):
        build_teacher(RECIPE, given, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_synonyms_of_another_language_are_refused(sources: dict[str, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("слово\tречь\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no pair of words that the teacher knows; is it of another language"):
        build(sources | {"synonyms": other}, tmp_path / "run")


def test_records_bring_later_words_into_the_space(sources: dict[str, Path], folder: Path) -> None:
    """Words that stand in the teacher, brought in once more by the records alone, with and without the table."""
    teacher, distilled = (VectorTable.load(folder / name) for name in ("teacher.npy", "distilled.npy"))
    glove = VectorTable.load(sources["glove"])
    merging, steps = load_merge(folder / "merge.record"), load_pipeline(folder / "steps.record")
    known = [word for word in teacher.words if word in glove][:5]
    unknown_to_glove = shown_words()[-5:]
    both = merging.merge([distilled.select(known), glove.select(known)])
    alone = merging.merge([distilled.select(unknown_to_glove), None])
    for later in (both, alone):
        brought = steps.apply_table(later)
        np.testing.assert_allclose(brought.matrix, teacher.select(brought.words).matrix, atol=1e-4)


def test_the_first_of_several_cases_counts(sources: dict[str, Path], folder: Path, tmp_path: Path) -> None:
    glove = VectorTable.load(sources["glove"])
    shouted = VectorTable([*glove.words, "DAN"], np.vstack([glove.matrix, np.full((1, glove.dim), 9.0)]))
    assert "Dan" in glove
    shouted.save(tmp_path / "shouted.vec")
    again = build(sources | {"glove": tmp_path / "shouted.vec"}, tmp_path / "run")
    np.testing.assert_allclose(again["dan"], VectorTable.load(folder / "teacher.npy")["dan"], atol=1e-5)


def test_a_source_is_named_once_and_parts_must_be_complete() -> None:
    assert replace(RECIPE, tables={"glove-6b": 1.0}).sources == ["frequencies", "glove-6b", "synonyms", "mpnet"]
    for part in ("encoder", "synonyms", "tables"):
        values = {key: value for key, value in config.to_dict(RECIPE).items() if key != part}
        with pytest.raises(ConfigError, match="a merged teacher needs lists, an encoder, at least one table and"):
            config.build(MergedTeacherConfig, values)
    assert config.build(MergedTeacherConfig, {}).sources == []
