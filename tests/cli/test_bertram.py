from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from everyword.systems.bertram import Bertram
from everyword.vectors.table import VectorTable

from .conftest import Run

FREQUENT = {word: [f"the {word} sat on a mat", f"a {word}"] for word in ("cat", "dog", "city", "walking", "york")}
RARE = {"catdog": ["the Catdog sat", "no word here"], "yorker": []}
FAST = ("context.epochs=1", "form.epochs=1", "combined.epochs=1")
Train = Callable[..., Result]


def write_contexts(path: str, contexts: dict[str, list[str]]) -> None:
    lines = [json.dumps({"word": word, "sentences": sentences}) for word, sentences in contexts.items()]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def train(run: Run, tiny_bert_folder: Path) -> Train:
    write_contexts("frequent.jsonl", FREQUENT)
    write_contexts("rare.jsonl", RARE)

    def train_tiny(*arguments: object, contexts: str = "frequent.jsonl") -> Result:
        given = ("--encoder", tiny_bert_folder, "--contexts", contexts, "--device", "cpu", "--quiet")
        return run("bertram", "train", *given, "--output", "out", *FAST, *arguments)

    return train_tiny


@pytest.fixture
def refused_train(train: Train) -> Callable[..., str]:
    def refuse(*arguments: object, **more: str) -> str:
        result = train(*arguments, **more)
        assert result.exit_code == 2, result.stderr
        assert result.stderr.count("\n") == 1, result.stderr
        assert not Path("out").exists()
        return result.stderr

    return refuse


def test_asking_for_nothing_is_asking_for_help(run: Run, refused: Callable[..., str]) -> None:
    result = run("bertram")

    assert result.exit_code == 0
    assert "everyword bertram train --encoder my-bert" in result.stdout
    assert "There is no command 'bertram trian': did you mean 'train'?" in refused("bertram", "trian")


def test_from_sentences_to_vectors(train: Train, run: Run, tiny_bert_folder: Path) -> None:
    result = train("--variant", "replace", "seed=3")
    assert result.exit_code == 0, result.stderr
    assert "Saved the model to out. Use it:  everyword bertram infer out --encoder" in result.stderr

    given = ("--encoder", tiny_bert_folder, "--contexts", "rare.jsonl", "--device", "cpu", "--quiet")
    result = run("bertram", "infer", "out", *given, "--output", "rare.npy")

    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines() == [
        "everyword: Skipped 1 of 2 sentences that do not contain the word they are given for, "
        "such as those of 'catdog'",
        "Saved 2 vectors of dimension 16, 1 of them from spelling alone, to rare.npy.",
    ]
    bertram = Bertram.load("out", tiny_bert_folder, device="cpu")
    assert (bertram.config.variant, bertram.config.seed) == ("replace", 3)
    assert bertram.record["corpus"] == {"contexts": "frequent.jsonl"}
    table = VectorTable.load("rare.npy")
    assert table.words == list(RARE)
    np.testing.assert_allclose(table["catdog"], bertram.infer("catdog", RARE["catdog"][:1]), rtol=1e-5)


def test_listed_words_need_no_sentences(train: Train, run: Run, tiny_bert_folder: Path) -> None:
    assert train().exit_code == 0
    Path("words.txt").write_text("catdog\nmatter\n")

    result = run("bertram", "infer", "out", "--encoder", tiny_bert_folder, "--words", "words.txt", "--output", "o.vec")

    assert result.exit_code == 0, result.stderr
    assert VectorTable.load("o.vec").words == ["catdog", "matter"]


def test_targets_and_a_form_model(train: Train, tiny_model_folder: Path, tiny_bert_folder: Path) -> None:
    VectorTable(["cats"], np.ones((1, 16), dtype=np.float32)).save("made.npy")
    write_contexts("more.jsonl", {**FREQUENT, "cats": ["the cats sat"]})

    result = train("--targets", "made.npy", "--form", tiny_model_folder, contexts="more.jsonl")

    assert result.exit_code == 0, result.stderr
    assert Bertram.load("out", tiny_bert_folder, device="cpu").record["words"] == 6


def test_a_run_is_kept_and_resumed(train: Train, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("everyword.systems.bertram.train.train_bertram", lambda encoder, run: None)
        result = train()
        assert result.exit_code == 130
        assert result.stderr == "Stopped; the run is saved in out-run. Continue with the same command and --resume.\n"
    assert train().exit_code == 0
    assert "out exists already and is not empty" in train().stderr
    assert train("--resume", "--overwrite").exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--resume"], "There is nothing to resume in out-run"),
        (["context.epoch=3"], "unknown key 'context.epoch': did you mean 'epochs'?"),
        (["weights=words"], "weights 'words' is a setting of the form-context model"),
        (["combined.learning_rate=0"], "learning_rate must be above 0. Got 0.0 instead"),
        (["--variant", "ad"], "Invalid value for '--variant': 'ad' is not one of"),
        (["--targets", "no.vec"], "no.vec"),
        (["--form", "everyword-enn"], "There is no model 'everyword-enn'"),
    ],
)
def test_what_cannot_be_trained(refused_train: Callable[..., str], options: list[str], message: str) -> None:
    assert message in refused_train(*options)


def test_contexts_that_cannot_be_read(refused_train: Callable[..., str]) -> None:
    assert "no.jsonl does not exist" in refused_train(contexts="no.jsonl")


def test_what_cannot_be_inferred(refused: Callable[..., str], tmp_path: Path) -> None:
    assert "Give --contexts, --words or both" in refused("bertram", "infer", "out", "--output", "o.vec")
    Path("words.txt").write_text("cat\n")
    given = ("bertram", "infer", tmp_path, "--words", "words.txt", "--output")
    assert "the format is not clear from the name" in refused(*given, "o.txtt")
    assert "is not a saved BERTRAM" in refused(*given, "o.vec")


def test_a_word_in_several_files_has_the_sentences_of_all(train: Train, run: Run, tiny_bert_folder: Path) -> None:
    assert train().exit_code == 0
    write_contexts("own.jsonl", {"catdog": ["a catdog sat on the mat"]})
    write_contexts("both.jsonl", {"catdog": ["the Catdog sat", "a catdog sat on the mat"], "yorker": []})
    write_contexts("rare.jsonl", {"catdog": ["the Catdog sat"], "yorker": []})
    given = ("--encoder", tiny_bert_folder, "--device", "cpu", "--quiet")

    for output, contexts in (("two.npy", ["rare.jsonl", "own.jsonl"]), ("one.npy", ["both.jsonl"])):
        named = [part for file in contexts for part in ("--contexts", file)]
        result = run("bertram", "infer", "out", *given, *named, "--output", output)
        assert result.exit_code == 0, result.stderr

    two, one = VectorTable.load("two.npy"), VectorTable.load("one.npy")
    assert two.words == one.words == ["catdog", "yorker"]
    assert np.array_equal(two.matrix, one.matrix)


def test_vectors_go_into_a_language_model_as_a_folder(run: Run, tiny_bert_folder: Path) -> None:
    from everyword.language_models.heads import load_as_saved
    from everyword.plugins.transformers import add_words, from_pretrained

    table = VectorTable(["catdog"], np.full((1, 16), 0.5))
    table.save("rare.npy")
    plain, tokenizer = load_as_saved(tiny_bert_folder)
    inputs = tokenizer("the catdog sat", return_tensors="pt")
    result = run("bertram", "inject", tiny_bert_folder, "rare.npy", "--output", "robust", "--strategy", "replace")
    assert result.exit_code == 0, result.stderr
    assert "Saved the robust model to robust. Load it:" in result.stderr

    robust, _ = from_pretrained("robust")
    assert type(robust) is type(plain)
    before = plain.eval()(**inputs).last_hidden_state
    after = robust.eval()(**inputs).last_hidden_state
    assert not np.allclose(before.detach(), after.detach())
    assert np.allclose(before.detach(), load_as_saved("robust")[0].eval()(**inputs).last_hidden_state.detach())

    again = run("bertram", "inject", tiny_bert_folder, "rare.npy", "--output", "robust", "--overwrite")
    assert again.exit_code == 0, again.stderr
    assert from_pretrained("robust")[0].everyword.settings["strategy"] == "slash"

    added = add_words(plain, tokenizer, table.words, table)
    assert added.added == ("catdog",)


def test_inject_refuses_what_it_cannot_use(run: Run, tiny_bert_folder: Path, refused: Callable[..., str]) -> None:
    VectorTable(["catdog"], np.ones((1, 5))).save("short.npy")
    VectorTable(["catdog"], np.ones((1, 16))).save("rare.npy")
    inject = ("bertram", "inject")

    assert "dimension" in refused(*inject, tiny_bert_folder, "short.npy", "--output", "new")
    assert "exists already and is not empty" in refused(
        *inject, tiny_bert_folder, "rare.npy", "--output", tiny_bert_folder
    )
    assert "There is no folder" in refused(*inject, "no/such/bert", "rare.npy", "--output", "new")
    assert not Path("new").exists()
