from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.text.wordpiece import WordPieces, is_continuation

UNKNOWN = 0
LITERATURE = ["miss", "mi", "##pel", "##ling", "##sp", "##sell", "##ing", "##l"]

LETTERS = "ab#é"
PIECES = st.lists(
    st.builds(str.__add__, st.sampled_from(["", "##"]), st.text(LETTERS, min_size=1, max_size=4)), max_size=12
)


def cut(pieces: list[str], word: str) -> list[str]:
    rows = {piece: row for row, piece in enumerate(dict.fromkeys(pieces), start=1)}
    names = {row: piece for piece, row in rows.items()} | {UNKNOWN: "?"}
    return [names[row] for row in WordPieces(rows, UNKNOWN).ids(word)]


def slow_cut(pieces: list[str], word: str) -> list[str]:
    """The rule in words: at each place the longest piece that fits, marked by ## after the start; else one unknown."""
    found: list[str] = []
    place = 0
    while place < len(word):
        # "##" alone is the word of two hashes; it cannot continue a word by nothing.
        candidates = [
            piece
            for piece in pieces
            if (piece.startswith("##") and piece != "##") == (place > 0)
            and word.startswith(piece[2:] if place else piece, place)
        ]
        best = max(candidates, key=len, default="?")
        found.append(best)
        place += 1 if best == "?" else len(best) - (2 if place else 0)
    return found


def test_the_examples_of_the_paper_are_cut_as_it_says() -> None:
    assert cut(LITERATURE, "misspelling") == ["miss", "##pel", "##ling"]
    assert cut(LITERATURE, "mispselling") == ["mi", "##sp", "##sell", "##ing"]


@settings(deadline=None, max_examples=400)
@given(PIECES, st.text(LETTERS + "z", max_size=12))
def test_greedy_matching_equals_a_slow_search(pieces: list[str], word: str) -> None:
    assert cut(pieces, word) == slow_cut(pieces, word)


@settings(deadline=None, max_examples=200)
@given(PIECES, st.text(LETTERS, max_size=12))
def test_the_pieces_joined_are_the_word(pieces: list[str], word: str) -> None:
    alphabet = [*LETTERS, *("##" + letter for letter in LETTERS)]

    found = cut([*pieces, *alphabet], word)

    assert "".join([*found[:1], *(piece[2:] for piece in found[1:])]) == word


@pytest.mark.parametrize(
    ("word", "pieces"),
    [("", []), ("zebra", ["?", "?", "##b", "?", "##a"]), ("aa", ["a", "##a"]), ("b", ["?"]), ("ab", ["ab"])],
)
def test_a_character_that_no_piece_covers_is_one_unknown(word: str, pieces: list[str]) -> None:
    assert cut(["a", "ab", "##a", "##b"], word) == pieces


def test_without_any_pieces_everything_is_unknown() -> None:
    assert WordPieces({}, unknown=7).ids("cat") == [7, 7, 7]


@pytest.mark.parametrize(
    ("piece", "inside"), [("##ling", True), ("###", True), ("##", False), ("#", False), ("miss", False)]
)
def test_two_hashes_mark_what_stands_inside_a_word(piece: str, inside: bool) -> None:
    assert is_continuation(piece) is inside
