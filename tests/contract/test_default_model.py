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
    "everyword-en": {"dim": 256, "words": 506_792, "parameters": 5_000_000, "megabytes": 52},
    "everyword-en-small": {"dim": 256, "words": 60_000, "parameters": 2_000_000, "megabytes": 8},
    "love-en": {"dim": 100, "words": 50_000, "parameters": 2_200_000, "megabytes": 7.2},
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
    ("everyword-en", "cat"): (Source.KNOWN, [-0.11653, -0.01944, -0.11774, -0.06572]),
    ("everyword-en", "mispelling"): (Source.RETRIEVED, [0.03415, 0.03387, 0.01256, -0.03989]),
    ("everyword-en", "leukamia"): (Source.RETRIEVED, [0.05805, 0.01377, 0.07132, -0.01492]),
    ("everyword-en", "untweetable"): (Source.INFERRED, [0.07950, 0.02463, 0.01918, -0.10341]),
    ("everyword-en", "Naïve"): (Source.KNOWN, [-0.10648, -0.03116, 0.03650, -0.05025]),
    ("everyword-en", "covid19"): (Source.COMPOSED, [0.00587, -0.02908, -0.13837, 0.02103]),
    ("everyword-en", "2024"): (Source.NUMBER, [-0.17720, -0.01176, -0.05769, -0.03577]),
    ("everyword-en", "guinea pig"): (Source.KNOWN, [0.16664, 0.00000, -0.04672, 0.00286]),
    ("everyword-en", "5kg"): (Source.NUMBER, [-0.08958, 0.01486, 0.00684, 0.04268]),
    ("everyword-en", "🙂"): (Source.SYMBOL, [-0.20463, 0.02808, -0.07558, -0.04172]),
    ("everyword-en-small", "cat"): (Source.KNOWN, [-0.10480, -0.03567, -0.11111, -0.05100]),
    ("everyword-en-small", "mispelling"): (Source.RETRIEVED, [0.02418, 0.03457, 0.04962, -0.03628]),
    ("everyword-en-small", "leukamia"): (Source.RETRIEVED, [0.08321, -0.01169, 0.07455, -0.01073]),
    ("everyword-en-small", "untweetable"): (Source.INFERRED, [0.14306, 0.00764, 0.08703, -0.08066]),
    ("everyword-en-small", "Naïve"): (Source.KNOWN, [-0.10601, -0.03517, 0.05220, -0.03358]),
    ("everyword-en-small", "covid19"): (Source.COMPOSED, [-0.00154, 0.00365, -0.13462, 0.00586]),
    ("everyword-en-small", "2024"): (Source.NUMBER, [-0.17350, 0.00490, -0.05457, -0.01682]),
    ("everyword-en-small", "guinea pig"): (Source.COMPOSED, [0.02715, 0.01427, -0.11921, 0.03220]),
    ("everyword-en-small", "5kg"): (Source.NUMBER, [-0.07102, 0.04573, 0.01110, 0.04253]),
    ("everyword-en-small", "🙂"): (Source.SYMBOL, [-0.22763, 0.04348, -0.06731, -0.00955]),
    ("love-en", "cat"): (Source.KNOWN, [0.19445, 0.32579, 0.62049, -0.58123]),
    ("love-en", "mispelling"): (Source.INFERRED, [0.18819, -0.25081, 0.65766, 0.24360]),
    ("love-en", "leukamia"): (Source.INFERRED, [0.03159, -0.42212, 0.14194, 0.42010]),
    ("love-en", "untweetable"): (Source.INFERRED, [-0.40936, 0.57229, 0.53867, 0.21876]),
    ("love-en", "Naïve"): (Source.KNOWN, [-0.02157, 0.40901, 0.93006, 0.25762]),
    ("love-en", "covid19"): (Source.INFERRED, [-0.98218, -0.08551, -0.72789, -0.68277]),
    ("love-en", "2024"): (Source.NONE, [0.00000, 0.00000, 0.00000, 0.00000]),
}


@pytest.mark.parametrize(("name", "word"), GOLDEN)
def test_vectors_are_the_same_on_every_machine(name: str, word: str) -> None:
    source, first_numbers = GOLDEN[name, word]
    shipped = everyword.load(name)
    assert shipped.source(word) is source
    np.testing.assert_allclose(shipped[word][: len(first_numbers)], first_numbers, atol=2e-5)


@pytest.mark.parametrize("name", ["everyword-en", "everyword-en-small"])
@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        *(("fire", "flames", "excellent"), ("tea", "coffee", "gossip"), ("dead", "killed", "laughing")),
        *(("mid", "middle", "mediocre"), ("ate", "eaten", "perfectly"), ("heated", "warm", "upset")),
        *(("pressed", "squeezed", "upset"), ("receipts", "invoices", "proof"), ("drip", "trickle", "clothes")),
        *(("fuego", "fire", "excellent"), ("king", "queen", "excellent"), ("man", "woman", "machine")),
        *(("brother", "sister", "carpenter"), ("wife", "husband", "neighbour"), ("sick", "ill", "excellent")),
    ],
)
def test_ordinary_words_mean_what_they_mean_in_a_dictionary(name: str, word: str, near: str, far: str) -> None:
    shipped = everyword.load(name)
    if word in shipped:
        assert shipped.similarity(word, near) > shipped.similarity(word, far) + 0.1


def test_king_without_man_and_with_woman_is_queen(model: Model) -> None:
    assert model.nearest(positive=["king", "woman"], negative=["man"], k=1)[0][0] == "queen"


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


def test_case_and_blanks_do_not_matter(model: Model) -> None:
    for one, other in (("cat", "CAT"), ("cat", "cat "), ("untweetable", "Untweetable"), ("café", "CAFE\u0301")):
        np.testing.assert_array_equal(model[one], model[other])


def test_accents_that_no_stored_word_has_do_not_matter(model: Model) -> None:
    assert "càt" not in model
    np.testing.assert_array_equal(model["càt"], model["cat"])
    assert model.similarity("naive", "naïve") > 0.7


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
