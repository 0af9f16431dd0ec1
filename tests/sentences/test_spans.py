"""Six poolings of spans, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import InputError, UnknownNameError
from everyword.sentences.spans import (
    BOUNDARY,
    POOLINGS,
    attention,
    average,
    coherent,
    coherent_parts,
    diff_sum,
    endpoint,
    maximum,
    pool,
    pool_batch,
    pooled_size,
    spans_of_pieces,
)

TOKENS = np.array(
    [[1, 0, 2, 0, 1, 1], [5, -1, 0, 3, 2, 2], [0, 4, 1, 1, 3, -2], [-9, 9, 9, 9, 9, 9]],
    dtype=np.float32,
)
SPAN = [(0, 2)]


def test_all_six_on_a_span_of_three_tokens() -> None:
    assert average(TOKENS, SPAN).tolist() == [[2, 1, 1, pytest.approx(4 / 3), 2, pytest.approx(1 / 3)]]
    assert maximum(TOKENS, SPAN).tolist() == [[5, 4, 2, 3, 3, 2]]
    assert endpoint(TOKENS, SPAN).tolist() == [[1, 0, 2, 0, 1, 1, 0, 4, 1, 1, 3, -2]]
    assert diff_sum(TOKENS, SPAN).tolist() == [[1, 4, 3, 1, 4, -1, -1, 4, -1, 1, 2, -3]]
    weights = np.array([np.log(2), 0, 0, 0, 0, 0])  # softmax of products: 2, 32 and 1 parts
    expected = (2 * TOKENS[0] + 32 * TOKENS[1] + TOKENS[2]) / 35
    assert attention(TOKENS, SPAN, weights)[0] == pytest.approx(expected, rel=1e-5)
    # 6 dimensions: two are kept of the first token, the next two of the last, and the fifth times the sixth.
    assert coherent_parts(6) == (2, 1)
    assert coherent(TOKENS, SPAN).tolist() == [[1, 0, 1, 1, 1 * -2]]


@pytest.mark.parametrize("name", POOLINGS)
def test_sizes_are_those_promised(name: str) -> None:
    for dim in (4, 7, 256, 1024):
        tokens = np.random.default_rng(0).normal(size=(5, dim)).astype(np.float32)
        assert pool(name, tokens, [(0, 4), (2, 2)]).shape == (2, pooled_size(name, dim))
        assert pool(name, tokens, []).shape == (0, pooled_size(name, dim))


def test_coherent_pooling_has_the_proportions_of_the_paper() -> None:
    assert pooled_size("coherent", 256) == 241
    assert pooled_size("coherent", 1024) == 961


def test_single_tokens_have_one_vector_whatever_sees_the_whole_span() -> None:
    spans = [(row, row) for row in range(4)]
    weights = np.random.default_rng(1).normal(size=6)
    for found in (average(TOKENS, spans), maximum(TOKENS, spans), attention(TOKENS, spans, weights)):
        assert found == pytest.approx(TOKENS)


def test_attention_begins_as_the_average() -> None:
    spans = [(0, 3), (1, 2)]
    assert attention(TOKENS, spans) == pytest.approx(average(TOKENS, spans), rel=1e-6)


def test_attention_survives_large_products() -> None:
    found = attention(TOKENS, [(0, 3)], np.array([1e4, 0, 0, 0, 0, 0]))
    assert found[0] == pytest.approx(TOKENS[1])


def test_the_difference_and_the_sum_can_be_turned_back_into_the_ends() -> None:
    found, expected = diff_sum(TOKENS, SPAN)[0], endpoint(TOKENS, SPAN)[0]
    first, last = (found[:6] - found[6:]) / 2, (found[:6] + found[6:]) / 2
    assert np.concatenate([first, last]) == pytest.approx(expected)


@pytest.mark.parametrize("name", BOUNDARY)
def test_boundary_poolings_see_the_ends_only(name: str) -> None:
    changed = TOKENS.copy()
    changed[1] = 100
    assert pool(name, changed, SPAN) == pytest.approx(pool(name, TOKENS, SPAN))
    assert pool(name, changed, [(0, 1)])[0] != pytest.approx(pool(name, TOKENS, [(0, 1)])[0])


@pytest.mark.parametrize("name", POOLINGS)
def test_what_is_outside_a_span_never_counts(name: str) -> None:
    assert pool(name, TOKENS, SPAN) == pytest.approx(pool(name, TOKENS[:3], SPAN))


@pytest.mark.parametrize("name", POOLINGS)
def test_a_batch_of_texts_is_as_one_after_the_other(name: str) -> None:
    texts, spans = [TOKENS, TOKENS[1:]], [[(0, 1), (3, 3)], [(0, 2)]]
    together = pool_batch(name, texts, spans)
    alone = np.concatenate([pool(name, text, [span]) for text, some in zip(texts, spans, strict=True) for span in some])
    assert together == pytest.approx(alone)


def test_words_are_spans_of_pieces() -> None:
    assert spans_of_pieces([1, 3, 2], [(0, 0), (1, 1), (2, 2), (0, 2)]).tolist() == [[0, 0], [1, 3], [4, 5], [0, 5]]
    with pytest.raises(InputError, match="Word 1 has none"):
        spans_of_pieces([1, 0], [(0, 0)])


@pytest.mark.parametrize("span", [(-1, 0), (0, 4), (2, 1)])
def test_spans_that_do_not_fit_are_named(span: tuple[int, int]) -> None:
    with pytest.raises(InputError, match=f"Got {span[0]} to {span[1]}"):
        average(TOKENS, [(0, 0), span])
    with pytest.raises(InputError, match=f"Got {span[0]} to {span[1]}"):
        spans_of_pieces([1, 1, 1, 1], [span])


def test_other_mistakes_are_named() -> None:
    with pytest.raises(InputError, match="pairs of a first and a last token"):
        maximum(TOKENS, [(0, 1, 2)])  # type: ignore[list-item]
    with pytest.raises(InputError, match="pairs of a first and a last token"):
        maximum(TOKENS, [(0.0, 1.5)])  # type: ignore[list-item]
    with pytest.raises(UnknownNameError, match="did you mean 'average'"):
        pool("avrage", TOKENS, SPAN)
    with pytest.raises(InputError, match="'max' takes none"):
        pool("max", TOKENS, SPAN, np.zeros(6))
    with pytest.raises(InputError, match="a vector of 6 weights"):
        attention(TOKENS, SPAN, np.zeros(5))
    with pytest.raises(InputError, match="4 dimensions or more"):
        coherent(TOKENS[:, :2], SPAN)
    with pytest.raises(InputError, match="shape"):
        average(TOKENS[0], SPAN)
    with pytest.raises(InputError, match="Got 1 and 2"):
        pool_batch("max", [TOKENS], [SPAN, SPAN])
