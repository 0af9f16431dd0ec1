from __future__ import annotations

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyword.models.retrieval.alphabetical import WIDTH, AlphabeticalIndex

word = st.text("ab", min_size=1, max_size=5) | st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=4)


@pytest.mark.parametrize("step", [1, -1])
@given(
    known=st.lists(word, min_size=1, max_size=12, unique=True),
    asked=st.lists(word, max_size=6),
    reach=st.integers(1, 3),
)
def test_neighbours_are_those_of_a_sorted_list(known: list[str], asked: list[str], reach: int, step: int) -> None:
    in_order = sorted(word[::step] for word in known)
    found = AlphabeticalIndex(known, backwards=step < 0).beside(asked, reach)
    assert found.shape == (len(asked), 2 * reach)
    for question, rows in zip(asked, found.tolist(), strict=True):
        place = bisect_left(in_order, question[::step])
        around = [min(max(place + shift, 0), len(known) - 1) for shift in range(-reach, reach)]
        assert [known[row][::step] for row in rows] == [in_order[place] for place in around]


def test_relatives_of_a_new_word_stand_beside_it() -> None:
    known = ["deviation", "datable", "develop", "table", "zoo"]
    assert known[AlphabeticalIndex(known).beside(["deviationism"], 1)[0, 0]] == "deviation"
    assert known[AlphabeticalIndex(known, backwards=True).beside(["undatable"], 1)[0, 0]] == "datable"


def test_of_words_that_agree_too_long_to_be_told_apart_the_more_frequent_comes_first() -> None:
    start = "x" * WIDTH
    assert AlphabeticalIndex([start + "b", start + "a"]).beside([start + "c"], 1).tolist() == [[0, 0]]
