"""everyword align: files in, files out; nothing is written when something is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from two_spaces import dictionary, rotated_tables

from everyword.space.alignment import load_alignment
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

from .conftest import Run


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for table, name in zip(rotated_tables(), ("source.vec", "target.vec"), strict=True):
        table.save(tmp_path / name)
    for name, pairs in (("train.tsv", dictionary(0, 60)), ("test.tsv", [*dictionary(60, 99), ("s1", "none")])):
        (tmp_path / name).write_text("".join(f"{one}\t{other}\n" for one, other in pairs))
    return tmp_path


def test_the_source_lands_in_the_space_of_the_target(run: Run, files: Path) -> None:
    result = run(
        *("align", "source.vec", "target.vec", "--dictionary", "train.tsv", "--test", "test.tsv"),
        *("--output", "mapped.vec"),
    )
    assert result.exit_code == 0, result.stderr
    assert "60 pairs of words, all in both tables" in result.stderr
    assert "39 of 40 words of test.tsv and a translation are in the tables; of these:" in result.stdout
    assert "  nearest neighbour  P@1 100.0  P@5 100.0  MRR 100.0\n" in result.stdout
    assert "  CSLS               P@1 100.0  P@5 100.0  MRR 100.0\n" in result.stdout
    assert result.stderr.endswith(
        "Saved 200 vectors of dimension 12 to mapped.vec.\nSaved the alignment to mapped.vec.record.\n"
    )
    mapped, target = read_table(files / "mapped.vec"), read_table(files / "target.vec").unit()
    np.testing.assert_allclose(mapped.matrix, target.matrix, atol=1e-4)


def test_later_words_go_through_the_saved_map(run: Run, files: Path) -> None:
    fitted = run(
        *("align", "source.vec", "target.vec", "--dictionary", "train.tsv", "--method", "vecmap"),
        *("--power", "-0.25,0.15", "--output", "mapped.vec", "--output-target", "other.vec", "--save-map", "map"),
    )
    assert fitted.exit_code == 0, fitted.stderr
    assert load_alignment(files / "map").moves_target
    read_table(files / "source.vec", limit=7).save(files / "later.vec")
    later = run("align", "later.vec", "target.vec", "--map", "map", "--output", "later-mapped.vec")
    assert later.exit_code == 0, later.stderr
    assert "The common space is not that of target.vec: write its vectors there with --output-target." in later.stderr
    np.testing.assert_allclose(
        read_table(files / "later-mapped.vec").matrix, read_table(files / "mapped.vec").matrix[:7], atol=1e-5
    )
    assert read_table(files / "other.vec").words == read_table(files / "target.vec").words


@pytest.mark.parametrize(
    "arguments",
    [
        ["--dictionary", "few.tsv", "--self-learning", "--learning-words", "200", "--power", "auto"],
        ["--dictionary", "train.tsv", "--self-learning", "--induction", "union"],
        ["--unsupervised", "--method", "vecmap", "--seed", "3"],
    ],
)
def test_few_pairs_or_none_are_enough_with_self_learning(run: Run, files: Path, arguments: list[str]) -> None:
    (files / "few.tsv").write_text("".join(f"{one}\t{other}\n" for one, other in dictionary(0, 8)))
    result = run("align", "source.vec", "target.vec", *arguments, "--test", "test.tsv", "--output", "mapped.vec")
    assert result.exit_code == 0, result.stderr
    assert "induced pairs" in result.stdout
    assert "CSLS               P@1 100.0" in result.stdout
    assert "round 1: " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--dictionary", "strange.tsv"], "none of their words is in either table"),
        (["--dictionary", "none.tsv"], "There is no dictionary none.tsv"),
        ([], "Give pairs of words: --dictionary, --seeds for words spelt alike, or --unsupervised"),
        (["--seeds", "identical"], "The tables share no word that could serve as a seed"),
        (["--dictionary", "train.tsv", "--power", "1"], "--power takes two numbers, as in -0.25,0.15"),
        (["--dictionary", "train.tsv", "--power", "x,1"], "--power takes numbers with commas"),
        (["--dictionary", "train.tsv", "--method", "cca:dims=0"], "dims"),
        (["--dictionary", "train.tsv", "--map", "map"], "With --map nothing is fitted; leave out --dictionary"),
        (["--map", "map"], "is not a saved record"),
        (["--dictionary", "train.tsv", "--seed", "1"], "--seed are for --self-learning or --unsupervised"),
        (["--dictionary", "train.tsv", "--unsupervised"], "--unsupervised takes no --dictionary"),
        (["--dictionary", "train.tsv", "--output-target", "mapped.vec"], "choose two files"),
    ],
)
def test_mistakes_are_one_sentence_and_nothing_is_written(
    refused: Callable[..., str], files: Path, arguments: list[str], sentence: str
) -> None:
    (files / "strange.tsv").write_text("a\tb\n")
    before = sorted(files.iterdir())
    assert sentence in refused("align", "source.vec", "target.vec", *arguments, "--output", "mapped.vec")
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (np.ones((200, 5)), "A rotation needs tables of one dimension. Got 12 and 5"),
        (np.ones((200, 1)), "target.npy has vectors of one number each"),
        (np.full((200, 12), np.nan), "NaN"),
    ],
)
def test_tables_that_do_not_go_together_are_refused(
    refused: Callable[..., str],
    files: Path,
    matrix: np.ndarray,
    sentence: str,  # type: ignore[type-arg]
) -> None:
    np.save(files / "target.npy", matrix.astype(np.float32))
    (files / "target.words.txt").write_text("\n".join(read_table(files / "target.vec").words) + "\n")
    before = sorted(files.iterdir())
    said = refused("align", "source.vec", "target.npy", "--dictionary", "train.tsv", "--output", "mapped.vec")
    assert sentence in said
    assert sorted(files.iterdir()) == before


def test_existing_files_are_kept(refused: Callable[..., str], files: Path) -> None:
    VectorTable(["a"], np.ones((1, 2), dtype=np.float32)).save(files / "mapped.vec")
    given = ("align", "source.vec", "target.vec", "--dictionary", "train.tsv", "--output")
    assert "exists already" in refused(*given, "mapped.vec")
    assert "is read by this command" in refused(*given, "source.vec", "--overwrite")
