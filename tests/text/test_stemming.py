from __future__ import annotations

import sys

import pytest

from everyword.errors import MissingExtraError, UnknownNameError
from everyword.text.vocabulary import stems


def test_inflections_share_a_stem() -> None:
    assert stems(["walks", "walked", "walking", "ran"], "english") == ["walk", "walk", "walk", "ran"]


def test_each_language_has_its_own_stems() -> None:
    assert stems(["häuser", "hauses"], "german") == ["haus", "haus"]


def test_a_word_that_would_vanish_stays_as_it_is() -> None:
    assert stems(["''s", "walks"], "english") == ["''s", "walk"]
    assert stems(["s"], "porter") == ["s"]


def test_every_word_keeps_its_place() -> None:
    words = ["", "a", "😀", "x", "2024", "\x00"]

    assert stems(words, "english") == words


def test_no_words_have_no_stems() -> None:
    assert stems([], "english") == []


def test_an_unknown_language_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="no stemmer for 'englisch': did you mean 'english'"):
        stems(["walk"], "englisch")


def test_a_missing_stemmer_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)

    with pytest.raises(MissingExtraError, match=r'Stemming needs .* pip install "everyword\[train\]"'):
        stems(["walk"], "english")
