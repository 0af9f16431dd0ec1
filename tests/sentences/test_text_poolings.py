"""One vector for a text from those of its tokens."""

from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import UnknownNameError
from everyword.sentences.spans import pool
from everyword.sentences.text_poolings import ENDS, REDUCED, SINGLE, TEXT_POOLINGS, pool_texts

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(10, 8)).astype(np.float32)
STARTS = np.array([0, 6, 6, 7, 10])


@pytest.mark.parametrize("name", REDUCED)
def test_the_order_of_words_does_not_matter_and_unknown_words_do_not_count(name: str) -> None:
    shuffled = VECTORS.copy()
    shuffled[:6] = VECTORS[RNG.permutation(6)]
    expected = pool_texts(name, VECTORS, STARTS)
    np.testing.assert_allclose(pool_texts(name, shuffled, STARTS), expected, rtol=1e-5, atol=1e-6)
    with_unknown = np.insert(VECTORS, 2, 0, axis=0)
    longer = STARTS + (STARTS > 2)
    np.testing.assert_allclose(pool_texts(name, with_unknown, longer), expected, rtol=1e-5, atol=1e-6)
    assert not expected[1].any()


def test_poolings_are_what_they_say() -> None:
    text = VECTORS[:6]
    for name, pooled in (("average", text.mean(0)), ("sum", text.sum(0)), ("max", text.max(0)), ("min", text.min(0))):
        np.testing.assert_allclose(pool_texts(name, VECTORS, STARTS)[0], pooled, rtol=1e-5, atol=1e-6)
    for name, row in (("first", 0), ("third", 2), ("two-thirds", 4), ("last", 5)):
        np.testing.assert_array_equal(pool_texts(name, VECTORS, STARTS)[0], VECTORS[row])
    assert set(SINGLE) == {"first", "third", "two-thirds", "last"}
    for name in SINGLE:
        np.testing.assert_array_equal(pool_texts(name, VECTORS, STARTS)[2], VECTORS[6])


@pytest.mark.parametrize("name", ENDS)
def test_poolings_of_spans_take_the_whole_text(name: str) -> None:
    found = pool_texts(name, VECTORS, STARTS)
    np.testing.assert_array_equal(found[3], pool(name, VECTORS[7:], [(0, 2)])[0])
    assert not found[1].any()


def test_no_texts_and_no_pooling() -> None:
    for name in TEXT_POOLINGS:
        assert len(pool_texts(name, VECTORS[:0], np.array([0]))) == 0
    with pytest.raises(UnknownNameError, match="did you mean 'average'"):
        pool_texts("averge", VECTORS, STARTS)
