from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from everyword.models.retrieval.edit_distance import edit_distances
from everyword.models.retrieval.spellings import Spellings

word = st.text("abc", max_size=7) | st.text(st.characters(exclude_characters="\0"), max_size=5)


@given(pairs=st.lists(st.tuples(word, word), max_size=12))
def test_distances_are_those_of_rapidfuzz(pairs: list[tuple[str, str]]) -> None:
    first, second = (Spellings.of([pair[side] for pair in pairs]) for side in (0, 1))
    assert edit_distances(first, second).tolist() == [OSA.distance(*pair) for pair in pairs]


def test_the_examples_of_the_textbooks() -> None:
    pairs = {("kitten", "sitting"): 3, ("ca", "abc"): 3, ("teh", "the"): 1, ("", "abc"): 3, ("same", "same"): 0}
    first, second = (Spellings.of([pair[side] for pair in pairs]) for side in (0, 1))
    assert edit_distances(first, second).tolist() == list(pairs.values())
