"""Texts as Gaussians: the checks of the paper's arithmetic, and operators of words that have none."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import everyword
from everyword.errors import InputError
from everyword.sentences.gaussian import Gaussians, compose, divergences
from everyword.sentences.operators import WordOperators, operator_tokens

WORDS = ["the", "cat", "chased", "doctor", "leukemia"]


@pytest.fixture(scope="module")
def operators() -> WordOperators:
    rng = np.random.default_rng(3)
    scales = (rng.normal(0.9, 0.2, (6, 4)) * rng.choice([-1, 1], (6, 4))).astype(np.float32)
    shifts = rng.normal(0, 0.5, (6, 4)).astype(np.float32)
    return WordOperators(WORDS, scales, shifts)


def test_a_text_of_two_words_has_the_closed_form() -> None:
    a, b = np.array([[0.5, -2.0], [3.0, 0.1]]), np.array([[1.0, 2.0], [-1.0, 4.0]])
    found = compose(a, b, [2])
    assert found.means[0] == pytest.approx(a[1] * (a[0] * b[0] + b[1]))
    assert found.variances[0] == pytest.approx((a[0] * a[1]) ** 2)


def test_golden_values() -> None:
    found = compose(np.array([[0.5], [2.0], [-0.25]]), np.array([[1.0], [0.0], [3.0]]), [3])
    assert found.means.tolist() == [[-1.0]]
    assert found.log_deviations[0, 0] == pytest.approx(np.log(0.25))
    assert found.entropies()[0] == pytest.approx(0.5 * np.log(2 * np.pi * np.e) - np.log(4))
    other = Gaussians(np.array([[1.0]]), np.array([[0.0]]))
    variance = 1 + 1 / 16
    expected = -0.5 * np.log(2 * np.pi * variance) - 0.5 * 4 / variance
    assert found.expected_likelihoods(other)[0] == pytest.approx(expected)


def test_composition_is_the_recurrence_word_by_word(operators: WordOperators) -> None:
    lists = [["cat"], ["the", "cat", "chased", "the", "doctor"], [], ["leukemia", "the"]]
    found = operators.encode(lists)
    for words, mean, deviation in zip(lists, found.means, found.log_deviations, strict=True):
        z, v = np.zeros(4), np.ones(4)
        for a, b in zip(*operators.operators_of(words), strict=True):
            z, v = a * (z + b), a**2 * v
        assert mean == pytest.approx(z, abs=1e-6)
        assert np.exp(2 * deviation) == pytest.approx(v, rel=1e-6)


def test_word_order_changes_the_mean_and_not_the_entropy(operators: WordOperators) -> None:
    orders = [list(order) for order in permutations(["the", "cat", "chased"])]
    found = operators.encode(orders)
    assert found.entropies() == pytest.approx(found.entropies()[0])
    assert np.abs(found.means - found.means[0])[1:].max(axis=1).min() > 1e-3


def test_the_entropy_of_a_text_is_the_sum_of_its_words(operators: WordOperators) -> None:
    words = ["the", "doctor", "chased", "leukemia"]
    nothing = operators.entropies([[]])[0]
    assert operators.entropies([words])[0] == pytest.approx(nothing - operators.word_specificities(words).sum())


def test_a_text_and_itself_with_unit_variance_have_the_known_likelihood() -> None:
    standard = Gaussians(np.full((1, 7), 0.3), np.zeros((1, 7)))
    assert standard.expected_likelihoods(standard)[0] == pytest.approx(-7 / 2 * np.log(4 * np.pi))


def test_the_identity_is_neutral_and_alone_without_divergence(operators: WordOperators) -> None:
    scales, shifts = operators.operators_of(["cat", "doctor"])
    one, zero = np.ones((1, 4)), np.zeros((1, 4))
    with_it = compose(
        np.concatenate([scales[:1], one, scales[1:]]), np.concatenate([shifts[:1], zero, shifts[1:]]), [3]
    )
    without = compose(scales, shifts, [2])
    assert with_it.means == pytest.approx(without.means)
    assert with_it.log_deviations == pytest.approx(without.log_deviations)
    assert divergences(one, zero).tolist() == [0.0]
    assert divergences(-one, zero).tolist() == [0.0]  # a standard normal variable with its sign changed
    assert divergences(one * 1.1, zero)[0] > 0
    assert divergences(one, zero + 0.1)[0] == pytest.approx(4 * 0.01 / 2)


def test_long_texts_stay_finite(operators: WordOperators) -> None:
    found = operators.encode([["the", "cat"] * 20_000, ["leukemia"]])
    for values in (found.means, found.variances, found.entropies(), found.vectors()):
        assert np.isfinite(values).all()
    other = Gaussians(found.means[::-1], found.log_deviations[::-1])
    assert np.isfinite(found.expected_likelihoods(other)).all()


def test_shapes_that_do_not_fit_are_refused(operators: WordOperators) -> None:
    with pytest.raises(InputError, match="one row per word"):
        compose(np.ones((2, 3)), np.ones((2, 3)), [3])
    with pytest.raises(InputError, match="in pairs"):
        operators.encode([["cat"]]).expected_likelihoods(operators.encode([["cat"], ["the"]]))
    with pytest.raises(InputError, match="2 words and the unknown one need 3"):
        WordOperators(["a", "b"], np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
    with pytest.raises(InputError, match="finite"):
        WordOperators(["a"], np.full((2, 3), np.nan, np.float32), np.ones((2, 3), np.float32))
    with pytest.raises(InputError, match="as many texts"):
        operators.similarities(["cat"], ["cat", "the"])


def test_texts_are_compared_and_sorted(operators: WordOperators) -> None:
    texts = ["The cat.", "the doctor chased the cat", "leukemia"]
    assert operators.similarities(texts, texts) == pytest.approx(np.ones(3))
    assert operators.likelihoods(texts, texts).shape == (3,)
    ordered = operators.most_specific(texts, k=3)
    assert [entropy for _, entropy in ordered] == sorted(operators.entropies(texts).tolist())
    assert operators.entropies([]).shape == (0,)
    assert operator_tokens("The CAT, don't!") == ["the", "cat", "don't"]


def test_unknown_words_have_one_operator_without_a_model(operators: WordOperators) -> None:
    scales, shifts = operators.operators_of(["qzx", "docter", "cat"])
    assert scales[:2].tolist() == [operators.scales[-1].tolist()] * 2
    assert shifts[2].tolist() == operators.shifts[1].tolist()


def test_a_misspelt_word_gets_the_operator_of_what_it_is_read_as(operators: WordOperators) -> None:
    reading = WordOperators(WORDS, operators.scales, operators.shifts, everyword.load("everyword-en-small"))
    right, wrong = reading.word_specificities(["leukemia", "leukamia"])
    assert wrong == pytest.approx(right, abs=0.05)
    assert reading.similarities(["the leukemia"], ["the leukamia"])[0] > 0.99
    assert reading.operators_of(["qzxqzx"])[0].tolist() == [operators.scales[-1].tolist()]  # no candidate has one


def test_a_blend_has_the_mean_of_entropies(operators: WordOperators) -> None:
    scale, shift = operators._blend(np.array([0, 3]), np.array([0.2, 0.6], dtype=np.float32))
    the, doctor = operators.word_specificities(["the", "doctor"])
    assert -np.log(np.abs(scale)).sum() == pytest.approx(0.25 * the + 0.75 * doctor, rel=1e-5)
    assert shift == pytest.approx(0.25 * operators.shifts[0] + 0.75 * operators.shifts[3], rel=1e-5)


def test_operators_are_saved_and_loaded(operators: WordOperators, tmp_path: Path) -> None:
    path = tmp_path / "operators.safetensors"
    WordOperators(WORDS, operators.scales, operators.shifts, record={"pairs": 3}).save(path)
    again = WordOperators.load(path)
    assert again.words == WORDS
    assert again.record == {"pairs": 3}
    assert "cat" in again
    assert len(again) == 5
    assert again.scales.tolist() == operators.scales.tolist()
    assert again.shifts.tolist() == operators.shifts.tolist()


@pytest.mark.parametrize("content", [b"", b"nothing of the kind", b"\x08\0\0\0\0\0\0\0{}      "])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "operators.safetensors"
    path.write_bytes(content)
    with pytest.raises(InputError, match="cannot be read as word operators"):
        WordOperators.load(path)
    with pytest.raises(InputError, match="There is no file"):
        WordOperators.load(tmp_path / "missing")
