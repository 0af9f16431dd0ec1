"""Pairs of word and context vectors: read from files, fastText and gensim models, and refused if they do not match."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.vectors import ContextPair, VectorTable, load_fasttext
from everyword.vectors.context_pair import description_of, with_counts

WORDS = ["the", "cat", "Mat"]
VECTORS = np.arange(6, dtype=np.float32).reshape(3, 2)
PAIR = ContextPair(WORDS, VECTORS, -VECTORS, np.array([9, 4, 1]), np.array([0.5, 0, -1], np.float32), "softmax", 0.5)


def test_what_was_saved_is_read(tmp_path: Path) -> None:
    PAIR.save(tmp_path / "u.npy", tmp_path / "v.vec")
    again = ContextPair.load(tmp_path / "u.npy", tmp_path / "v.vec")
    assert (again.words, again.model, again.power) == (WORDS, "softmax", 0.5)
    for name in ("vectors", "contexts", "counts", "biases"):
        np.testing.assert_array_equal(getattr(again, name), getattr(PAIR, name))
    first = ContextPair.load(tmp_path / "u.npy", tmp_path / "v.vec", limit=2)
    assert first.words == PAIR.head(2).words == WORDS[:2]
    np.testing.assert_array_equal(first.counts, [9, 4])  # type: ignore[arg-type]


def test_other_orders_of_words(tmp_path: Path) -> None:
    PAIR.save(tmp_path / "u.vec", tmp_path / "v.vec")
    VectorTable(WORDS[::-1], VECTORS[::-1]).save(tmp_path / "u.vec")
    again = ContextPair.load(tmp_path / "u.vec", tmp_path / "v.vec")
    np.testing.assert_array_equal(again.contexts, -VECTORS[::-1])
    np.testing.assert_array_equal(again.counts, [1, 4, 9])  # type: ignore[arg-type]
    description_of(tmp_path / "v.vec").unlink()
    assert ContextPair.load(tmp_path / "u.vec", tmp_path / "v.vec").counts is None


@pytest.mark.parametrize(
    ("words", "matrix", "sentence"),
    [
        (["the", "cat", "Mat"], np.ones((3, 3)), "has vectors of dimension 2 and"),
        (["der", "Kater", "Matte"], np.ones((3, 2)), "have no word in common"),
        (["the", "cat", "dog"], np.ones((3, 2)), "of which 2 are the same"),
        (["the", "cat"], np.ones((2, 2)), "has 3 words and"),
    ],
)
def test_files_that_do_not_belong_together(words: list[str], matrix: np.ndarray, sentence: str, tmp_path: Path) -> None:
    PAIR.save(tmp_path / "u.vec", tmp_path / "v.vec")
    VectorTable(words, matrix).save(tmp_path / "v.vec")
    with pytest.raises(InputError) as caught:
        ContextPair.load(tmp_path / "u.vec", tmp_path / "v.vec")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "wrong", [{"counts": [1]}, {"counts": ["a", 1, 2]}, {"model": "soft"}, {"biases": 3}, {"power": None}]
)
def test_an_altered_description(wrong: dict[str, object], tmp_path: Path) -> None:
    PAIR.save(tmp_path / "u.vec", tmp_path / "v.vec")
    path = description_of(tmp_path / "v.vec")
    path.write_text(json.dumps({**json.loads(path.read_text()), **wrong}))
    with pytest.raises(InputError, match="does not describe"):
        ContextPair.load(tmp_path / "u.vec", tmp_path / "v.vec")


def test_arrays_that_do_not_match() -> None:
    with pytest.raises(InputError, match="needs a word vector and a context vector of the same dimension"):
        ContextPair(WORDS, VECTORS, VECTORS[:2])
    with pytest.raises(InputError, match="The counts must be one per word"):
        ContextPair(WORDS, VECTORS, VECTORS, np.array([1, 2]))


def test_counts_from_elsewhere() -> None:
    np.testing.assert_array_equal(with_counts(PAIR, {"the": 3, "cat": 2, "mat": 1}, "x").counts, [3, 2, 1])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"counts\.tsv has no count for 2 of 3 words, such as 'cat'"):
        with_counts(PAIR, {"the": 3}, "counts.tsv")


def test_both_matrices_of_a_fasttext_model(data: Path) -> None:
    pair, model = ContextPair.load(data / "skipgram.bin"), load_fasttext(data / "skipgram.bin")
    assert pair.words == model.words
    assert (pair.model, pair.power) == ("negative-sampling", 0.5)
    assert pair.counts is not None
    assert list(pair.counts) == sorted(pair.counts, reverse=True)
    np.testing.assert_allclose(pair.vectors[5], model.vector(pair.words[5]), atol=1e-6)
    assert pair.contexts.shape == pair.vectors.shape
    # The matrix stands at the end of the file.
    assert (data / "skipgram.bin").read_bytes().endswith(pair.contexts.tobytes())
    assert ContextPair.load(data / "skipgram.bin", limit=4).words == model.words[:4]


def test_fasttext_models_without_context_vectors(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no context vectors of words: it is a classifier"):
        ContextPair.load(data / "supervised.bin")
    whole = (data / "skipgram.bin").read_bytes()
    (tmp_path / "cut.bin").write_bytes(whole[:-1])
    with pytest.raises(InputError, match="ends too early"):
        ContextPair.load(tmp_path / "cut.bin")
    VectorTable(WORDS, VECTORS).save(tmp_path / "u.vec")
    with pytest.raises(InputError, match=r"u\.vec has no context vectors; give the file that has them, too"):
        ContextPair.load(tmp_path / "u.vec")


def test_gensim_models() -> None:
    word2vec = pytest.importorskip("gensim.models").Word2Vec
    model = word2vec([["a", "b", "a", "c"]] * 5, vector_size=4, min_count=1, sg=1, negative=2, workers=1, seed=1)
    pair = ContextPair.from_gensim(model)
    assert (pair.words[0], pair.model, pair.power) == ("a", "negative-sampling", 0.75)
    np.testing.assert_array_equal(pair.counts, [10, 5, 5])  # type: ignore[arg-type]
    np.testing.assert_array_equal(pair.contexts, model.syn1neg)
    with pytest.raises(InputError, match="KeyedVectors has no context vectors"):
        ContextPair.from_gensim(model.wv)
    with pytest.raises(InputError, match="has no context vectors"):
        ContextPair.from_gensim(SimpleNamespace(wv=model.wv))
