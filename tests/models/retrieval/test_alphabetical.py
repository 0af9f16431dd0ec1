from __future__ import annotations

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyword.arrays import IndexArray
from everyword.models.retrieval.candidates import AlphabeticalIndex
from everyword.models.retrieval.spellings import Alphabet

word = st.text("ab", min_size=1, max_size=5) | st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=4)


MANY_LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 300)))
"""So many that a letter takes two bytes."""


def beside(known: list[str], asked: list[str], reach: int, step: int) -> IndexArray:
    alphabet = Alphabet(known)
    ours, theirs = ((spelt.letters, spelt.backwards)[step < 0] for spelt in map(alphabet.spell, (known, asked)))
    return AlphabeticalIndex(ours).beside(theirs, reach)


@pytest.mark.parametrize("more", [[], list(MANY_LETTERS)])
@pytest.mark.parametrize("step", [1, -1])
@given(
    known=st.lists(word, min_size=1, max_size=12, unique=True),
    asked=st.lists(word, max_size=6),
    reach=st.integers(1, 3),
)
def test_neighbours_are_those_of_a_sorted_list(
    known: list[str], asked: list[str], reach: int, step: int, more: list[str]
) -> None:
    known = list(dict.fromkeys(known + more))
    in_order = sorted(word[::step] for word in known)
    found = beside(known, asked, reach, step)
    assert found.shape == (len(asked), 2 * reach)
    for question, rows in zip(asked, found.tolist(), strict=True):
        place = bisect_left(in_order, question[::step])
        around = [min(max(place + shift, 0), len(known) - 1) for shift in range(-reach, reach)]
        assert [known[row][::step] for row in rows] == [in_order[place] for place in around]


def test_relatives_of_a_new_word_stand_beside_it() -> None:
    known = ["deviation", "datable", "develop", "table", "zoo"]
    assert known[beside(known, ["deviationism"], 1, 1)[0, 0]] == "deviation"
    assert known[beside(known, ["undatable"], 1, -1)[0, 0]] == "datable"
