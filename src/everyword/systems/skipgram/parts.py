"""Parts of a prepared corpus: many sentences as rows of words and ids of pieces, packed in one small file."""

from __future__ import annotations

import gc
import io
import multiprocessing
import os
import signal
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from everyword.arrays import AnyArray, IndexArray, read_npz
from everyword.atomic import write_atomic
from everyword.errors import EverywordError, InputError
from everyword.language_models.pieces import Span, TextTokenizer, tokenize_spans
from everyword.systems.skipgram.sentences import Vocabulary

Kind = TypeVar("Kind", bound="PackedArrays")
SENTENCES_AT_ONCE = 2048
WAITING_PER_WORKER = 2
"""Tasks that wait for a process, so that it is never idle and a corpus cannot fill the memory."""


class PackedArrays(ABC):
    """A dataclass of one-dimensional integer arrays, stored in one compressed file."""

    def save(self, path: Path) -> None:
        """Write all arrays."""
        content = io.BytesIO()
        np.savez_compressed(content, **{field.name: getattr(self, field.name) for field in fields(self)})  # type: ignore[arg-type]
        write_atomic(path, content.getvalue())

    @classmethod
    def load(cls: type[Kind], path: Path) -> Kind:
        """Read and check what `save` wrote."""
        try:
            part = cls(**read_npz(path, [field.name for field in fields(cls)]))  # type: ignore[arg-type]
        except (ValueError, OSError):
            raise InputError(f"{path} is not a part of a prepared corpus; prepare the corpus again.") from None
        columns = [getattr(part, field.name) for field in fields(cls)]  # type: ignore[arg-type]
        if not (all(column.ndim == 1 and column.dtype.kind in "iu" for column in columns) and part.is_consistent):
            raise InputError(f"{path} has arrays that do not fit together; prepare the corpus again.")
        return part

    @property
    @abstractmethod
    def is_consistent(self) -> bool:
        """Whether the arrays fit together."""


def packed(numbers: Sequence[int] | AnyArray) -> AnyArray:
    """Return numbers in the smallest type that holds them all."""
    wide = np.asarray(numbers, dtype=np.int64)
    ends = (np.min_scalar_type(int(end)) for end in (wide.min(initial=0), wide.max(initial=0)))
    return wide.astype(np.result_type(*ends))


@dataclass(frozen=True)
class Sentence:
    """The rows of the words of a sentence and, for an encoder, its pieces and the span of each word in them."""

    rows: Sequence[int]
    pieces: Sequence[int] = ()
    spans: Sequence[Span] = ()


@dataclass(frozen=True)
class Part(PackedArrays):
    """Some thousand sentences, concatenated."""

    rows: AnyArray
    """Row of each word in the vocabulary."""
    words: AnyArray
    """Number of words per sentence."""
    pieces: AnyArray
    """Ids of pieces, with special ones; empty without an encoder."""
    lengths: AnyArray
    """Number of pieces per sentence."""
    gaps: AnyArray
    """Pieces between a word and the one before it, mostly none, so that a file packs well; -1 if they share one."""
    sizes: AnyArray
    """Number of pieces per word; 0 for a word that the tokenizer loses."""

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> Part:
        """Concatenate sentences."""
        gaps, sizes = [], []
        for sentence in sentences:
            reached = 0
            for start, stop in sentence.spans:
                size = max(stop - start, 0)
                gaps.append(start - reached if size else 0)
                sizes.append(size)
                reached = stop if size else reached
        return cls(
            packed([row for sentence in sentences for row in sentence.rows]),
            packed([len(sentence.rows) for sentence in sentences]),
            packed([piece for sentence in sentences for piece in sentence.pieces]),
            packed([len(sentence.pieces) for sentence in sentences]),
            packed(gaps),
            packed(sizes),
        )

    @classmethod
    def joined(cls, parts: Sequence[Part]) -> Part:
        """Concatenate parts."""
        return cls(*(packed(np.concatenate([getattr(part, name) for part in parts])) for name in ARRAYS))

    def some(self, start: int, stop: int) -> Part:
        """Return the sentences from `start` to before `stop`."""
        words, pieces = (
            slice(*(int(sizes[:border].sum(dtype=np.int64)) for border in (start, stop)))
            for sizes in (self.words, self.lengths)
        )
        chosen = (words, slice(start, stop), pieces, slice(start, stop), words, words)
        return Part(*(packed(getattr(self, name)[some]) for name, some in zip(ARRAYS, chosen, strict=True)))

    def __len__(self) -> int:
        return len(self.words)

    def first_pieces(self) -> IndexArray:
        """Return the index of the first piece of each word in its sentence."""
        reached = np.cumsum(self.gaps.astype(np.int64) + self.sizes)
        sentence_starts = np.cumsum(self.words, dtype=np.int64) - self.words
        before = np.concatenate([[0], reached])[sentence_starts]
        first: IndexArray = reached - self.sizes - np.repeat(before, self.words)
        return first

    @property
    def is_consistent(self) -> bool:
        if any(getattr(self, name).min(initial=0) < 0 for name in ARRAYS if name != "gaps"):
            return False
        if not (_add_up(self.words, self.rows) and _add_up(self.lengths, self.pieces)):
            return False
        if len(self.words) != len(self.lengths) or len(self.gaps) != len(self.sizes):
            return False
        if not len(self.pieces):
            return not len(self.sizes)
        if len(self.sizes) != len(self.rows) or np.abs(self.gaps.astype(np.float64)).max(initial=0) > len(self.pieces):
            return False
        first = self.first_pieces()
        return bool((first >= 0).all() and (first + self.sizes <= np.repeat(self.lengths, self.words)).all())


def _add_up(sizes: AnyArray, items: AnyArray) -> bool:
    # None is larger than all together, so the sum cannot run over.
    return bool(sizes.max(initial=0) <= len(items)) and int(sizes.sum(dtype=np.int64)) == len(items)


ARRAYS = tuple(field.name for field in fields(Part))


@dataclass(frozen=True)
class PartBuilder:
    """Finds the words of sentences and, for an encoder, the pieces of those words."""

    vocabulary: Vocabulary
    text_tokenizer: TextTokenizer | None = None

    def build(self, texts: Sequence[str]) -> Part:
        """Return a part of those sentences that have two words of the vocabulary, at least one seen by the encoder."""
        return Part.of(list(self._sentences(texts)))

    def _sentences(self, texts: Sequence[str]) -> Iterator[Sentence]:
        found = [(text, mentions) for text in texts if len(mentions := self.vocabulary.find(text)) > 1]
        if self.text_tokenizer is None:
            yield from (Sentence([mention.row for mention in mentions]) for _, mentions in found)
            return
        letters = [[mention.letters for mention in mentions] for _, mentions in found]
        tokenized = tokenize_spans(self.text_tokenizer, [text for text, _ in found], letters)
        for (_, mentions), text in zip(found, tokenized, strict=True):
            if not all(span.empty for span in text.spans):
                yield Sentence([mention.row for mention in mentions], text.ids, text.spans)


def build_parts(texts: Iterable[str], builder: PartBuilder, workers: int = 1) -> Iterator[Part]:
    """Yield small parts of all texts in order; several processes give the same result as one."""
    source = iter(texts)
    batches = iter(lambda: list(islice(source, SENTENCES_AT_ONCE)), [])
    return _in_this_process(batches, builder) if workers == 1 else _in_processes(batches, builder, workers)


def _in_this_process(batches: Iterator[list[str]], builder: PartBuilder) -> Iterator[Part]:
    with _frozen_objects():
        yield from map(builder.build, batches)


@contextmanager
def _frozen_objects() -> Iterator[None]:
    """Exempt all objects that exist now, most of them from torch, from garbage collection."""
    if gc.get_freeze_count():  # somebody else has done it, for reasons of their own
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _in_processes(batches: Iterator[list[str]], builder: PartBuilder, workers: int) -> Iterator[Part]:
    waiting: deque[Future[Part]] = deque()
    spawn = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, mp_context=spawn, initializer=_start, initargs=(builder,)) as pool:
            for batch in batches:
                waiting.append(pool.submit(_build, batch))
                if len(waiting) == workers * WAITING_PER_WORKER:
                    yield waiting.popleft().result()
            yield from (task.result() for task in waiting)
    except BrokenProcessPool:
        raise EverywordError(
            f"One of {workers} workers died; make sure that each has 1 GB of memory, or take fewer with --workers."
        ) from None


def _start(builder: PartBuilder) -> None:
    """Initialise a worker process."""
    global _builder  # noqa: PLW0603 (one for each process, which lives for nothing else)
    _builder = builder
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # one thread each: the processes share the cores
    gc.freeze()


def _build(texts: list[str]) -> Part:
    return _builder.build(texts)


_builder: PartBuilder
