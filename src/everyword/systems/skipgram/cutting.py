"""Texts into rows and pieces, many at a time, in one process or in several: order and result are the same."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from everyword.errors import EverywordError
from everyword.language_models.pieces import TextTokenizer, tokenize_spans
from everyword.systems.skipgram.parts import Part, Sentence
from everyword.systems.skipgram.vocabulary import Vocabulary

SENTENCES_AT_ONCE = 2048
WAITING_FOR_EACH = 2
"""Tasks that lie ready for a process, so that it need not wait, and a corpus cannot fill the memory."""


@dataclass(frozen=True)
class Cutter:
    """Finds the words of sentences and, where an encoder is to read them, the pieces of those words."""

    vocabulary: Vocabulary
    text_tokenizer: TextTokenizer | None = None

    def cut(self, texts: Sequence[str]) -> Part:
        """Those of the sentences that have two words of the vocabulary, of which the encoder sees one."""
        return Part.of(list(self._sentences(texts)))

    def _sentences(self, texts: Sequence[str]) -> Iterator[Sentence]:
        found = [(text, mentions) for text in texts if len(mentions := self.vocabulary.find(text)) > 1]
        if self.text_tokenizer is None:
            yield from (Sentence([mention.row for mention in mentions]) for _, mentions in found)
            return
        asked = [[mention.letters for mention in mentions] for _, mentions in found]
        pieces = tokenize_spans(self.text_tokenizer, [text for text, _ in found], asked)
        for (_, mentions), read in zip(found, pieces, strict=True):
            if not all(span.empty for span in read.spans):
                yield Sentence([mention.row for mention in mentions], read.ids, read.spans)


def cut_all(texts: Iterable[str], cutter: Cutter, workers: int = 1) -> Iterator[Part]:
    """Parts of all texts in their order, each of some thousand."""
    source = iter(texts)
    some = iter(lambda: list(islice(source, SENTENCES_AT_ONCE)), [])
    return _here(some, cutter) if workers == 1 else _in_processes(some, cutter, workers)


def _here(texts: Iterator[list[str]], cutter: Cutter) -> Iterator[Part]:
    with _settled():
        yield from map(cutter.cut, texts)


@contextmanager
def _settled() -> Iterator[None]:
    """Keep the garbage collector from looking, again and again, at all that torch and others brought along."""
    if gc.get_freeze_count():  # somebody else has done it, for reasons of their own
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _in_processes(texts: Iterator[list[str]], cutter: Cutter, workers: int) -> Iterator[Part]:
    waiting: deque[Future[Part]] = deque()
    spawn = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, mp_context=spawn, initializer=_begin, initargs=(cutter,)) as pool:
            for some in texts:
                waiting.append(pool.submit(_cut, some))
                if len(waiting) == workers * WAITING_FOR_EACH:
                    yield waiting.popleft().result()
            yield from (task.result() for task in waiting)
    except BrokenProcessPool:
        raise EverywordError(
            f"One of {workers} workers died; see that each has 1 GB of memory, or take fewer with --workers."
        ) from None


def _begin(cutter: Cutter) -> None:
    """Make a new process ready."""
    global _cutter  # noqa: PLW0603 (one for each process, which lives for nothing else)
    _cutter = cutter
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # one thread each: the processes share the cores
    gc.freeze()


def _cut(texts: list[str]) -> Part:
    return _cutter.cut(texts)


_cutter: Cutter
