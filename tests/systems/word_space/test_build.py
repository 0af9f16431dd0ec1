"""A space of several sources, stage by stage, with a language model of random weights."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_sources import make_sources, shown_words

from everyword import config
from everyword.errors import ConfigError, InputError
from everyword.language_models.language_model import LanguageModel
from everyword.systems.word_space import build as stages
from everyword.systems.word_space.build import build_space
from everyword.systems.word_space.config import TuningConfig, WordSpaceConfig
from everyword.vectors.table import VectorTable

SPACE = WordSpaceConfig(
    lexicon="lexicon",
    encoder="mpnet",
    corpus="corpus",
    templates=("{}", "the {}"),
    tables={"glove": 1.0, "glove-6b": 0.5},
    source_dim=8,
    wide_dim=12,
    dim=8,
    code_sizes=(4, 2),
    fit_on=100,
    tuning=TuningConfig(steps=3),
)
STAGES = {"templates", "occurrences", "texts", "definitions"}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory, tiny_bert_folder: Path) -> dict[str, Path]:
    return make_sources(tmp_path_factory.mktemp("sources"), tiny_bert_folder)


def build(sources: dict[str, Path], folder: Path, space: WordSpaceConfig = SPACE) -> VectorTable:
    return VectorTable.load(build_space(space, sources, folder, device="cpu", show_progress=False))


@pytest.fixture(scope="module")
def folder(sources: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished space, not to be changed."""
    folder = tmp_path_factory.mktemp("built")
    build(sources, folder)
    return folder


def test_words_then_phrases_then_foreign_words(folder: Path) -> None:
    table = VectorTable.load(folder / "teacher.npy")
    words = shown_words()
    sections = json.loads((folder / "teacher.sections.json").read_text())
    assert sections == {"words": len(words), "phrases": 20, "foreign": 1}
    assert table.words[: len(words)] == words
    assert table.words[len(words)] == f"{words[0]} {words[20]}"
    assert table.words[-1] == "wört"
    np.testing.assert_allclose(np.linalg.norm(table.matrix, axis=1), 1, atol=2e-3)
    mean = 0.75 * table[words[3]] + 0.25 * table[words[4]]
    np.testing.assert_allclose(table["wört"], mean / np.linalg.norm(mean), atol=2e-3)


def test_words_that_sources_know_more_of_are_more_reliable(folder: Path) -> None:
    table, bytes_ = VectorTable.load(folder / "teacher.npy"), np.load(folder / "teacher.reliability.npy")
    assert bytes_.shape == (len(table),)
    row = {word: nth for nth, word in enumerate(table.words)}
    words = shown_words()
    assert bytes_[row[words[0]]] > bytes_[row[words[100]]] > bytes_[row[f"{words[0]} {words[20]}"]] >= 0.4 * 255
    assert bytes_[row["wört"]] < max(bytes_[row[words[3]]], bytes_[row[words[4]]])


def test_every_stage_leaves_a_file_and_is_not_run_again(
    sources: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    build_space(SPACE, sources, tmp_path, device="cpu", report=said.append, show_progress=False)
    assert {path.stem for path in (tmp_path / "space").glob("*")} == STAGES
    assert said[0] == f"encoding {len(shown_words()) + 20} entries in 2 templates"
    first = (tmp_path / "teacher.npy").read_bytes()
    (tmp_path / "teacher.npy").unlink()

    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("the language model was asked again")

    monkeypatch.setattr(LanguageModel, "load", refuse)
    build_space(SPACE, sources, tmp_path, device="cpu", show_progress=False)
    assert (tmp_path / "teacher.npy").read_bytes() == first


def test_a_source_without_weight_is_not_made(sources: dict[str, Path], tmp_path: Path) -> None:
    build(sources, tmp_path, replace(SPACE, weights={"templates": 1.0}, corpus=None, tuning=TuningConfig(steps=0)))
    assert {path.stem for path in (tmp_path / "space").glob("*")} == {"templates"}


def test_stages_of_another_recipe_are_refused(sources: dict[str, Path], folder: Path) -> None:
    with pytest.raises(InputError, match="holds a teacher of another recipe; choose another --run-folder"):
        build_space(replace(SPACE, trust=3.0), sources, folder)
    assert build_space(replace(SPACE, workers=2), sources, folder) == folder / "teacher.npy"


def test_other_weights_need_no_new_sources(
    sources: dict[str, Path], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(folder / "space", tmp_path / "space")
    monkeypatch.setattr(LanguageModel, "load", lambda *_arguments, **_options: pytest.fail("sources were made anew"))
    other = build(sources, tmp_path, replace(SPACE, trust=3.0))
    assert not np.array_equal(other.matrix, VectorTable.load(folder / "teacher.npy").matrix)
    shutil.copytree(folder / "space", tmp_path / "again" / "space")
    with pytest.raises(InputError, match="was started with another configuration"):
        build(sources, tmp_path / "again", replace(SPACE, templates=("{}",)))


def test_an_unreadable_recipe_of_stages_is_refused(sources: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / stages.RECIPE).write_text("nothing")
    with pytest.raises(InputError, match="holds a teacher of another recipe"):
        build_space(SPACE, sources, tmp_path)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"lexicon": "a"}, "a space needs an encoder"),
        ({"encoder": "a"}, "a space needs a lexicon, or a corpus to make one from"),
        ({"lexicon": "a", "encoder": "b"}, "occurrences and texts need a corpus"),
        ({"weights": {"template": 1.0}}, "there are no encoded sources template; choose from templates, occurrences"),
        ({"weights": {"definitions": 1.0}}, "templates need a weight above 0"),
    ],
)
def test_sources_that_are_missing(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        config.build(WordSpaceConfig, values)
