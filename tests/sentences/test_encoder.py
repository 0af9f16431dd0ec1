"""Texts → vectors: what counts, how much, and the same answer on every way to it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import everyword
from everyword import InputError, Model, kernel
from everyword.models.load import load
from everyword.sentences.index import TextIndex
from everyword.sentences.terms import Terms
from everyword.sentences.tokens import token_spans, tokens_of
from everyword.sentences.weights import TextWeights

TEXTS = ["my docter diagnosed leukamia", "A heart attack at 5:30pm 😢", "", "?!", "New York's mayor e-mailed #metoo"]


@pytest.fixture(scope="module")
def english() -> Model:
    return load()


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="aB3.-'’@#:/ é😢", max_size=30))
def test_spans_are_the_tokens_where_they_stand(text: str) -> None:
    spans = token_spans(text)

    assert [span.text for span in spans] == tokens_of(text)
    assert all(text[span.begin : span.end] == span.text for span in spans)
    assert all(one.end <= two.begin for one, two in itertools.pairwise(spans))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don't e-mail me!", ["Don't", "e-mail", "me"]),
        ("the U.S. and the Ph.D., e.g. now", ["the", "U.S.", "and", "the", "Ph.D.", "e.g.", "now"]),
        ("one.Two and/or", ["one", "Two", "and", "or"]),
        ("3,000.50 at 12:30 for $3m, 20% of 5kg", ["3,000.50", "at", "12:30", "for", "$3m", "20%", "of", "5kg"]),
        ("ask me@a-b.org or https://x.org/a?b=1.", ["ask", "me@a-b.org", "or", "https://x.org/a?b=1"]),
        ("@you #MeToo :) <3 👩‍👩‍👧 हिन्दी", ["@you", "#MeToo", ":)", "<3", "👩‍👩‍👧", "हिन्दी"]),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokens_of(text) == tokens


@pytest.mark.parametrize("text", ["a+" * 9999, "a@" * 9999, "www." * 9999, "x" * 99999, "a://" * 9999, ":" * 9999])
def test_strange_texts_are_cut_at_once(text: str) -> None:
    assert len(tokens_of(text)) <= len(text)


def test_a_text_is_the_weighted_mean_of_its_words(tiny_dan_model: Model) -> None:
    model = tiny_dan_model.without(())
    gains = TextWeights.by_rank(model.known_words).gains
    words = list(model.known_words.words[:2])
    units = model.encode(words, normalize=True)

    made = model.encode_texts(f"{words[0]}, {words[1].upper()}; {words[1]}")

    weights = gains[[0, 1, 1]]
    np.testing.assert_allclose(made, weights @ units[[0, 1, 1]] / weights.sum(), atol=1e-5)


def test_rare_words_count_more_than_frequent_ones() -> None:
    gains = TextWeights.by_rank(load("everyword-en-small").known_words, terms=False).gains

    assert (np.diff(gains) >= 0).all()
    assert gains[0] < 0.1
    assert gains[-1] > 0.9


def test_with_and_without_the_kernel(english: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    with_kernel = english.encode_texts(TEXTS)
    monkeypatch.setattr(kernel, "compiled", False)
    plain = english.without(())  # readers choose their code when they are made
    np.testing.assert_allclose(with_kernel, plain.encode_texts(TEXTS), atol=1e-4)


def test_texts_together_and_alone(english: Model) -> None:
    together = english.encode_texts(TEXTS)

    np.testing.assert_allclose(together, [english.encode_texts(text) for text in TEXTS], atol=1e-5)
    np.testing.assert_allclose(together, english.encode_texts(iter(TEXTS), batch_size=2), atol=1e-5)
    assert together.dtype == np.float32
    assert not together[2:4].any()
    np.testing.assert_allclose(
        np.linalg.norm(english.encode_texts(TEXTS, normalize=True), axis=1), [1, 1, 0, 0, 1], atol=1e-5
    )


def test_typos_hardly_change_a_text(english: Model) -> None:
    typos = english.similarity_of_texts("my docter diagnosed leukamia", "my doctor diagnosed leukemia")
    other = english.similarity_of_texts("my docter diagnosed leukamia", "the stock market fell sharply")

    assert typos > 0.9
    assert other < 0.4


def test_terms_are_found_longest_and_first_first() -> None:
    known = everyword.load().known_words
    terms = Terms.of(known)
    words = ["he", "had", "a", "heart", "attack", "in", "new", "york", "city", "heart", "attack"]
    rows = known.rows_of(words)

    found = terms.find(rows, np.zeros(len(words), dtype=np.int64))

    assert [known.words[row] for _, _, row in found if " " in known.words[row]][0:1]
    assert "heart attack" in [known.words[row] for _, _, row in found]
    assert "new york city" in [known.words[row] for _, _, row in found]
    across = terms.find(known.rows_of(["heart", "attack"]), np.array([0, 1]))
    assert not across


def test_similarity_takes_texts_and_lists(english: Model) -> None:
    assert english.similarity_of_texts("", "cat") == 0.0
    assert english.similarity_of_texts(["a cat", "a dog"], "a kitten").shape == (2,)
    pairs = english.similarity_of_texts(["a cat", "the moon"], ["a kitten", "a lunar eclipse"])
    assert (pairs > 0.4).all()
    with pytest.raises(InputError, match="as many texts"):
        english.similarity_of_texts(["a"], ["b", "c"])


def test_the_nearest_text_is_found_in_spite_of_typos(english: Model) -> None:
    texts = ["treatment of leukemia", "how to bake bread", "football results", "bake bread"]

    assert english.nearest_texts("leukamia treatmnt", texts, k=2)[0][0] == "treatment of leukemia"
    found = english.nearest_texts(["baking bred at home", "soccer scores"], texts, k=9)
    assert [pairs[0][0] for pairs in found] == ["bake bread", "football results"] or found[0][0][0] == texts[1]
    assert len(found[0]) == len(texts)
    assert english.nearest_texts("x", [], k=3) == []


def test_equally_near_texts_keep_their_order(english: Model) -> None:
    index = TextIndex.build(english, ["a cat", "a dog", "a cat", "a cat"])

    assert [row for row, _ in index.search(english.encode_texts("a cat"), 2)[0]] == [0, 2]


@pytest.mark.parametrize("texts", [None, 3, ["fine", None], ["fine", 3.5], [["fine"]]])
def test_what_is_not_text_is_refused(english: Model, texts: object) -> None:
    with pytest.raises(InputError, match="text"):
        english.encode_texts(texts)  # type: ignore[arg-type]


def test_control_characters_mixed_scripts_and_surrogates(english: Model) -> None:
    made = english.encode_texts(["\x00\x1b\x07", "кошка и dog", "\ud800 x", "a\u200bb"])

    assert np.isfinite(made).all()
    assert not made[0].any()
    assert made[1].any()


def test_a_text_of_megabytes(english: Model) -> None:
    once = english.encode_texts("the cat sat on the mat. ")

    np.testing.assert_allclose(english.encode_texts("the cat sat on the mat. " * 40_000), once, atol=1e-3)


def test_adapted_models_encode_texts(tiny_adapted_model: Model) -> None:
    assert tiny_adapted_model.encode_texts(["ban bann", ""]).shape == (2, tiny_adapted_model.dim)
