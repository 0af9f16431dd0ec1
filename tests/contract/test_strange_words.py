"""Every word has a documented answer, whatever it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.models.explanation import Source
from everyword.models.model import Model

NOTHING_KNOWN = {
    "empty": "",
    "blank": " \t\n",
    "control characters": "\x00\x07\x1b",
    "zero-width and byte order mark": "\u200b\ufeff",
    "lone surrogate": "\ud800",
    "emoji": "🙂",
    "emoji with joiners": "👩\u200d🚀",
    "right to left": "שלום",
    "other script": "言葉",
    "digits the teacher has not": "0123456789",
}
SOMETHING_KNOWN = {
    "control characters inside": "ba\x00n",
    "lone surrogate inside": "ban\udfff",
    "ten thousand letters": "ban" * 3334,
    "mixed script": "банban",
    "letters and digits": "ban2",
    "letters and emoji": "ban🙂",
    "with a blank": "ban grelo",
    "capitals": "BANLY",
}


@pytest.fixture(scope="module", params=["tiny_model", "tiny_dan_model", "tiny_adapted_model"])
def model(request: pytest.FixtureRequest) -> Model:
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("word", NOTHING_KNOWN.values(), ids=NOTHING_KNOWN)
def test_a_word_of_which_nothing_is_known_is_a_flagged_zero(model: Model, word: str) -> None:
    assert model.source(word) is Source.NONE
    assert not model.known(word)
    assert not model[word].any()
    assert model.nearest(word) == []
    assert model.similarity(word, "ban") == 0.0


@pytest.mark.parametrize("word", SOMETHING_KNOWN.values(), ids=SOMETHING_KNOWN)
def test_a_word_of_which_something_is_known_gets_a_vector(model: Model, word: str) -> None:
    assert model.source(word) is not Source.NONE
    assert np.isfinite(model[word]).all()
    assert np.linalg.norm(model[word]) > 0
    assert model.nearest(word, k=3)


def test_strange_words_do_not_disturb_their_neighbours(model: Model) -> None:
    strange = [*NOTHING_KNOWN.values(), *SOMETHING_KNOWN.values()]
    mixed = [word for pair in zip(strange, ["bannes"] * len(strange), strict=True) for word in pair]
    alone = np.tile(model["bannes"], (len(strange), 1))
    np.testing.assert_allclose(model.encode(mixed)[1::2], alone, atol=1e-5)


@settings(max_examples=200, deadline=None)
@given(words=st.lists(st.text(st.characters(), max_size=30), max_size=5), more=st.integers(0, 30))
def test_no_text_at_all_gives_nan(model: Model, words: list[str], more: int) -> None:
    words = words + ["bannes"] * more
    vectors = model.encode(words)
    assert vectors.shape == (len(words), model.dim)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    for word, vector in zip(words, vectors, strict=True):
        assert vector.any() == (model.source(word) is not Source.NONE)
