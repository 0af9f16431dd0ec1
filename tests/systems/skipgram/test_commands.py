from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from two_processes import run_in_two_processes

from everyword.cli import main
from everyword.systems.skipgram import state_cache
from everyword.vectors.context_pair import ContextPair
from everyword.vectors.table import VectorTable

SMALL = (
    *("dim=6", "window=2", "batch=64", "epochs=1"),
    *("sentences.shortest=4", "sentences.longest=12", "sentences.min_count=3"),
)
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    def run_refused(*arguments: object) -> str:
        result = run(*arguments)
        assert result.exit_code == 2, result.output
        assert result.stderr.count("\n") == 1
        return result.stderr

    return run_refused


@pytest.fixture
def encoder(tiny_bert_folder: Path) -> tuple[object, ...]:
    return ("--encoder", tiny_bert_folder, "--device", "cpu", "--quiet")


def test_prepared_here_and_trained_there(
    run: Run, refused: Callable[..., str], encoder: tuple[object, ...], corpus: Path, tmp_path: Path
) -> None:
    train = ("train", "skipgram", *encoder, "--prepared", "ready", "--output", "words.npy")
    done = run(*train, "--corpus", corpus, "--prepare-only", *SMALL)
    assert done.exit_code == 0, done.stderr
    assert "Prepared the corpus in ready" in done.stderr
    assert not (tmp_path / "words.npy").exists()

    done = run(*train, *SMALL)
    assert done.exit_code == 0, done.stderr
    table = VectorTable.load(tmp_path / "words.npy")
    assert table.dim == 6
    assert "walked" in table
    record = json.loads((tmp_path / "words.npy.record.json").read_text())
    assert record["config"]["window"] == 2
    assert list(record["corpus"]["corpus"]) == [corpus.name]
    assert len(record["states"]["mean"]) == len(record["states"]["spread"]) > 0
    assert "exists already" in refused(*train, *SMALL)
    assert "was started with another configuration" in refused(*train, *SMALL, "--resume", "window=3")

    average = ("train", "average", *encoder[:4], "--prepared", "ready", "--output", "average.npy", "--dim", 5)
    assert run(*average).exit_code == 0
    assert VectorTable.load(tmp_path / "average.npy").words == table.words
    assert VectorTable.load(tmp_path / "average.npy").dim == 5
    assert "is not a prepared corpus" in refused(*average[:6], "--prepared", "nothing", "--output", "x.npy")

    done = run(
        "train", "static", "glove", "--prepared", "ready", "--output", "glove.vec", "dim=4", "epochs=2", "--quiet"
    )
    assert done.exit_code == 0, done.stderr
    assert VectorTable.load(tmp_path / "glove.vec").words == table.words


def test_outputs_are_kept_for_other_commands(
    run: Run, encoder: tuple[object, ...], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = (*encoder[:4], "--prepared", "ready")
    run("train", "skipgram", *given, "--corpus", corpus, "--prepare-only", "--output", "words.npy", *SMALL)
    assert run("train", "average", *given, "--output", "average.npy").exit_code == 0
    assert not list((tmp_path / "ready").glob("states-*"))
    monkeypatch.setattr(state_cache, "_last", None)
    done = run("train", "average", *given, "--output", "kept.npy", "--cache-states")
    assert done.exit_code == 0, done.stderr
    one, other = (VectorTable.load(tmp_path / name).matrix for name in ("average.npy", "kept.npy"))
    np.testing.assert_allclose(one, other, atol=2e-3)
    assert len(list((tmp_path / "ready").glob("states-*"))) == 1


def test_methods_train_on_a_corpus_and_phrases_are_words(
    run: Run, refused: Callable[..., str], corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "words.txt").write_text("New York\nwalked\ndog\n")
    train = ("train", "static", "cbow", "--corpus", corpus, "--words", "words.txt", *SMALL[-3:], "epochs=1", "dim=4")
    done = run(*train, "--output", "cbow.npy")

    assert done.exit_code == 0, done.stderr
    assert sorted(VectorTable.load(tmp_path / "cbow.npy").words) == ["dog", "new york", "walked"]
    assert "'New York' holds ' '" in refused(*train, "--output", "cbow.vec")


@pytest.mark.parametrize("method", ["skip-gram", "glove"])
def test_both_matrices_are_kept(
    run: Run, refused: Callable[..., str], corpus: Path, tmp_path: Path, method: str
) -> None:
    train = ("train", "static", method, "--corpus", corpus, *SMALL[-3:], "epochs=1", "dim=3", "--quiet")
    result = run(*train, "--output", "u.npy", "--contexts", "v.npy")
    assert result.exit_code == 0, result.stderr
    assert "word vectors to u.npy and their context vectors to v.npy" in result.stderr
    pair = ContextPair.load(tmp_path / "u.npy", tmp_path / "v.npy")
    assert pair.counts is not None
    assert pair.counts.min() > 0
    assert (pair.biases is not None) == (method == "glove")
    again = run("alpha", "u.npy", "--contexts", "v.npy", "--output", "limit.npy")
    assert again.exit_code == 0, again.stderr
    assert "cannot hold both" in refused(*train, "--output", "x.npy", "--contexts", "x.npy")
    assert "v.npy exists already" in refused(*train, "--output", "x.npy", "--contexts", "v.npy")
    deps = ("train", "static", "dependency", "--corpus", "x.conllu", "--output", "x.npy", "--contexts", "y.npy")
    assert "those of dependency are not" in refused(*deps)


def test_two_processes_train_what_one_trains(
    run: Run, encoder: tuple[object, ...], corpus: Path, tmp_path: Path
) -> None:
    asked = ("train", "skipgram", *encoder, "--corpus", corpus)
    assert run(*asked, "--output", "one.npy", *SMALL).exit_code == 0
    run_in_two_processes(*asked, "--output", tmp_path / "two.npy", *SMALL)

    one, two = (VectorTable.load(tmp_path / name) for name in ("one.npy", "two.npy"))
    np.testing.assert_allclose(two.matrix, one.matrix, atol=1e-4)
    losses = [json.loads((tmp_path / f"{name}.npy-run" / "log.jsonl").read_text())["loss"] for name in ("one", "two")]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_refusals(run: Run, refused: Callable[..., str], encoder: tuple[object, ...], corpus: Path) -> None:
    train = ("train", "skipgram", *encoder, "--output", "words.npy")
    assert run(*train, "--corpus", corpus, "--prepared", "ready", "--prepare-only", *SMALL).exit_code == 0
    assert "Give text files by --corpus" in refused(*train)
    assert "window must be 1 or more" in refused(*train, "--corpus", corpus, "window=0")
    assert "layers of" in refused(*train, "--corpus", corpus, *SMALL, "layers=[9]")
    assert "There is nothing to resume" in refused(*train, "--corpus", corpus, "--resume", "--run-folder", "nothing")
    assert "--words goes with --corpus" in refused(*train, "--prepared", "ready", "--words", "w.txt")
    assert "skip-gram" in refused("train", "static", "glvoe", "--corpus", corpus, "--output", "x.npy")
    assert "There is no folder" in refused("train", "static", "glove", "--corpus", corpus, "--output", "no/x.npy")


def test_new_words_come_into_a_trained_table(
    run: Run, refused: Callable[..., str], encoder: tuple[object, ...], corpus: Path, tmp_path: Path
) -> None:
    assert run("train", "skipgram", *encoder, "--corpus", corpus, "--output", "words.npy", *SMALL).exit_code == 0
    (tmp_path / "new.jsonl").write_text('{"word": "puppy", "sentences": ["The puppy walked and dog walked."]}\n')
    add = ("train", "skipgram-words", *encoder[:2], "--contexts", "new.jsonl")
    done = run(*add, "--table", "words.npy", "--output", "more.npy")
    assert done.exit_code == 0, done.stderr
    assert "1 of them new" in done.stderr

    before, after = VectorTable.load(tmp_path / "words.npy"), VectorTable.load(tmp_path / "more.npy")
    assert after.words == [*before.words, "puppy"]
    np.testing.assert_array_equal(after.matrix[:-1], before.matrix)
    assert json.loads((tmp_path / "more.npy.record.json").read_text())["new_words"] == 1

    assert "exists already" in refused(*add, "--table", "words.npy", "--output", "more.npy")
    assert "does not say how more.npy was made" in refused(*add, "--table", "more.npy", "--output", "x.npy")
    assert "nothing.npy does not exist" in refused(*add, "--table", "nothing.npy", "--output", "x.npy")
    elsewhere = ("--table", "words.npy", "--output", "x.npy", "--run-folder", "nowhere")
    assert "nowhere has no checkpoint" in refused(*add, *elsewhere)
