"""everyword train context: a model that reads by context, from text files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from everyword.models.load import load

from .conftest import Run

SMALL = ("reach=300", "least=2", "texts=100", "clean_texts=30", "judging_texts=30", "hidden=4", "epochs=2")


def test_a_model_is_saved_that_reads_by_context(run: Run, tiny_model_folder: Path) -> None:
    words = list(load(tiny_model_folder))
    lines = [" ".join(words[(number * step + 3) % len(words)] for step in range(8)) for number in range(1500)]
    Path("corpus.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = run("train", "context", "--model", tiny_model_folder, "--corpus", "corpus.txt", "--output", "mine", *SMALL)

    assert "n-grams" in made.stderr
    model = load(Path("mine"))
    assert model.context_reader is not None
    assert model.correct("") == ""


def test_what_cannot_be_is_refused(refused: Callable[..., str], tiny_model_folder: Path) -> None:
    given = ("train", "context", "--model", tiny_model_folder, "--output", "mine")

    assert "--corpus" in refused(*given)
    assert "does not exist" in refused(*given, "--corpus", "missing.txt")
    assert "reach must be 1 or more" in refused(*given, "--corpus", "missing.txt", "reach=0")
