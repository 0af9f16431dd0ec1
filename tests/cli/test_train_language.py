"""everyword train language, and the English neighbours of its words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny import tiny_table
from tiny_language import SMALL, TinyLanguage, tiny_language

from everyword.models.load import load

from .conftest import Run

OVERRIDES = tuple(f"{key}={json.dumps(value)}" for key, value in SMALL.items() if not isinstance(value, dict))
WIDTHS = ("encoder.options.width=16", "encoder.options.hidden=16")


@pytest.fixture
def language(tmp_path: Path) -> TinyLanguage:
    return tiny_language(tmp_path)


def command(language: TinyLanguage, *more: object) -> tuple[object, ...]:
    files = ("--dictionary", language.dictionary, "--vectors", language.vectors, "--english", language.english)
    return ("train", "language", "--code", "de", *files, "--output", "everyword-xx", "--device", "cpu", *more)


def test_a_model_of_a_language_is_saved_and_asked(run: Run, language: TinyLanguage, tiny_model_folder: Path) -> None:
    judged = tiny_table().words[:30]
    pairs = "".join(f"{word}\t{language.word(word)}\n" for word in judged)
    Path("test.tsv").write_text("source\ttarget\n" + pairs, encoding="utf-8")
    made = run(*command(language, "--exclude", "test.tsv", "--quiet"), *OVERRIDES, *WIDTHS)

    assert made.exit_code == 0, made.stderr
    assert "rows of the dictionary judge and were left out" in made.stderr
    assert "--among" in made.stderr
    model = load(Path("everyword-xx"))
    assert model.record["command"].startswith(
        "everyword train language --code de --vectors xx.vec --dictionary en-xx.tsv"
    )
    word = language.word(tiny_table().words[7])
    asked = run("nearest", word.upper(), "--model", "everyword-xx", "--among", tiny_model_folder, "--json", "-k", 3)
    found = json.loads(asked.stdout)["neighbours"]
    assert [near["word"] in load(tiny_model_folder) for near in found] == [True] * 3


def test_what_cannot_be_is_refused(refused: Callable[..., str], language: TinyLanguage) -> None:
    assert "Give either --corpus or --vectors" in refused(*command(language, "--corpus", language.vectors))
    assert "there is no language 'xx'" in refused(*command(language, "--code", "xx"))
    assert "must name the columns" in refused(*command(language, "--dictionary", language.frequencies))
    assert "needs a word and its frequency" in refused(*command(language, "--frequencies", language.dictionary))
    assert "must name the columns" in refused(*command(language, "--exclude", language.frequencies))
    Path("other.vec").write_text("2 2\none 1 0\ntwo 0 1\n")
    assert "is its first column English" in refused(*command(language, "--english", "other.vec"))
    assert "have 0 words in common" in refused(*command(language, "--vectors", "other.vec"))
    assert "There is no model" in refused(*command(language, "--english", "nowhere"))
    assert "words must be 1 or more" in refused(*command(language, "language.words=0"))
    assert "There is no file" in refused(*command(language, "--config", "missing.toml"))
    assert not Path("everyword-xx").exists()
    assert not Path("everyword-xx-run").exists()
