"""The compiled kernel and NumPy give the same answers. Where there is no kernel, NumPy is compared with itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import random_reading_gate
from tiny import tiny_table

import everyword
from everyword import kernel, registry
from everyword.arrays import FloatArray
from everyword.models.blend.readers import KeyReader
from everyword.models.model import Model
from everyword.models.word_index import WordIndex, word_key
from everyword.models.word_list import WordList
from everyword.text.ngram_index import NgramIndex
from everyword.text.units import Sequences
from everyword.vectors.neighbours import rows_of_length, unit_rows
from everyword.vectors.storage.quantising import Quantisation, quantise
from everyword.vectors.storage.stored import Precision, StoredMatrix

Answer = TypeVar("Answer")
KNOWN = tiny_table().words
STRANGE = ["", "a", " ", "\0", "é", "ｆｕｌｌ", "日本語", "straße", "o'clock", "😀", "\ud800", "x" * 64]
STRANGE += ["ab" * 500, "bane\u0301r"]
PRECISIONS: tuple[Precision, ...] = ("float32", "int8")
TOLERANCE, SHARE_TOLERANCE = 1e-6, 1e-5

some_words = st.lists(st.text("abdelnorsu", max_size=9) | st.text(max_size=5) | st.sampled_from(STRANGE), max_size=8)


def both(compute: Callable[[], Answer]) -> tuple[Answer, Answer]:
    """Return what the kernel, if there is one, and NumPy answer."""
    with pytest.MonkeyPatch.context() as patch:
        usual = compute()
        patch.setattr(kernel, "compiled", False)
        return usual, compute()


def index_of(ngrams: Sequence[str], longest: int = 3) -> NgramIndex:
    return NgramIndex({ngram: row for row, ngram in enumerate(ngrams, start=2)}, 1, longest, ("<", ">"))


@given(words=some_words, ngrams=st.lists(st.text("abdelnors<>é😀\ud800", min_size=1, max_size=3), unique=True))
def test_ngrams(words: list[str], ngrams: list[str]) -> None:
    index = index_of(ngrams)
    ours, reference = both(lambda: index.sequences(words))
    assert ours.lengths.tolist() == reference.lengths.tolist()
    assert ours.flat.tolist() == reference.flat.tolist()


def test_ngrams_of_more_characters_than_a_number_without_loss_has_room_for() -> None:
    index = index_of([chr(code) * 6 for code in range(0x4E00, 0x5400)], longest=6)
    ours, reference = both(lambda: index.sequences(["一" * 7, "丁" * 6, "abc"]))
    assert ours.flat.tolist() == reference.flat.tolist() == [2, 2, 3, 1]


def packed(matrix: FloatArray, precision: Precision) -> tuple[StoredMatrix, kernel.Rows | None]:
    stored = StoredMatrix.pack(matrix, precision)
    return stored, stored.packed


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("width", [1, 7, 64, 111])
def test_sums_of_rows(precision: Precision, width: int) -> None:
    rng = np.random.default_rng(width)
    matrix = rng.normal(size=(40, width)).astype(np.float32)
    matrix[3] = 0
    stored, rows = packed(matrix, precision)
    if rows is not None:
        words, chosen, weights = rng.integers(9, size=30), rng.integers(40, size=30), rng.random(30, dtype=np.float32)
        floats, total = stored.floats(), np.zeros((9, width), dtype=np.float32)
        rows.add_directions((words, chosen, weights), 0.3, total)
        lengths = np.linalg.norm(floats, axis=1, keepdims=True)
        expected = np.zeros_like(total)
        np.add.at(
            expected,
            words,
            np.where(weights < 0.3, 0, weights)[:, None] * (floats / np.where(lengths, lengths, 1))[chosen],
        )
        np.testing.assert_allclose(total, expected, atol=TOLERANCE)
        vectors, products = rng.normal(size=(3, 40)).astype(np.float32), np.ones((3, width), dtype=np.float32)
        vectors *= rng.random((3, 40)) < 0.5
        rows.add_product(vectors, products)
        np.testing.assert_allclose(products, 1 + vectors @ floats, atol=20 * TOLERANCE)
        counts = np.array([1, 20, 9])
        means = [floats[part].mean(axis=0) for part in np.split(chosen, [1, 21])]
        np.testing.assert_allclose(rows.means(chosen, counts), means, atol=TOLERANCE)


@pytest.mark.parametrize("size", [1e-38, 1e-20, 1e20, 1e38])
def test_directions_of_very_short_and_long_rows(size: float) -> None:
    _, rows = packed(np.full((1, 4), size, dtype=np.float32), "float32")
    if rows is not None:
        total, first = np.zeros((1, 4), dtype=np.float32), np.zeros(1, dtype=np.int64)
        rows.add_directions((first, first, np.ones(1, dtype=np.float32)), 0.01, total)
        np.testing.assert_allclose(total, 0.5, rtol=TOLERANCE)


@pytest.mark.parametrize("row", [-1, 3, 1 << 40])
def test_rows_that_are_not_there_are_an_error(row: int) -> None:
    _, rows = packed(np.ones((3, 4), dtype=np.float32), "int8")
    if rows is not None:
        none, one, nothing = np.array([row]), np.array([0]), np.zeros((1, 4), dtype=np.float32)
        with pytest.raises(IndexError):
            rows.means(none, np.array([1]))
        with pytest.raises(IndexError):
            rows.add_directions((one, none, np.ones(1, dtype=np.float32)), 0.01, nothing)
        with pytest.raises(IndexError):
            rows.add_directions((none, one, np.ones(1, dtype=np.float32)), 0.01, nothing[:0])
        with pytest.raises(IndexError):
            rows.means(one, np.array([2]))


@pytest.fixture(scope="module")
def reader() -> KeyReader:
    return KeyReader([*KNOWN, "aaaaa", "ésprit", "собака", "o'clock", "bandana" * 5], random_reading_gate())


@given(words=some_words)
def test_similar_words_and_their_shares(reader: KeyReader, words: list[str]) -> None:
    ours, reference = both(lambda: reader.read(words))
    for name in ("query", "row"):
        assert getattr(ours.candidates, name).tolist() == getattr(reference.candidates, name).tolist()
    np.testing.assert_allclose(ours.weights.candidates, reference.weights.candidates, atol=SHARE_TOLERANCE)
    np.testing.assert_allclose(ours.weights.form, reference.weights.form, atol=SHARE_TOLERANCE)
    assert ours.best is not None
    assert reference.best is not None
    np.testing.assert_allclose(ours.best, reference.best, atol=TOLERANCE)


def test_vectors_and_explanations_of_the_shipped_model() -> None:
    model, rng = everyword.load(), Random(0)
    typos = (registry.corruptions.get(rng.choice(("swap", "drop", "insert", "keyboard"))) for _ in range(300))
    words = [*(typo(rng.choice(model.known_words.words), rng) for typo in typos), *STRANGE]
    compare_ways(model, words)


def test_vectors_and_explanations_of_small_models(tiny_dan_model: Model, tiny_adapted_model: Model) -> None:
    for model in (tiny_dan_model, tiny_adapted_model):
        compare_ways(model, [*STRANGE, "banr", "grustt", "plorru", "trinss", "melolynes"])


def compare_ways(model: Model, words: list[str]) -> None:
    (vectors, explained), (numpy_vectors, numpy_explained) = both(lambda: model.look_up(words))
    tolerance = TOLERANCE * max(1, np.abs(numpy_vectors).max())
    np.testing.assert_allclose(vectors, numpy_vectors, atol=tolerance)
    assert [found.source for found in explained] == [found.source for found in numpy_explained]
    least = 0.0 if model.gate is None else model.gate.LEAST_SHARE
    for ours, reference in zip(explained, numpy_explained, strict=True):
        assert ours.form_share == pytest.approx(reference.form_share, abs=SHARE_TOLERANCE)
        assert ours.confidence == pytest.approx(reference.confidence, abs=SHARE_TOLERANCE)
        shares = {share.word: share.share for share in reference.candidates}
        for share in ours.candidates:
            assert share.share == pytest.approx(shares.get(share.word, least), abs=SHARE_TOLERANCE)
    one_by_one = both(lambda: np.stack([model.encode(word) for word in words]))
    for vectors in one_by_one:
        np.testing.assert_allclose(vectors, numpy_vectors, atol=tolerance)


def test_a_bag_of_one_word_and_of_many(tiny_dan_model: Model) -> None:
    forward, size = tiny_dan_model.form_encoder.forward, tiny_dan_model.form_encoder.units.size
    rng = Random(1)
    words = [[rng.randrange(1, size) for _ in range(rng.randint(1, 40))] for _ in range(700)]
    ours, reference = both(lambda: forward(Sequences.of(words)))
    np.testing.assert_allclose(ours, reference, atol=TOLERANCE)
    ours, reference = both(lambda: forward(Sequences.of(words[:1])))
    np.testing.assert_allclose(ours, reference, atol=TOLERANCE)


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("width", [16, 21])
def test_quantised_rows(width: int, rotate: bool) -> None:
    rng = np.random.default_rng(width)
    rows = rng.normal(size=(300, width)).astype(np.float32)
    matrix = quantise(rows, Quantisation(bytes=4, fine_rows=50, fine_bytes=8, rotate=rotate, rounds=2))
    chosen = rng.integers(300, size=40)
    for these in (chosen, slice(30, 70), slice(None), slice(250, 30, -7), slice(9, 9)):
        ours, reference = both(lambda these=these: matrix.floats(these))
        np.testing.assert_allclose(ours, reference, atol=TOLERANCE)
    if matrix.packed is not None:
        words, weights = np.sort(rng.integers(9, size=40)), rng.random(40, dtype=np.float32)
        total = np.ones((9, width), dtype=np.float32)
        matrix.packed.add_directions((words, chosen, weights), 0.3, total)
        expected = np.ones_like(total)
        np.add.at(expected, words, np.where(weights < 0.3, 0, weights)[:, None] * unit_rows(matrix.floats(chosen)))
        np.testing.assert_allclose(total, expected, atol=5 * TOLERANCE)
        for row in (-1, 300):
            with pytest.raises(IndexError):
                matrix.packed.decoded(np.array([row]))
            with pytest.raises(IndexError):
                matrix.packed.add_directions((words[:1], np.array([row]), weights[:1]), 0.0, total)
            with pytest.raises(IndexError):
                matrix.packed.add_directions((np.array([row]), chosen[:1], weights[:1]), 0.0, total)


@given(words=some_words, asked=some_words)
def test_rows_of_words(words: list[str], asked: list[str]) -> None:
    listed = [word for word in dict.fromkeys(words) if "\n" not in word]
    index = WordIndex.of(WordList.of(listed))
    ours, reference = both(lambda: index.rows_of([*asked, *listed]))
    assert ours.tolist() == reference.tolist()
    assert ours.tolist()[len(asked) :] == list(range(len(listed)))


def test_words_of_one_key_are_told_apart() -> None:
    words = WordList.of(["one", "two", "three"])
    keys, rows = np.full(3, word_key(b"two"), dtype=np.uint32), np.arange(3, dtype=np.uint32)
    ours, reference = both(lambda: WordIndex(words, keys, rows).rows_of(["two", "one"]))
    assert ours.tolist() == reference.tolist() == [1, -1]


@pytest.mark.parametrize("size", [0, 1e-38, 1e-20, 1, 1e20, 1e38])
def test_rows_scaled_to_a_length(size: float) -> None:
    rows = np.random.default_rng(0).normal(size=(5, 9)).astype(np.float32) * np.float32(size)
    rows[2] = 0
    ours, reference = both(lambda: rows_of_length(rows.copy(), 3.0))
    np.testing.assert_allclose(ours, reference, atol=TOLERANCE, rtol=TOLERANCE)
