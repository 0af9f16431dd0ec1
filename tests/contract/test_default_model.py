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


@pytest.fixture(scope="module")
def model() -> Model:
    return everyword.load()


def test_it_is_the_default_and_has_what_the_card_says(model: Model) -> None:
    assert model.name == DEFAULT
    assert (model.dim, len(model.known_words)) == (100, 50_000)
    assert model.record["parameters"] <= 2_200_000


def test_all_files_together_are_under_ten_megabytes() -> None:
    folder = embedded_models()[DEFAULT]
    assert sum(path.stat().st_size for path in folder.iterdir()) < 10 * MEGABYTE


GOLDEN = {
    "cat": (Source.KNOWN, [0.23251, 0.28535, 0.63411, -0.59184]),
    "mispelling": (Source.INFERRED, [0.18819, -0.25081, 0.65766, 0.24360]),
    "leukamia": (Source.INFERRED, [0.03159, -0.42212, 0.14194, 0.42010]),
    "untweetable": (Source.INFERRED, [-0.40936, 0.57229, 0.53867, 0.21876]),
    "Naïve": (Source.KNOWN, [0.0, 0.38673, 0.91637, 0.26903]),
    "covid19": (Source.INFERRED, [-0.98218, -0.08551, -0.72789, -0.68277]),
    "2024": (Source.NONE, [0.0, 0.0, 0.0, 0.0]),
}


@pytest.mark.parametrize("word", GOLDEN)
def test_vectors_are_the_same_on_every_machine(model: Model, word: str) -> None:
    source, first_numbers = GOLDEN[word]
    assert model.source(word) is source
    np.testing.assert_allclose(model[word][: len(first_numbers)], first_numbers, atol=2e-5)


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
