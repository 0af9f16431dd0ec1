"""Which pieces of a tokenised text belong to which stretch of its letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from everyword.language_models.language_model import LanguageModel
from everyword.language_models.tokenising import Tokenising


class Stretch(NamedTuple):
    """From `start` to before `stop`: letters of a text, or pieces of it."""

    start: int
    stop: int

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return self.stop <= self.start


NOTHING = Stretch(0, 0)


@dataclass(frozen=True)
class PieceText:
    """A text as the model reads it."""

    ids: list[int]
    stretches: list[Stretch]
    """The pieces of each stretch of letters that was asked for; empty where the model does not see those letters."""


def read_pieces(
    model: LanguageModel | Tokenising, texts: Sequence[str], stretches: Sequence[Sequence[Stretch]]
) -> list[PieceText]:
    """Cut texts into pieces and find, in each text, the pieces of its stretches of letters."""
    unknown = model.tokenizer.unk_token_id
    read = []
    for encoding, wanted in zip(model.tokenise(texts), stretches, strict=True):
        ids, found = encoding.ids, [_pieces_of(encoding, letters) for letters in wanted]
        if unknown is not None and unknown in ids:
            found = [_known(ids, pieces, unknown) for pieces in found]
        read.append(PieceText(ids, found))
    return read


def _pieces_of(encoding: Any, letters: Stretch) -> Stretch:
    """The pieces that share a letter with a stretch.

    So a blank that the first piece covers too does not matter, special pieces belong to nothing, and letters that the
    tokenizer drops from either end of a word are passed over. Asking for single letters is much faster than making
    lists of all offsets.
    """
    start, stop = letters
    first = _first_seen(encoding, range(start, stop))
    last = _first_seen(encoding, range(stop - 1, start - 1, -1))
    if first is None or last is None:
        return NOTHING
    # A letter of several bytes may be several pieces, of which the first was found.
    while (covered := encoding.token_to_chars(last + 1)) and start <= covered[0] < covered[1] <= stop:
        last += 1
    return Stretch(first, last + 1)


def _first_seen(encoding: Any, places: Iterable[int]) -> int | None:
    for place in places:  # mostly the first one: a generator would take longer than the search
        piece: int | None = encoding.char_to_token(place)
        if piece is not None:
            return piece
    return None


def _known(ids: list[int], pieces: Stretch, unknown: int) -> Stretch:
    """Nothing, if one piece is unknown: the vector would be that of another word."""
    return NOTHING if unknown in ids[pieces.start : pieces.stop] else pieces
