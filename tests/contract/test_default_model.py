"""The model inside the wheel: small, whole, and the same numbers on every machine."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import everyword
from everyword.models.explanation import Source
from everyword.models.load import DEFAULT, embedded_models
from everyword.models.model import Model

MEGABYTE = 1_000_000
FACTS = {
    "everyword-en": {"dim": 256, "words": 150_000, "parameters": 6_600_000, "megabytes": 32},
    "love-en": {"dim": 100, "words": 50_000, "parameters": 2_200_000, "megabytes": 10},
}


@pytest.fixture(scope="module")
def model() -> Model:
    return everyword.load()


def test_it_is_the_default(model: Model) -> None:
    assert model.name == DEFAULT == "everyword-en"
    assert embedded_models().keys() == FACTS.keys()


@pytest.mark.parametrize("name", FACTS)
def test_a_shipped_model_has_what_its_card_says(name: str) -> None:
    shipped, facts = everyword.load(name), FACTS[name]
    assert (shipped.dim, len(shipped.known_words)) == (facts["dim"], facts["words"])
    assert shipped.record["parameters"] <= facts["parameters"]
    size = sum(path.stat().st_size for path in embedded_models()[name].iterdir())
    assert size < facts["megabytes"] * MEGABYTE


GOLDEN = {
    ("everyword-en", "cat"): (Source.KNOWN, [0.10067, -0.10067, 0.02517, 0.07550]),
    ("everyword-en", "mispelling"): (Source.RETRIEVED, [0.12641, 0.00027, -0.07547, 0.10018]),
    ("everyword-en", "leukamia"): (Source.RETRIEVED, [-0.00177, -0.03889, -0.04946, 0.09290]),
    ("everyword-en", "untweetable"): (Source.RETRIEVED, [0.24162, -0.03685, 0.00712, 0.01343]),
    ("everyword-en", "Naïve"): (Source.KNOWN, [0.16809, -0.02802, 0.0, 0.05603]),
    ("everyword-en", "covid19"): (Source.RETRIEVED, [-0.04622, 0.01242, 0.17576, 0.06836]),
    ("everyword-en", "2024"): (Source.NONE, [0.0, 0.0, 0.0, 0.0]),
    ("love-en", "cat"): (Source.KNOWN, [0.23251, 0.28535, 0.63411, -0.59184]),
    ("love-en", "mispelling"): (Source.INFERRED, [0.18819, -0.25081, 0.65766, 0.24360]),
    ("love-en", "leukamia"): (Source.INFERRED, [0.03159, -0.42212, 0.14194, 0.42010]),
    ("love-en", "untweetable"): (Source.INFERRED, [-0.40936, 0.57229, 0.53867, 0.21876]),
    ("love-en", "Naïve"): (Source.KNOWN, [0.0, 0.38673, 0.91637, 0.26903]),
    ("love-en", "covid19"): (Source.INFERRED, [-0.98218, -0.08551, -0.72789, -0.68277]),
    ("love-en", "2024"): (Source.NONE, [0.0, 0.0, 0.0, 0.0]),
}


@pytest.mark.parametrize(("name", "word"), GOLDEN)
def test_vectors_are_the_same_on_every_machine(name: str, word: str) -> None:
    source, first_numbers = GOLDEN[name, word]
    shipped = everyword.load(name)
    assert shipped.source(word) is source
    np.testing.assert_allclose(shipped[word][: len(first_numbers)], first_numbers, atol=2e-5)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("recieve", "receive"), ("definately", "definitely"), ("leukamia", "leukaemia"), ("fonetic", "phonetic")],
)
def test_the_right_word_is_found_behind_a_misspelling(model: Model, wrong: str, right: str) -> None:
    assert right in dict(model.nearest(wrong, k=10))


def test_a_sure_guess_is_told_from_an_unsure_one(model: Model) -> None:
    sure, unsure = model.explain("recieve").confidence, model.explain("xqzvkw").confidence
    assert sure is not None
    assert unsure is not None
    assert sure > 0.9
    assert unsure < 0.8


@pytest.mark.parametrize(
    ("word", "relatives"),
    [
        ("king", {"queen", "prince", "monarch"}),
        ("unpleasantish", {"unpleasant"}),
        ("blogospheric", {"blogosphere", "blogs"}),
    ],
)
def test_neighbours_make_sense(model: Model, word: str, relatives: set[str]) -> None:
    assert relatives & set(dict(model.nearest(word, k=20)))


def test_case_and_accents_do_not_matter(model: Model) -> None:
    for one, other in (("cat", "CAT"), ("naive", "Naïve"), ("cat", "cat "), ("untweetable", "Untweetable")):
        np.testing.assert_array_equal(model[one], model[other])


def test_stored_and_inferred_vectors_are_of_one_size(model: Model) -> None:
    stored = np.linalg.norm(model.encode(model.known_words.words[1000:3000]), axis=1).mean()
    inferred = np.linalg.norm(model["untweetable"])
    assert 0.7 < inferred / stored < 1.4


def test_the_readme_command_works_without_torch() -> None:
    blocked = "import sys; sys.modules['torch'] = None; from everyword.cli import main; main()"
    words = ["mispelling", "leukamia", "archiitect"]
    run = subprocess.run(
        [sys.executable, "-c", blocked, "nearest", *words], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert all(word in run.stdout for word in words)
