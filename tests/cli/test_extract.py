from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from tiny_transformers import SENTENCES

from everyword.language_models.language_model import LanguageModel
from everyword.language_models.one_token import OneTokenConfig, one_token_table
from everyword.language_models.templates import template_table
from everyword.vectors.table import VectorTable

from .conftest import Run

Distil = Callable[..., Result]
WORDS = ["cat", "dog", "New York"]


@pytest.fixture
def distil(run: Run, tiny_bert_folder: Path) -> Distil:
    """Runs `everyword extract` on the tiny BERT, in a folder that holds words.txt and corpus.txt."""
    Path("words.txt").write_text("\n".join(WORDS), encoding="utf-8")
    Path("corpus.txt").write_text("\n".join(SENTENCES), encoding="utf-8")

    def distil_tiny(*arguments: object, words: str | None = "words.txt", output: str = "out.npy") -> Result:
        listed = ["--words", words] if words else []
        return run("extract", tiny_bert_folder, *listed, "--output", output, "--device", "cpu", "--quiet", *arguments)

    return distil_tiny


@pytest.fixture
def refused_distil(distil: Distil) -> Callable[..., str]:
    def refuse(*arguments: object, **more: str | None) -> str:
        result = distil(*arguments, **more)
        assert result.exit_code == 2, result.stderr
        assert result.stderr.count("\n") == 1
        assert not Path("out.npy").exists()
        return result.stderr

    return refuse


def test_bare_words(distil: Distil, tiny_bert_folder: Path) -> None:
    result = distil()

    assert result.exit_code == 0, result.stderr
    assert result.stderr == "Saved 3 vectors of dimension 16 to out.npy.\n"
    expected = template_table(LanguageModel.load(tiny_bert_folder, device="cpu"), WORDS)
    np.testing.assert_array_equal(VectorTable.load("out.npy").matrix, expected.matrix)


def test_templates(distil: Distil, tiny_bert_folder: Path) -> None:
    options = ["--template", "the {}", "--template", "{} sat", "--pool", "word", "--layers", "-1,-2", "--limit", "2"]

    assert distil(*options, output="out.vec").exit_code == 0

    expected = template_table(
        LanguageModel.load(tiny_bert_folder, device="cpu"),
        WORDS[:2],
        ["the {}", "{} sat"],
        pool="word",
        layers=(-1, -2),
    )
    table = VectorTable.load("out.vec")
    assert table.words == WORDS[:2]
    np.testing.assert_allclose(table.matrix, expected.matrix, atol=1e-5)


def test_input_vectors_of_all_words(distil: Distil) -> None:
    assert distil("--how", "input", words=None).exit_code == 0
    assert "cat" in VectorTable.load("out.npy")


def test_one_token_for_words_of_several_pieces(distil: Distil, tiny_bert_folder: Path) -> None:
    result = distil("--how", "one-token", "--iterations", "3")

    assert result.exit_code == 0, result.stderr
    encoder = LanguageModel.load(tiny_bert_folder, device="cpu")
    expected = one_token_table(encoder, WORDS, OneTokenConfig(iterations=3))
    np.testing.assert_allclose(VectorTable.load("out.npy").matrix, expected.matrix, atol=1e-6)


def test_left_out_words_are_one_line(distil: Distil) -> None:
    result = distil("--how", "input")

    assert result.exit_code == 0
    assert result.stderr.splitlines()[0].startswith("everyword: 1 of 3 words are left out, because they are not one")


def test_a_corpus_pooled_both_ways(distil: Distil, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = ["--corpus", "corpus.txt", "--occurrences", "2"]
    assert distil(*corpus).exit_code == 0
    assert "holds a run already; continue it with --resume" in distil(*corpus).stderr

    result = distil(*corpus, "--resume", "--pool", "max")

    assert result.exit_code == 0, result.stderr
    assert VectorTable.load("out.npy").words == WORDS


def test_ctrl_c_keeps_the_run(distil: Distil, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.language_models.corpus_pooling.pool_corpus", lambda model, run: None)

    result = distil("--corpus", "corpus.txt")

    assert result.exit_code == 130
    assert result.stderr == "Stopped; the run is saved in out.npy-run. Continue with the same command and --resume.\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--how", "template"], "--how template needs --template."),
        (["--how", "corpus"], "--how corpus needs --corpus."),
        (["--how", "bare", "--template", "a {}"], "--template goes with --how template, not with --how bare."),
        (["--template", "a"], "A template must have one {} for the word"),
        (["--pool", "men"], "Invalid value for '--pool': 'men' is not one of"),
        (
            ["--corpus", "corpus.txt", "--pool", "cls"],
            "--pool cls does not go with --how corpus; choose from mean, max.",
        ),
        (["--how", "input", "--pool", "max"], "--pool max does not go with --how input; a word has one input vector"),
        (["--layers", "last"], "--layers takes numbers with commas between them, as in -1,-2. Got 'last' instead."),
        (["--layers", "7"], "Got 7 instead."),
        (["--iterations", "9"], "--iterations goes with --how one-token, not with --how bare."),
        (["--resume"], "--resume goes with --how corpus, not with --how bare."),
        (["--corpus", "corpus.txt", "--resume"], "There is nothing to resume in out.npy-run"),
        (["--corpus", "no.txt"], "no.txt does not exist; give the path of a text file."),
    ],
)
def test_what_cannot_be_asked_for(refused_distil: Callable[..., str], options: list[str], message: str) -> None:
    assert message in refused_distil(*options)


def test_words_are_needed(refused_distil: Callable[..., str]) -> None:
    assert "Missing option '--words', a file of words" in refused_distil(words=None)
    assert "words.no does not exist; give the path of a list of words." in refused_distil(words="words.no")
    assert "--limit goes with --words" in refused_distil("--how", "input", "--limit", "3", words=None)


def test_an_output_that_cannot_be_written_is_told_before_anything_runs(refused_distil: Callable[..., str]) -> None:
    assert "the format is not clear from the name" in refused_distil(output="out.npz")
    assert "There is no folder no to write out.npy into" in refused_distil(output="no/out.npy")


def test_a_folder_that_is_no_model(refused: Callable[..., str]) -> None:
    Path("words.txt").write_text("cat")
    Path("empty").mkdir()

    assert "empty holds no model of transformers" in refused(
        "extract", "empty", "--words", "words.txt", "--output", "o.npy"
    )
