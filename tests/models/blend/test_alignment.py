from __future__ import annotations

import numpy as np
import pytest

from everyword.models.blend.alignment import BAG, FEATURES, INPUTS, LETTER_TABLES, Alignment, WordShapes, align
from everyword.models.retrieval.letter_rows import LETTERS
from everyword.models.retrieval.similar_words import Pairs, SimilarWords
from everyword.models.retrieval.spelt_words import SpeltWords

KNOWN = ["friend", "receive", "beautiful", "letter", "deviation", "time", "abcdefghijklmnopqrstuvwxyz"]
EDITS = ("one letter replaced", "one letter too many", "one letter left out", "neighbours swapped")


def aligned(word: str, known: str) -> dict[str, float]:
    """The features of one pair, by name."""
    finder, spelt = SimilarWords([known]), SpeltWords.of([word])
    pairs = finder.find(spelt)
    assert len(pairs) == 1
    alignment = align(WordShapes(spelt), WordShapes(finder.index.spelt), pairs)
    return dict(zip(FEATURES, alignment.features[: len(FEATURES), 0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("word", "edit"), list(zip(("frirnd", "frieend", "frend", "freind"), EDITS, strict=True)), ids=EDITS
)
def test_single_edits_are_told(word: str, edit: str) -> None:
    features = aligned(word, "friend")
    assert [name for name in EDITS if features[name]] == [edit]


def test_what_both_share() -> None:
    features = aligned("recieve", "receive")
    assert features["share of the beginning"] == pytest.approx(3 / 7)
    assert features["share of the end"] == pytest.approx(2 / 7)
    assert features["letters not in common"] == 0
    assert features["letters unmatched"] == features["letters of the candidate unmatched"] == 0.5
    by_ear = aligned("reseeve", "receive")
    assert by_ear["sounds unmatched"] == by_ear["sounds of the candidate unmatched"] == 0
    assert by_ear["share of sounds in common"] == 1
    assert aligned("deviationism", "deviation")["candidate begins the word"] == 1
    assert aligned("undeviation", "deviation")["candidate ends the word"] == 1


def test_doubled_letters() -> None:
    features = aligned("leter", "letter")
    assert features["candidate repeats the letter before"] == 1
    assert features["doubled letters of the candidate unmatched"] == 0.5
    assert aligned("frriend", "friend")["repeats the letter before"] == 1


def test_letters_are_counted_and_paired() -> None:
    finder, spelt = SimilarWords(["time"]), SpeltWords.of(["tine"])
    alignment = align(WordShapes(spelt), WordShapes(finder.index.spelt), finder.find(spelt))
    assert alignment.features.shape == (INPUTS, 1)
    more, fewer = alignment.features[len(FEATURES) : -BAG, 0], alignment.features[-BAG:, 0]
    assert more.nonzero()[0].tolist() == [13]  # n
    assert fewer.nonzero()[0].tolist() == [12]  # m
    first, begin, end, own = alignment.letter_pairs[:, 0].tolist()
    assert len(LETTER_TABLES) == 4
    assert first == 20 * LETTERS + 20
    assert begin == end == 14 * LETTERS + 13
    assert own == 9 * LETTERS + 14


def test_pairs_are_aligned_alone_as_among_others() -> None:
    words = ["freind", "recieve", "butifull", "", "🙂", "leter" * 8, "abcdefghijklmnopqrstuvwxyz" * 2, "tine"]
    finder = SimilarWords(KNOWN)
    known = WordShapes(finder.index.spelt)

    def of(some: list[str]) -> tuple[Alignment, Pairs]:
        spelt = SpeltWords.of(some)
        pairs = finder.find(spelt)
        return align(WordShapes(spelt), known, pairs), pairs

    together, pairs = of(words)
    for index, word in enumerate(words):
        alone, _ = of([word])
        np.testing.assert_array_equal(together.features[:, pairs.query == index], alone.features)
        np.testing.assert_array_equal(together.letter_pairs[:, pairs.query == index], alone.letter_pairs)
    assert np.isfinite(together.features).all()
