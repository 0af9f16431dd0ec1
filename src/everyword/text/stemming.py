"""Stems, for shrinking a vocabulary and for telling inflections from look-alikes."""

from __future__ import annotations

from collections.abc import Sequence

from everyword.errors import UnknownNameError, did_you_mean
from everyword.extras import require


def stems(words: Sequence[str], language: str) -> list[str]:
    """The Snowball stem of each word; a word that would vanish stays as it is."""
    snowball = require("snowballstemmer", "Stemming")
    known = snowball.algorithms()
    if language not in known:
        raise UnknownNameError(f"There is no stemmer for {language!r}: {did_you_mean(language, known)}")
    found = snowball.stemmer(language).stemWords(list(words))
    return [stem or word for stem, word in zip(found, words, strict=True)]
