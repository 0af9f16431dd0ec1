"""Cut texts into the pieces of a language model and find the pieces that cover given spans of letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from everyword.language_models.language_model import LanguageModel

Item = TypeVar("Item")


@dataclass(frozen=True)
class TextTokenizer:
    """A fast tokenizer of transformers, and the maximum number of pieces that its model reads."""

    tokenizer: Any
    longest: int

    def tokenize(self, texts: Sequence[str], *, bare: bool = False) -> list[Any]:
        """Return each text as an `Encoding` of the package tokenizers: its pieces, and the letters that each covers.

        Args:
            texts: The texts.
            bare: Leave out the special pieces around a text, and do not truncate it.
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
    """A range of letters, or of pieces, of a text: from `start` to before `stop`."""

    start: int
    stop: int

    @property
    def empty(self) -> bool:
        """Whether the span has no letter or piece."""
        return self.stop <= self.start


EMPTY_SPAN = Span(0, 0)


@dataclass(frozen=True)
class TokenizedText:
    """The pieces of a text, and which of them cover the spans of letters that were looked up."""

    ids: list[int]
    spans: list[Span]
    """The pieces of each span of letters; empty where the model does not see those letters."""


def tokenize_spans(
    model: LanguageModel | TextTokenizer, texts: Sequence[str], spans: Sequence[Sequence[Span]]
) -> list[TokenizedText]:
    """Cut texts into pieces and find, in each text, the pieces of its spans of letters."""
    unknown = model.tokenizer.unk_token_id
    tokenized = []
    for encoding, letters in zip(model.tokenize(texts), spans, strict=True):
        ids, found = encoding.ids, [_pieces_of(encoding, span) for span in letters]
        if unknown is not None and unknown in ids:
            # With an unknown piece, the vector would be that of another word.
            found = [EMPTY_SPAN if unknown in ids[span.start : span.stop] else span for span in found]
        tokenized.append(TokenizedText(ids, found))
    return tokenized


def _pieces_of(encoding: Any, letters: Span) -> Span:
    """Return the pieces that share a letter with a span.

    So a blank that the first piece covers too does not matter, special pieces belong to nothing, and letters that the
    tokenizer drops from either end of a word are skipped. Asking for single letters is much faster than making lists
    of all offsets.
    """
    start, stop = letters
    first = _first_piece(encoding, range(start, stop))
    last = _first_piece(encoding, range(stop - 1, start - 1, -1))
    if first is None or last is None:
        return EMPTY_SPAN
    # A letter of several bytes may be several pieces, of which the first was found.
    while (covered := encoding.token_to_chars(last + 1)) and start <= covered[0] < covered[1] <= stop:
        last += 1
    return Span(first, last + 1)


def _first_piece(encoding: Any, letters: Iterable[int]) -> int | None:
    for letter in letters:  # mostly the first one: a generator would take longer than the search
        piece: int | None = encoding.char_to_token(letter)
        if piece is not None:
            return piece
    return None


def batches_by_length(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Yield the indices of texts in batches of at most `budget` pieces with padding, the longest first.

    The longest come first so that a batch that is too large for the memory fails at once.

    >>> list(batches_by_length([2, 5, 3, 2], budget=6))
    [[1], [2, 0], [3]]
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and lengths[batch[0]] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def prefetch(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the same items; while one is in use, the next one is computed in a thread.

    >>> list(prefetch(iter("abc")))
    ['a', 'b', 'c']
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        coming = thread.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = thread.submit(next, items, None)
            yield item
