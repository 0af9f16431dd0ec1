"""Whoever is killed while writing leaves what was there before or what was to come, whole, and can go on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import killed_programs
import numpy as np
import pytest
from corpus.contexts.made_corpus import bytes_of
from killed import killed_at_every_change
from killed_programs import NEW, OLD, table_of

import everyword
from everyword.arrays import read_tensors
from everyword.atomic import FolderWriter
from everyword.corpus.contexts.sentences import stream_sentences
from everyword.errors import InputError
from everyword.space import load_record
from everyword.space.record import load_alignment
from everyword.vectors.table import VectorTable

PROGRAMS = [name for name in vars(killed_programs) if hasattr(getattr(killed_programs, name), "work")]
Folders = dict[str, list[Path]]


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """What killed programs left."""
    programs = [name for name in PROGRAMS if not isinstance(getattr(killed_programs, name), type)]
    return killed_at_every_change("killed_programs", programs, tmp_path_factory.mktemp("killed"))


def old_then_new(folders: list[Path], seen_in: Callable[[Path], object]) -> None:
    """The old state up to some moment, the new one from then on, and never anything else."""
    old, new = seen_in(folders[0]), seen_in(folders[-1])
    assert old != new
    seen = [seen_in(folder) for folder in folders]
    turn = seen.index(new)
    assert seen == [old] * turn + [new] * (len(seen) - turn)


def table_in(path: Path) -> tuple[list[str], list[list[float]]]:
    table = VectorTable.load(path)
    return table.words, table.matrix.tolist()


@pytest.mark.parametrize("suffix", ["vec", "npy"])
def test_a_table_over_an_older_one(left: Folders, suffix: str) -> None:
    folders = left[f"save_{suffix}"]
    old_then_new(folders, lambda folder: table_in(folder / f"x.{suffix}"))
    for folder in folders:  # whatever lies there, the next one is written
        table_of(OLD).save(folder / f"x.{suffix}")
        table_of(NEW).save(folder / f"x.{suffix}")
        assert table_in(folder / f"x.{suffix}") == table_in(folders[-1] / f"x.{suffix}")
        assert not list(folder.glob("*.partial"))


@pytest.mark.parametrize("name", ["save_model", "save_adapted"])
def test_a_model_over_an_older_one(left: Folders, name: str) -> None:
    program = getattr(killed_programs, name)

    def seen_in(folder: Path) -> object:
        model = everyword.load(folder / "model")
        return list(model.known_words.words), model.encode(["ban", "bann", "grin"]).tolist()

    old_then_new(left[name], seen_in)
    for folder in left[name]:
        program.before(folder)
        program.work(folder)
        assert seen_in(folder) == seen_in(left[name][-1])
        assert not list(folder.rglob("*.partial"))


def test_a_save_that_is_killed_after_another_one_was_loses_nothing(left: Folders) -> None:
    for folder in left["save_model"]:
        before = everyword.load(folder / "model").known_words.words
        # The first thing that a writer does is to make the moves that the killed one owes.
        FolderWriter(folder / "model", "config.json", "model").put("words.txt", "half")
        assert everyword.load(folder / "model").known_words.words == before


def test_a_record_over_an_older_one(left: Folders) -> None:
    rows = np.ones((1, 3), dtype=np.float32)
    old_then_new(left["save_record"], lambda folder: load_record(folder / "record").apply(rows).tolist())


def test_a_bertram_over_an_older_one(left: Folders) -> None:
    from everyword.language_models.language_model import LanguageModel
    from everyword.systems.bertram import Bertram

    encoder = LanguageModel.load(left["save_bertram"][0] / "bert", device="cpu")
    contexts = {"catdog": ["the catdog sat"]}
    old_then_new(left["save_bertram"], lambda folder: Bertram.load(folder / "model", encoder).infer(contexts).tolist())


def test_a_robust_model_over_an_older_one_is_never_half_of_each(left: Folders) -> None:
    from everyword.plugins.transformers import from_pretrained

    def seen_in(folder: Path) -> object:
        try:
            model, _ = from_pretrained(folder / "model")
        except InputError as error:
            assert "does not hold a robust model" in str(error)  # noqa: PT017
            return "none"
        return model.everyword.settings["strategy"]

    seen = [seen_in(folder) for folder in left["save_robust"]]
    assert sorted(set(seen), key=seen.index) == ["replace", "none", "linear"]


def test_encode_over_an_older_file(left: Folders) -> None:
    old_then_new(left["encode"], lambda folder: table_in(folder / "x.vec"))


def test_an_alignment_over_an_older_one(left: Folders) -> None:
    folders = left["align_tables"]
    old_then_new(folders, lambda folder: table_in(folder / "x.vec"))
    for folder in folders:
        load_alignment(folder / "x.vec.record")  # the old one or the new one, whole
        killed_programs.align_tables.work(folder)
        assert table_in(folder / "x.vec") == table_in(folders[-1] / "x.vec")
        assert not list(folder.rglob("*.partial"))


def test_a_search_makes_its_index_again(left: Folders, capsys: pytest.CaptureFixture[str]) -> None:
    *cut_off, finished = left["search_texts"]
    assert len(cut_off) == 2
    killed_programs.search_texts.work(finished)
    found = capsys.readouterr().out
    for folder in cut_off:
        killed_programs.search_texts.work(folder)
        assert capsys.readouterr().out == found
        assert {*os.listdir(folder)} == {*os.listdir(finished)}


def test_a_tagger_goes_on_and_learns_the_same(left: Folders) -> None:
    *cut_off, finished = left["train_tagger"]
    assert len(cut_off) > 6

    def learnt(folder: Path) -> dict[str, list[float]]:
        weights, _ = read_tensors(
            folder / "tagger" / "tagger.safetensors"
        )  # the paths beside them are those of a folder
        return {name: array.tolist() for name, array in weights.items()}

    for folder in cut_off:
        killed_programs.train_tagger.work(folder)
        assert learnt(folder) == learnt(finished)


def test_contexts_go_on_and_give_the_same_bytes(left: Folders) -> None:
    *cut_off, finished = left["find_contexts"]
    for folder in cut_off:
        if (folder / "out" / "contexts.jsonl").is_file():
            assert len(list(stream_sentences(folder / "out"))) > 1
        killed_programs.find_contexts.work(folder)
        assert bytes_of(folder / "out") == bytes_of(finished / "out")
        # Parts may stay where the last thing that a run does is not done; they are whole, and nobody needs them.
        assert {*os.listdir(folder / "out")} - {"parts"} == {"contexts.jsonl", "record.json"}


def test_embedding_goes_on_and_gives_the_same_bytes(left: Folders) -> None:
    *cut_off, finished = left["embed_texts"]
    assert len(cut_off) > 8
    for folder in cut_off:
        killed_programs.embed_texts.work(folder)
        assert {*os.listdir(folder / "out")} == {
            "_manifest.json",
            *(f"part-0000{each}-of-00003.npy" for each in range(3)),
        }
        for path in (folder / "out").glob("*.npy"):
            assert path.read_bytes() == (finished / "out" / path.name).read_bytes()


def test_training_goes_on_and_learns_the_same(left: Folders) -> None:
    *cut_off, finished = left["train_model"]
    assert len(cut_off) > 10
    for folder in cut_off:
        killed_programs.train_model.work(folder)
        assert (folder / "learnt").read_bytes() == (finished / "learnt").read_bytes()
        lines = (folder / "run" / "log.jsonl").read_text(encoding="utf-8").splitlines()
        assert all(line.startswith("{") for line in lines)
