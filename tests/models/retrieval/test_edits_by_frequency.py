from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from everyword.models.retrieval import edit_index as module
from everyword.models.retrieval.edit_index import EditIndex

word = st.text("abc", max_size=12) | st.text(st.characters(exclude_characters="\0"), max_size=6)


def edits_allowed(asked: str, row: int) -> int:
    among = [words for letters, words in module.TWO_EDITS_AMONG.items() if letters <= len(asked)]
    return 1 + (row < max(among, default=0))


@given(known=st.lists(word, min_size=1, max_size=30, unique=True), asked=st.lists(word, min_size=1, max_size=5))
def test_all_near_words_are_found_and_their_distances_are_right(known: list[str], asked: list[str]) -> None:
    # Ones that are frequent enough for two edits and ones that are not.
    rare = [f"{number}" for number in range(1_000)] + known
    for words in (known, rare):
        near = EditIndex(words)
        spelt = near.spell(asked)
        place, row = near.perhaps(spelt)
        distance = near.distances(spelt, place, row)
        found = set(zip(place.tolist(), row.tolist(), distance.tolist(), strict=True))
        rows = range(len(words) - len(known), len(words))
        expected = {
            (number, other, OSA.distance(question, words[other]))
            for number, question in enumerate(asked)
            for other in rows
            if OSA.distance(question, words[other]) <= edits_allowed(question, other)
        }
        assert {pair for pair in found if pair[2] <= 2 and pair[1] in rows} == expected


def test_a_word_longer_than_all_known_ones_costs_nothing_and_finds_nothing() -> None:
    near = EditIndex(["cat", "dog"])
    place, row = near.perhaps(near.spell(["a" * 100_000, "cta"]))
    assert set(zip(place.tolist(), row.tolist(), strict=True)) == {(1, 0)}
