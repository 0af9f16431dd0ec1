"""Which pieces of a tokenised text belong to which stretch of its letters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from everyword.teachers.language_model import LanguageModel


class Stretch(NamedTuple):
    """From `start` to before `stop`: letters of a text, or pieces of it."""

    start: int
    stop: int

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return self.stop <= self.start


@dataclass(frozen=True)
class PieceText:
    """A text as the model reads it."""

    ids: list[int]
    stretches: list[Stretch]
    """The pieces of each stretch of letters that was asked for; empty where the model does not see those letters."""


def read_pieces(model: LanguageModel, texts: Sequence[str], stretches: Sequence[Sequence[Stretch]]) -> list[PieceText]:
    """Cut texts into pieces and find, in each text, the pieces of its stretches of letters."""
    unknown = model.tokenizer.unk_token_id
    return [
        _aligned(encoding, wanted, unknown) for encoding, wanted in zip(model.tokenise(texts), stretches, strict=True)
    ]


def _aligned(encoding: Any, wanted: Sequence[Stretch], unknown: int | None) -> PieceText:
    """Special pieces cover no letters and belong to nothing.

    A piece counts as a word's if they share a letter: with or without the blank before it that byte-pair pieces may
    cover, and for all of the pieces that share the bytes of one letter.
    """
    ids: list[int] = encoding.ids
    spoken = [place for place, special in enumerate(encoding.special_tokens_mask) if not special]
    offsets = encoding.offsets
    starts = [offsets[place][0] for place in spoken]
    stops = [offsets[place][1] for place in spoken]
    found = []
    for letters in wanted:
        first, after = bisect_right(stops, letters.start), bisect_left(starts, letters.stop)
        pieces = Stretch(spoken[first], spoken[after - 1] + 1) if first < after else Stretch(0, 0)
        # One unknown piece is enough: the vector would be that of another word.
        lost = unknown is not None and unknown in ids[pieces.start : pieces.stop]
        found.append(Stretch(0, 0) if lost else pieces)
    return PieceText(ids, found)
