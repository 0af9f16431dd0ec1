"""everyword train tagger and everyword tag: from tagged sentences to tagged texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from everyword.vectors.table import VectorTable

from .conftest import Run

SMALL = ("states=8", "characters=4", "epochs=6", "batch=8", "learning_rate=0.03", "dropout=0.1")
NAMES, PLACES = ["Ada", "Bob", "Eve"], ["Ghent", "Turin", "Basel"]


def write(path: str, sentences: list[str]) -> None:
    lines = [sentence.replace("/", "\t").replace(" ", "\n") for sentence in sentences]
    Path(path).write_text("\n\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def data(run: Run) -> tuple[object, ...]:
    """Writes files to the folder of the test, and gives the arguments that name them."""
    words = [*NAMES, *PLACES, "in", "lives", "."]
    VectorTable(words, np.eye(len(words), dtype=np.float32)).save(Path("words.vec"))
    pairs = [(name, place) for name in NAMES for place in PLACES]
    sentences = [f"{name}/B-PER lives/O in/O {place}/B-LOC ./O" for name, place in pairs]
    write("train.conll", [*sentences, *(f"{name}/B-PER {name}/I-PER lives/O ./O" for name in NAMES)] * 3)
    write("dev.conll", sentences[:4])
    return ("train", "tagger", "--train", "train.conll", "--vectors", "words.vec", "--output", "ner", "--quiet")


def test_a_tagger_is_trained_and_tags_texts(run: Run, data: tuple[object, ...]) -> None:
    made = run(*data, "--dev", "dev.conll", "--test", "dev.conll", "--experts", "--entity-task", *SMALL)

    assert made.exit_code == 0, made.stderr
    assert "36 sentences to learn from, 4 to choose by." in made.stderr
    assert "F1 on dev.conll: 100.00" in made.stderr
    assert "Try it:  everyword tag ner TEXT" in made.stderr

    tagged = run("tag", "ner", "Bob lives in Turin.", "lives")
    assert [line.split()[:2] for line in tagged.stdout.splitlines()[1:3]] == [["Bob", "PER"], ["Turin", "LOC"]]
    [line] = run("tag", "ner", "--json", input="Bob lives in Turin.\n").stdout.splitlines()
    found = json.loads(line)
    assert found["tokens"] == ["Bob", "lives", "in", "Turin", "."]
    assert [span["label"] for span in found["spans"]] == ["PER", "LOC"]
    assert all(0 < one <= 1 for one in found["confidences"])

    Path("words.vec").rename("moved.vec")
    assert (
        run("tag", "ner", "Bob lives in Turin.", "--vectors", "moved.vec").stdout
        == "\n".join(tagged.stdout.splitlines()[:3]) + "\n"
    )


def test_a_tagger_is_pruned_while_it_learns_or_afterwards(run: Run, data: tuple[object, ...]) -> None:
    sizes = []
    for options in ((), ("--prune", 0.7)):
        assert run(*data, "--dev", "dev.conll", "--overwrite", *options, *SMALL, "states=40").exit_code == 0
        sizes.append(Path("ner/tagger.safetensors").stat().st_size)
    assert sizes[1] < 0.6 * sizes[0]

    pruned = run("shrink", "ner", "--sparsity", 0.8, "--output", "smaller")
    assert pruned.exit_code == 0, pruned.stderr
    assert "Saved the tagger with 80% zeros to smaller" in pruned.stderr
    assert Path("smaller/tagger.safetensors").stat().st_size < sizes[1]
    assert run("tag", "smaller", "Bob lives in Turin.").exit_code == 0


def test_tags_that_mark_no_spans_and_dev_from_train(run: Run, data: tuple[object, ...]) -> None:
    write("train.conll", [f"{name}/NOUN lives/VERB ./PUNCT" for name in NAMES] * 8)

    made = run(*data, *SMALL)

    assert made.exit_code == 0, made.stderr
    assert "22 sentences to learn from, 2 to choose by." in made.stderr
    assert "accuracy 100.00 on dev" in made.stderr
    assert [line.split()[1] for line in run("tag", "ner", "Bob lives.").stdout.splitlines()[1:]] == [
        "NOUN",
        "VERB",
        "PUNCT",
    ]


def test_what_cannot_be_is_refused(
    refused: Callable[..., str], run: Run, data: tuple[object, ...], tmp_path: Path
) -> None:
    write("broken.conll", ["Ada/B-PER lives/I-LOC"])
    assert "train.conll" in refused(*data[:2], "--train", "train.conll.gz", *data[4:])
    assert "broken.conll:2: the tag 'I-LOC' is not valid BIO" in refused(*data, "--dev", "broken.conll")
    assert "states must be 1 or more" in refused(*data, "states=0")
    assert "There is nothing to resume" in refused(*data, "--resume")
    write("one.conll", ["Ada/O lives/O"] * 20)
    assert "only one tag, 'O'" in refused(*data[:2], "--train", "one.conll", *data[4:])
    assert "There is no tagger in ner" in refused("tag", "ner", "Ada")
    assert not (tmp_path / "ner").exists()

    write("new.conll", ["Ada/B-ORG lives/O"])
    assert (
        "B-ORG: in dev, but not in train.conll; such tags are never given."
        in run(*data, "--dev", "new.conll", *SMALL, "epochs=1").stderr
    )
    assert "exists already and is not empty" in refused(*data)


TURKISH = [("ev", "NOUN", "Case=Nom"), ("evi", "NOUN", "Case=Acc"), ("gel", "VERB", "_")]


def test_full_tags_are_spelt_without_vectors(run: Run, refused: Callable[..., str], data: tuple[object, ...]) -> None:
    word = "{}\t{}\t_\t{}\t_\t{}\t0\t_\t_\t_"
    lines = [word.format(place, *TURKISH[place - 1]) for place in (1, 2, 3)]
    Path("tr.conllu").write_text("\n".join([*lines, ""] * 16), encoding="utf-8")
    given = ("train", "tagger", "--train", "tr.conllu", "--vectors", "none", "--output", "tags", "--quiet", *SMALL)

    made = run(*given, "--spell-tags", "beam=2", "lookup=4", "shapes=2", "batch=4")
    assert made.exit_code == 0, made.stderr
    tagged = run("tag", "tags", "evi gel")
    assert [line.split()[1] for line in tagged.stdout.splitlines()[1:]] == ["NOUN|Case=Acc", "VERB"]
    assert "needs the sources . Got" in refused("tag", "tags", "ev", "--vectors", "words.vec")

    assert "spelling excludes experts" in refused(*given, "--overwrite", "--spell-tags", "--experts")
    blind = run(*given, "--overwrite", "--full-tags", "characters=0")
    assert "A tagger reads vectors, characters, a lookup or shapes of words; give it one" in blind.stderr


def test_vectors_are_tuned_for_words_of_train(run: Run, data: tuple[object, ...]) -> None:
    made = run(*data, "--tune-vectors", *SMALL, "epochs=2", "marks=bioes", "locked=true")
    assert made.exit_code == 0, made.stderr
    assert run("tag", "ner", "Bob lives in Turin.").exit_code == 0


def test_a_very_long_sentence_and_empty_lines_are_tagged(run: Run, data: tuple[object, ...]) -> None:
    assert run(*data, *SMALL, "epochs=1").exit_code == 0
    lines = run("tag", "ner", "--json", input="Bob\n" + " ".join(["Bob lives in Turin."] * 1250) + "\n").stdout
    assert [len(json.loads(line)["tokens"]) for line in lines.splitlines()] == [1, 6250]


def test_a_malformed_file_is_named_with_its_line(refused: Callable[..., str], data: tuple[object, ...]) -> None:
    Path("short.conll").write_text("Ada\tB-PER\nlives\n", encoding="utf-8")
    assert "short.conll:2" in refused(*data[:2], "--train", "short.conll", *data[4:])
    Path("short.conllu").write_text("1\tAda\tNOUN\n", encoding="utf-8")
    assert "short.conllu:1: a word has 10 columns" in refused(*data[:2], "--train", "short.conllu", *data[4:])
    Path("empty.conll").write_text("\n\n", encoding="utf-8")
    assert "empty.conll" in refused(*data[:2], "--train", "empty.conll", *data[4:])


def test_a_run_is_not_resumed_with_other_words(run: Run, refused: Callable[..., str], data: tuple[object, ...]) -> None:
    assert run(*data, *SMALL, "epochs=1", "lookup=4").exit_code == 0
    write("train.conll", [f"{name}/B-PER sings/O in/O {place}/B-LOC ./O" for name in NAMES for place in PLACES] * 4)

    said = run(*data, *SMALL, "epochs=1", "lookup=4", "--resume", "--overwrite")
    assert said.exit_code == 2
    assert "was started with another configuration" in said.stderr
    assert run("tag", "ner", "Bob lives in Turin.").exit_code == 0
