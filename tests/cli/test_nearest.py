from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from everyword.models.known import KnownWords
from everyword.models.model import Model

from .conftest import Run


def test_for_people(run: Run, tiny_model_folder: Path, tiny_model: Model) -> None:
    result = run("nearest", "dan", "daans", "東京", "-k", 3, "--model", tiny_model_folder)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "dan (known)"
    assert lines[1:4] == [f"  {cosine:6.3f}  {word}" for word, cosine in tiny_model.nearest("dan", 3)]
    assert lines[4] == "daans (inferred)"
    assert lines[8] == "東京: the model knows none of its characters, so it has no vector and no neighbours."
    assert len(lines) == 9


def test_ten_neighbours_by_default(run: Run, tiny_model_folder: Path) -> None:
    assert len(run("nearest", "dan", "--model", tiny_model_folder).stdout.splitlines()) == 11


def test_json_from_standard_input(run: Run, tiny_model_folder: Path, tiny_model: Model) -> None:
    result = run("nearest", "--json", "--count", 2, "--model", tiny_model_folder, input="daans\n\n東京\n")
    inferred, none = map(json.loads, result.stdout.splitlines())
    assert (inferred["word"], inferred["source"]) == ("daans", "inferred")
    for shown, (word, cosine) in zip(inferred["neighbours"], tiny_model.nearest("daans", 2), strict=True):
        assert shown == {"word": word, "cosine": pytest.approx(cosine, abs=1e-6)}
    assert none == {"word": "東京", "source": "none", "neighbours": []}
    assert result.stderr == "skipped 1 blank\n"


def test_a_model_that_stores_no_words(run: Run, tiny_model: Model, tmp_path: Path) -> None:
    known = tiny_model.known_words
    nothing = KnownWords([], type(known.matrix)(known.matrix.values[:0]))
    Model("bare", tiny_model.normalise, tiny_model.form_encoder, nothing, tiny_model.record).save_pretrained(
        tmp_path / "m"
    )
    result = run("nearest", "dan", "--model", "m")
    assert result.stdout == "dan (inferred): the model stores no words that could be neighbours.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-k", "0"], "0 is not in the range x>=1"),
        (["--model", "nope"], "There is no model 'nope'"),
        (
            ["--model", "words.txt"],
            "words.txt is a file, not a model; make a model of a vector file first:  everyword adapt words.txt",
        ),
        (["--model", "empty"], "empty is not a saved model"),
    ],
)
def test_refusals(refused: Callable[..., str], tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "words.txt").touch()
    (tmp_path / "empty").mkdir()
    assert sentence in refused("nearest", "dan", *arguments)


def test_words_of_other_languages_on_request(run: Run, tiny_model: Model, tmp_path: Path) -> None:
    known = tiny_model.known_words
    sections = {"words": 150, "foreign": len(known) - 150}
    tiny_model.with_known(KnownWords(known.words, known.matrix, sections)).save_pretrained(tmp_path)
    foreign = set(known.words[150:])
    for options, expected in (((), False), (("--foreign",), True)):
        shown = run("nearest", "dan", "-k", 100, "--model", tmp_path, *options).stdout.splitlines()[1:]
        assert any(line.split()[1] in foreign for line in shown) == expected


def test_combined_words(run: Run, tiny_model_folder: Path, tiny_model: Model) -> None:
    from everyword.space import FuzzySpace

    space = FuzzySpace(tiny_model)
    expected = space.nearest(space["dan"] & space["daans"], 3)

    shown = run("nearest", "--combine", "dan & daans", "-k", 3, "--model", tiny_model_folder)
    assert (shown.exit_code, shown.stderr) == (0, "")
    lines = shown.stdout.splitlines()
    assert lines[0] == "dan & daans: dan (known), daans (inferred)"
    assert lines[1:] == [f"  {value:9.4g}  {word}" for word, value in expected]

    scorer = "overlap:normalise=row"
    listed = run("nearest", "--combine", "dan | ~'daans'", "--scorer", scorer, "--json", "--model", tiny_model_folder)
    answer = json.loads(listed.stdout)
    assert (answer["expression"], answer["scorer"]) == ("dan | ~'daans'", scorer)
    overlaps = [one["overlap"] for one in answer["neighbours"]]
    assert len(overlaps) == 10
    assert overlaps == sorted(overlaps, reverse=True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--combine", "dan &"], "cannot be read: at character 6, the expression ends where a word is needed"),
        (["--combine", "dan", "daans"], "Give either words or --combine"),
        (["--combine", "dan", "--foreign"], "--foreign only with words"),
        (["--combine", "dan", "--scorer", "cosine"], "Combined words have no cosine"),
        (["--combine", "dan", "--scorer", "kl:rows"], "must read key=value"),
        (["dan", "--scorer", "kl"], "--scorer needs --combine"),
    ],
)
def test_combinations_that_are_refused(refused: Callable[..., str], arguments: list[str], sentence: str) -> None:
    assert sentence in refused("nearest", *arguments)
