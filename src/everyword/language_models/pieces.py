"""Cut texts into the pieces of a language model and find the pieces that cover given spans of letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from everyword.language_models.language_model import LanguageModel


@dataclass(frozen=True)
class TextTokenizer:
    """A fast tokenizer of transformers, and how many pieces of a text its model sees."""

    tokenizer: Any
    longest: int

    def tokenise(self, texts: Sequence[str], *, bare: bool = False) -> list[Any]:
        """Each text as an `Encoding` of the package tokenizers: its pieces, and the letters that each covers.

        `bare` leaves out the special pieces around a text and cuts nothing off.
        """
        # Not through the tokenizer of transformers, which takes several times as long to copy the same numbers.
        backend = self.tokenizer.backend_tokenizer
        backend.no_padding()
        if bare:
            backend.no_truncation()
        else:
            backend.enable_truncation(self.longest)
        return list(backend.encode_batch(list(texts), add_special_tokens=not bare))


class Span(NamedTuple):
    """From `start` to before `stop`: letters of a text, or pieces of it."""

    start: int
    stop: int

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return self.stop <= self.start


NOTHING = Span(0, 0)


@dataclass(frozen=True)
class TokenizedText:
    """A text as the model reads it."""

    ids: list[int]
    spans: list[Span]
    """The pieces of each span of letters that was asked for; empty where the model does not see those letters."""


def tokenize_spans(
    model: LanguageModel | TextTokenizer, texts: Sequence[str], spans: Sequence[Sequence[Span]]
) -> list[TokenizedText]:
    """Cut texts into pieces and find, in each text, the pieces of its spans of letters."""
    unknown = model.tokenizer.unk_token_id
    read = []
    for encoding, wanted in zip(model.tokenise(texts), spans, strict=True):
        ids, found = encoding.ids, [_pieces_of(encoding, letters) for letters in wanted]
        if unknown is not None and unknown in ids:
            found = [_known(ids, pieces, unknown) for pieces in found]
        read.append(TokenizedText(ids, found))
    return read


def _pieces_of(encoding: Any, letters: Span) -> Span:
    """The pieces that share a letter with a span.

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
    return Span(first, last + 1)


def _first_seen(encoding: Any, places: Iterable[int]) -> int | None:
    for place in places:  # mostly the first one: a generator would take longer than the search
        piece: int | None = encoding.char_to_token(place)
        if piece is not None:
            return piece
    return None


def _known(ids: list[int], pieces: Span, unknown: int) -> Span:
    """Nothing, if one piece is unknown: the vector would be that of another word."""
    return NOTHING if unknown in ids[pieces.start : pieces.stop] else pieces


Item = TypeVar("Item")


def batches_by_length(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Places of texts in batches of at most `budget` pieces, padding counted; the longest first, if memory is short.

    >>> list(batches_by_length([2, 5, 3, 2], budget=6))
    [[1], [2, 0], [3]]
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and lengths[batch[0]] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def prefetch(items: Iterator[Item]) -> Iterator[Item]:
    """The same items; while one is in use, the next one is made in a thread.

    >>> list(prefetch(iter("abc")))
    ['a', 'b', 'c']
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        coming = thread.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = thread.submit(next, items, None)
            yield item
