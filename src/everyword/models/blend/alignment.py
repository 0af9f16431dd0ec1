"""How a word and a known word align, letter by letter and sound by sound, as the input of the second gate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.models.retrieval.common_letters import Bits, bit_counts, first_bits, positions_of, unmatched
from everyword.models.retrieval.letter_rows import LETTERS, WIDTH, Rows
from everyword.models.retrieval.one_word import SpeltWord
from everyword.models.retrieval.similar_words import Pairs
from everyword.models.retrieval.spelt_words import BACKWARDS_OF, LETTERS_OF, SIDES, SOUNDS_OF, SpeltWords

LETTER_PAIRS = LETTERS * LETTERS
PAIRED = np.int64(LETTERS)
LETTER_TABLES = ("letters.first", "letters.begin", "letters.end", "letters.own")
"""One for each row of `Alignment.letter_pairs`, already multiplied by the hidden layer's weights."""
BAG = LETTERS - 1
"""Letters that are counted: a to z and anything else."""

PLACES = ("vowels", "doubled letters", "adjacent vowels", "last e", "first three letters", "last two letters")
"""Sets of a word's positions; the unmatched ones in each are counted."""
_COUNTS = ("letters", *PLACES, "runs")
FEATURES = (
    *(f"{what} unmatched" for what in _COUNTS),
    *(f"{what} of the candidate unmatched" for what in _COUNTS),
    "sounds unmatched",
    "sounds of the candidate unmatched",
    "beginning",
    "end",
    "length",
    "length of the candidate",
    "sounds",
    "difference in length",
    "letters not in common",
    "rarity",
    "share of the beginning",
    "share of the end",
    "share of letters in common",
    "share of sounds in common",
    "beginnings differ",
    "ends differ",
    "letters left out",
    "letters too many",
    "candidate begins the word",
    "candidate ends the word",
    "one letter replaced",
    "one letter too many",
    "one letter left out",
    "neighbours swapped",
    "repeats the letter before",
    "candidate repeats the letter before",
)
INPUTS = len(FEATURES) + 2 * BAG
_SOUNDS = 2 * len(_COUNTS)
_SHARES, _YES_OR_NO, _EDITS = _SOUNDS + 10, _SOUNDS + 14, _SOUNDS + 20
"""Where groups of features begin."""
_SCALES = np.ones((len(FEATURES), 1), dtype=np.float32)
_SCALES[:_SOUNDS] = 1 / 2
_SCALES[_SOUNDS : _SHARES - 1, 0] = np.array([1 / 2, 1 / 2, 1 / 4, 1 / 4, 1 / 8, 1 / 8, 1 / 4, 1 / 2, 1 / 4])
"""What brings the features to about one."""

_VOWELS = np.zeros(LETTERS, dtype=np.bool_)
_VOWELS[[1 + "abcdefghijklmnopqrstuvwxyz".index(vowel) for vowel in "aeiouy"]] = True
_IS_VOWEL: list[int] = _VOWELS.astype(int).tolist()
_E = 5
_FIRST_PLACES, _ALL_PLACES = 7, (1 << WIDTH) - 1

Counts = NDArray[np.int8]


@dataclass(frozen=True)
class Alignment:
    """The input of the gate for each pair of word and candidate."""

    features: FloatArray
    """(`INPUTS`, pairs): `FEATURES`, then how many of each letter the word has more than the candidate, and fewer."""
    letter_pairs: IndexArray
    """(4, pairs): the first letters of both, those where they begin to differ and those where they cease to, and the
    word's own letters before and at the first difference; numbers below `LETTER_PAIRS`."""


class WordShapes:
    """Words by letters and sounds, with the sets of positions and the counts of letters that alignment needs."""

    def __init__(self, words: SpeltWords, places: Bits | None = None, bags: Counts | None = None) -> None:
        self.words = words
        self.places = _places(words) if places is None else places
        """(words, `PLACES`)"""
        self.bags = _bags(words) if bags is None else bags
        """(words, `BAG`): how often each letter occurs."""

    @classmethod
    def of_one(cls, word: SpeltWord) -> WordShapes:
        """Return one word, without arrays of one on the way."""
        vowels, same, counts, before = 0, 0, [0] * LETTERS, 0
        for place, letter in enumerate(word.letters):
            vowels |= _IS_VOWEL[letter] << place
            same |= (letter == before != 0) << place
            counts[letter] += 1
            before = letter
        adjacent, length = vowels & vowels << 1, len(word.letters)
        last_e = 1 << length - 1 if before == _E else 0
        last = _ALL_PLACES & ~((1 << max(length - 2, 0)) - 1)
        places = [vowels, same | same >> 1, adjacent | adjacent >> 1, last_e, _FIRST_PLACES, last]
        return cls(word.as_words(), np.array([places], dtype=np.uint32), np.array([counts[1:]], dtype=np.int8))

    @cached_property
    def rarity(self) -> FloatArray:
        """Return how rare the words are, if they are known words, most frequent first."""
        return rarity(len(self.words))


def _places(words: SpeltWords) -> Bits:
    """Return the sets of positions, (words, `PLACES`)."""
    letters, lengths = words.letters, words.lengths[:, None]
    positions = np.arange(WIDTH)
    places = np.zeros((len(PLACES), *letters.shape), dtype=np.bool_)
    vowels, doubled, adjacent, last_e, first, last = places
    vowels[:] = _VOWELS[letters]
    doubled[:, 1:] = (letters[:, 1:] == letters[:, :-1]) & (letters[:, 1:] != 0)
    doubled[:, :-1] |= doubled[:, 1:]
    adjacent[:, 1:] = vowels[:, 1:] & vowels[:, :-1]
    adjacent[:, :-1] |= adjacent[:, 1:]
    last_e[:] = (letters == _E) & (positions == lengths - 1)
    first[:] = positions < 3
    last[:] = positions >= lengths - 2
    return np.ascontiguousarray(as_bits(places).T)


def _bags(words: SpeltWords) -> Counts:
    """Return how often each letter occurs, (words, `BAG`)."""
    at = np.arange(0, len(words) * LETTERS, LETTERS)[:, None] + words.letters
    counts = np.bincount(at.ravel(), minlength=len(words) * LETTERS).astype(np.int8)
    return np.ascontiguousarray(counts.reshape(len(words), LETTERS)[:, 1:])


def rarity(words: int) -> FloatArray:
    """Return how rare words are, most frequent first."""
    return (np.log10(np.arange(words) + 10) / 2 - 1).astype(np.float32)


def as_bits(flags: BoolArray) -> Bits:
    """Return rows of `WIDTH` flags as numbers, the first flag as the lowest bit.

    >>> as_bits(np.arange(24) == 1).tolist()
    2
    """
    filled = np.zeros((*flags.shape[:-1], 4), dtype=np.uint8)
    filled[..., : WIDTH // 8] = np.packbits(flags, axis=-1, bitorder="little")
    return filled.view("<u4")[..., 0].astype(np.uint32, copy=False)


def align(words: WordShapes, known: WordShapes, pairs: Pairs) -> Alignment:
    """Align each word with each of its candidates."""
    query, row = pairs.query, pairs.row
    word, candidate = words.words.rows.take(query, axis=0), known.words.rows.take(row, axis=0)
    length, other_length = words.words.lengths.take(query), known.words.lengths.take(row)
    sounds, other_sounds = words.words.sound_lengths.take(query), known.words.sound_lengths.take(row)
    counts = bit_counts(_unmatched_places(words, known, pairs, candidate[:, LETTERS_OF]))
    shorter, longer = np.minimum(length, other_length), np.maximum(length, other_length)
    agreeing = _agreeing(word[:, :SOUNDS_OF], candidate[:, :SOUNDS_OF])
    begin = np.minimum(agreeing[:, LETTERS_OF], shorter)
    end = np.minimum(agreeing[:, BACKWARDS_OF], shorter - begin)
    agreed = begin + end
    features = np.empty((INPUTS, len(query)), dtype=np.float32)
    more, fewer = features[len(FEATURES) : -BAG], features[-BAG:]
    difference = (words.bags.take(query, axis=0) - known.bags.take(row, axis=0)).T
    np.maximum(difference, 0, out=more)
    np.subtract(more, difference, out=fewer)
    features[:_SOUNDS] = counts
    features[_SOUNDS] = pairs.sounds_left
    features[_SOUNDS + 1] = other_sounds - sounds + pairs.sounds_left
    features[_SOUNDS + 2] = begin
    features[_SOUNDS + 3] = end
    features[_SOUNDS + 4] = length
    features[_SOUNDS + 5] = other_length
    features[_SOUNDS + 6] = sounds
    features[_SOUNDS + 7] = longer - shorter
    features[_SOUNDS + 8] = np.add(more, fewer).sum(axis=0)
    features[_SHARES - 1] = known.rarity.take(row)
    features[_SHARES] = begin
    features[_SHARES + 1] = end
    features[_SHARES + 2] = length - counts[0]
    features[_SHARES : _SHARES + 3] /= np.maximum(longer, 1)
    features[_SHARES + 3] = (sounds - pairs.sounds_left) / np.maximum(np.maximum(sounds, other_sounds), 1)
    np.equal(begin, 0, out=features[_YES_OR_NO])
    np.equal(end, 0, out=features[_YES_OR_NO + 1])
    np.equal(agreed, length, out=features[_YES_OR_NO + 2])
    np.equal(agreed, other_length, out=features[_YES_OR_NO + 3])
    np.equal(begin, other_length, out=features[_YES_OR_NO + 4])
    np.equal(end, other_length, out=features[_YES_OR_NO + 5])
    before, here, there = _tell_edits(word, candidate, begin, (length - agreed, other_length - agreed), features)
    features[: len(FEATURES)] *= _SCALES
    letter_pairs = np.empty((len(LETTER_TABLES), len(query)), dtype=np.int64)
    letter_pairs[0] = word[:, LETTERS_OF, 0] * PAIRED + candidate[:, LETTERS_OF, 0]
    letter_pairs[1] = here * PAIRED + there
    last = np.arange(0, word.size, SIDES * WIDTH) + (BACKWARDS_OF * WIDTH + np.minimum(end, WIDTH - 1))
    letter_pairs[2] = word.take(last) * PAIRED + candidate.take(last)
    letter_pairs[3] = before * PAIRED + here
    return Alignment(features, letter_pairs)


def _tell_edits(
    word: Rows, candidate: Rows, begin: IndexArray, rests: tuple[IndexArray, IndexArray], features: FloatArray
) -> tuple[Rows, Rows, Rows]:
    """Fill in which single edit explains the rest between what both share at the beginning and at the end.

    Return the letter before the first difference and those at it, of word and candidate.
    """
    at = np.arange(0, word.size, SIDES * WIDTH) + np.minimum(begin, WIDTH - 1)
    after = at + (begin < WIDTH - 1)
    before = word.take(np.maximum(at - 1, 0)) * (begin > 0)
    here, there = word.take(at), candidate.take(at)
    rest, other_rest = rests
    single = rest == 1
    np.logical_and(single, other_rest == 1, out=features[_EDITS])
    features[_EDITS + 1] = single & (other_rest == 0)
    features[_EDITS + 2] = (rest == 0) & (other_rest == 1)
    swapped = (rest == 2) & (other_rest == 2)
    features[_EDITS + 3] = swapped & (here == candidate.take(after)) & (there == word.take(after))
    np.equal(here, before, out=features[_EDITS + 4])
    np.equal(there, before, out=features[_EDITS + 5])
    return before, here, there


def _unmatched_places(words: WordShapes, known: WordShapes, pairs: Pairs, others: Rows) -> Bits:
    """Return the unmatched letters of words and candidates, all, by `PLACES`, and those that begin a run."""
    query, row = pairs.query, pairs.row
    bits = np.empty((2, len(_COUNTS), len(query)), dtype=np.uint32)
    bits[0, 0] = pairs.letters_left
    if pairs.others_left is None:
        offset, lengths = np.arange(0, len(query) * LETTERS, LETTERS), words.words.lengths.take(query)
        backwards = unmatched(positions_of(others, LETTERS), offset, words.words.letters, query, lengths)
        np.bitwise_and(backwards, first_bits(known.words.lengths.take(row)), out=bits[1, 0])
    else:
        bits[1, 0] = pairs.others_left
    bits[0, 1:-1] = words.places.take(query, axis=0).T
    bits[1, 1:-1] = known.places.take(row, axis=0).T
    bits[:, 1:-1] &= bits[:, :1]
    bits[:, -1] = bits[:, 0] & ~(bits[:, 0] << np.uint32(1))
    return bits.reshape(2 * len(_COUNTS), len(query))


def _agreeing(first: Rows, second: Rows) -> IndexArray:
    """Return how many numbers agree from the start of the rows on."""
    differ = np.ones((*first.shape[:-1], WIDTH + 1), dtype=np.bool_)
    np.not_equal(first, second, out=differ[..., :-1])
    agreeing: IndexArray = differ.argmax(axis=-1)
    return agreeing
