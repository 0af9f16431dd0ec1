"""WordPiece tokenisation by greedy longest match."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

CONTINUATION = "##"


def is_continuation(piece: str) -> bool:
    """Return whether a piece is used inside a word ("##ling") rather than at its start ("miss")."""
    return piece.startswith(CONTINUATION) and piece != CONTINUATION


class WordPieces:
    """Cut a word into the longest pieces of a vocabulary, from left to right.

    >>> WordPieces({"miss": 1, "##pel": 2, "##ling": 3, "##l": 4}, unknown=0).ids("misspelling")
    [1, 2, 3]
    """

    def __init__(self, rows: Mapping[str, int], unknown: int) -> None:
        # Two tables without the ## mark, so that matching never has to join strings.
        self._starts = {piece: row for piece, row in rows.items() if not is_continuation(piece)}
        self._continuations = {piece[len(CONTINUATION) :]: row for piece, row in rows.items() if is_continuation(piece)}
        self._unknown = unknown
        self._longest = max(map(len, chain(self._starts, self._continuations)), default=0)

    def ids(self, word: str) -> list[int]:
        """Return the rows of a word's pieces; a character that no piece covers becomes one unknown."""
        ids = []
        known, length, longest, start = self._starts, len(word), self._longest, 0
        while start < length:
            end = min(length, start + longest)
            while end > start and word[start:end] not in known:
                end -= 1
            if end == start:
                ids.append(self._unknown)
                start += 1
            else:
                ids.append(known[word[start:end]])
                start = end
            known = self._continuations
        return ids
