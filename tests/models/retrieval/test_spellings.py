from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from everyword.models.retrieval.spellings import SPARE, Alphabet, Spellings, code_points

words = st.lists(st.text(st.characters(exclude_characters="\0"), max_size=6), max_size=8)


@given(words=words)
def test_letters_from_both_ends(words: list[str]) -> None:
    spelt = Spellings.of(words)
    width = max(map(len, words), default=0) + SPARE
    assert spelt.lengths.tolist() == [len(word) for word in words]
    for row, word in enumerate(words):
        points = [ord(character) for character in word]
        filling = [0] * (width - len(word))
        assert spelt.letters[row].tolist() == points + filling
        assert spelt.backwards[row].tolist() == points[::-1] + filling


@given(known=words, asked=words)
def test_letters_of_an_alphabet_are_equal_where_characters_are(known: list[str], asked: list[str]) -> None:
    alphabet = Alphabet(known)
    ours, theirs = alphabet.spell(known), alphabet.spell(asked)
    for row, word in enumerate(known):
        for other, question in enumerate(asked):
            shorter = min(len(word), len(question))
            same = (ours.letters[row, :shorter] == theirs.letters[other, :shorter]).tolist()
            assert same == [a == b for a, b in zip(word, question, strict=False)]
    assert not any((theirs.letters[row, : len(word)] == 0).any() for row, word in enumerate(asked))


def test_few_characters_take_a_byte_and_many_take_more() -> None:
    assert Alphabet(["abc", "é東"]).spell(["x"]).letters.dtype == np.uint8
    assert Alphabet([chr(point) for point in range(0x4E00, 0x4E00 + 300)]).spell(["x"]).letters.itemsize == 2


def test_nothing_to_spell() -> None:
    joined, lengths = code_points([])
    assert (len(joined), len(lengths)) == (0, 0)
    assert Alphabet([]).spell(["ab"]).lengths.tolist() == [2]
