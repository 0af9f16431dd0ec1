from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from everyword.models.retrieval.edit_distance import MORE, edit_distances
from everyword.models.retrieval.spellings import Alphabet, Spellings

word = st.text("abc", max_size=7) | st.text(st.characters(exclude_characters="\0"), max_size=5)
Pairs = list[tuple[str, str]]


def distances(pairs: Pairs, *, in_alphabet: bool = False) -> list[int]:
    firsts, seconds = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    spell = Alphabet(seconds).spell if in_alphabet else Spellings.of
    rows = np.arange(len(pairs))
    return edit_distances(spell(firsts), rows, spell(seconds), rows).tolist()


@pytest.mark.parametrize("in_alphabet", [False, True])
@given(pairs=st.lists(st.tuples(word, word), max_size=12))
def test_distances_up_to_two_are_those_of_rapidfuzz(pairs: Pairs, in_alphabet: bool) -> None:
    assert distances(pairs, in_alphabet=in_alphabet) == [min(MORE, OSA.distance(*pair)) for pair in pairs]


@given(
    start=st.text("ab", max_size=8), edits=st.lists(st.tuples(st.sampled_from("dirs"), st.integers(0, 7)), max_size=2)
)
def test_words_after_up_to_two_edits(start: str, edits: list[tuple[str, int]]) -> None:
    edited = start
    for kind, place in edits:
        head, tail = edited[:place], edited[place:]
        edited = (
            head + {"d": tail[1:], "i": "c" + tail, "r": "c" + tail[1:], "s": tail[1:2] + tail[:1] + tail[2:]}[kind]
        )
    assert distances([(start, edited)]) == [min(MORE, OSA.distance(start, edited))]


@given(pairs=st.lists(st.tuples(word, word), max_size=12))
def test_distances_up_to_one(pairs: Pairs) -> None:
    firsts, seconds = (Spellings.of([pair[side] for pair in pairs]) for side in (0, 1))
    rows = np.arange(len(pairs))
    expected = [distance if (distance := OSA.distance(*pair)) <= 1 else MORE for pair in pairs]
    assert edit_distances(firsts, rows, seconds, rows, most=1).tolist() == expected


def test_the_examples_of_the_textbooks() -> None:
    pairs = {("kitten", "sitting"): MORE, ("ca", "abc"): MORE, ("teh", "the"): 1, ("", "ab"): 2, ("same", "same"): 0}
    assert distances(list(pairs)) == list(pairs.values())
