"""Extract vectors of words in a corpus: a language model's outputs, pooled over the occurrences of each word."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import FloatArray, IndexArray
from everyword.corpus.text_file import check_is_file, read_text
from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.errors import InputError, did_you_mean
from everyword.extras import require
from everyword.files import checksum_of_all, fingerprint
from everyword.language_models.language_model import LAST_LAYER, LanguageModel
from everyword.language_models.mentions import MentionFinder
from everyword.language_models.pieces import TextTokenizer, batches_by_length, prefetch, tokenize_spans
from everyword.language_models.pooling import mean_of_positions, mean_of_text
from everyword.learning.checkpoint import read_arrays, write_arrays
from everyword.learning.interrupt import Interrupt
from everyword.vectors.table import VectorTable

PASSAGES_AT_ONCE = 2048
LONGEST_PASSAGE = 128
"""In words between blanks; a longer line is cut into several passages."""
CHUNKS_PER_CHECKPOINT = 100
CHECKPOINT = "occurrences.safetensors"
OCCURRENCE_POOLS = ("mean", "max")


@dataclass(frozen=True)
class CorpusRun:
    """The words to look for in a corpus, and how.

    Attributes:
        words: The words or phrases.
        corpus: UTF-8 text files, plain or compressed, with a sentence or a paragraph per line.
        occurrences: How many occurrences of each word are pooled, from the start of the corpus.
        layers: The layers that are averaged; 0 is the input, -1 the last layer.
        texts: Pool the vectors of the texts around each word too, see `Occurrences.text_table`.
        workers: How many processes cut the corpus into pieces; 0 for a thread of this one.
        run_folder: Where the checkpoint is saved; without one, nothing can be resumed.
        resume: Resume from the checkpoint in the run folder.
        show_progress: Show a progress bar.

    Raises:
        InputError: If there is no corpus, if a file does not exist or if a value is invalid.
    """

    words: Sequence[str]
    corpus: Sequence[Path]
    occurrences: int = 100
    layers: Sequence[int] = LAST_LAYER
    texts: bool = False
    workers: int = 0
    run_folder: Path | None = None
    resume: bool = False
    show_progress: bool = False

    def __post_init__(self) -> None:
        if not self.corpus:
            raise InputError("A corpus of at least one text file is needed. Got none.")
        for path in self.corpus:
            check_is_file(path, "text file")
        if self.occurrences < 1:
            raise InputError(f"The number of occurrences per word must be 1 or more. Got {self.occurrences} instead.")
        if self.workers < 0:
            raise InputError(f"The number of worker processes must be 0 or more. Got {self.workers} instead.")
        if self.resume and self.run_folder is None:
            raise InputError("There is nothing to resume without a run folder; name that of the earlier run.")


class Occurrences:
    """The pooled vectors of each word, and how many they are.

    Both poolings are kept: reading a corpus again costs hours, this only memory.
    """

    def __init__(
        self,
        words: list[str],
        row_of_word: Sequence[int],
        rows: int,
        dim: int,
        device: torch.device | str = "cpu",
        *,
        texts: bool = False,
    ) -> None:
        self.words = words
        self.chunks = 0
        """How many chunks of the corpus have been added."""
        self.counts: IndexArray = np.zeros(rows, dtype=np.int64)
        self._row_of_word = np.array(row_of_word)
        self._sums = torch.zeros(rows, dim, device=device)
        self._maxima = torch.full((rows, dim), -torch.inf, device=device)
        self._texts = torch.zeros(rows, dim, device=device) if texts else None
        self._path: Path | None = None
        self._fingerprint = ""

    @torch.inference_mode()
    def add(self, rows: IndexArray, vectors: Tensor, texts: Tensor | None = None) -> None:
        """Add one vector to each row, and that of the text around it; a row may occur several times."""
        index = torch.from_numpy(rows).to(vectors.device)
        self._sums.index_add_(0, index, vectors)
        self._maxima.scatter_reduce_(0, index[:, None].expand_as(vectors), vectors, "amax")
        if self._texts is not None and texts is not None:
            self._texts.index_add_(0, index, texts)
        np.add.at(self.counts, rows, 1)

    def table(self, pool: str = "mean") -> VectorTable:
        """Return the words that occurred, each with the "mean" or the "max" of its vectors.

        Words that do not occur are left out, with a warning that counts them.
        """
        if pool not in OCCURRENCE_POOLS:
            raise InputError(f"There is no pooling {pool!r} over occurrences: {did_you_mean(pool, OCCURRENCE_POOLS)}")
        warn_left_out(
            [self.words[index] for index in np.flatnonzero(self.counts_of_words == 0)],
            len(self.words),
            "they do not occur in the corpus",
            "give a larger corpus",
        )
        return self._maximum_table() if pool == "max" else self.word_table()

    def word_table(self) -> VectorTable:
        """Return the words that occurred, each with the mean of its vectors, without a warning about others."""
        return self._mean_table(self._sums)

    def text_table(self) -> VectorTable:
        """Return the words that occurred, each with the mean vector of the texts around it, which have length 1."""
        if self._texts is None:
            raise InputError("The texts around the words were not pooled; make the run with texts=True.")
        return self._mean_table(self._texts)

    @property
    def counts_of_words(self) -> IndexArray:
        """How many occurrences of each word were pooled."""
        counts: IndexArray = self.counts[self._row_of_word]
        return counts

    def _mean_table(self, sums: Tensor) -> VectorTable:
        seen, matrix = self._seen(sums)
        matrix /= self.counts_of_words[seen, None].astype(np.float32)
        return VectorTable([self.words[index] for index in seen], matrix)

    def _maximum_table(self) -> VectorTable:
        seen, matrix = self._seen(self._maxima)
        return VectorTable([self.words[index] for index in seen], matrix)

    def _seen(self, pooled: Tensor) -> tuple[IndexArray, FloatArray]:
        seen = np.flatnonzero(self.counts_of_words)
        matrix: FloatArray = pooled[torch.from_numpy(self._row_of_word[seen]).to(pooled.device)].cpu().numpy()
        return seen, matrix

    def use_checkpoint(self, run_folder: Path, fingerprint: str) -> None:
        """Set where `save` writes and `restore` reads, and the fingerprint of all that decides the numbers."""
        run_folder.mkdir(parents=True, exist_ok=True)
        self._path, self._fingerprint = run_folder / CHECKPOINT, fingerprint

    def save(self) -> None:
        """Write the checkpoint, if there is a run folder."""
        if self._path is not None:
            arrays = {"sums": self._sums.cpu().numpy(), "maxima": self._maxima.cpu().numpy(), "counts": self.counts}
            if self._texts is not None:
                arrays["texts"] = self._texts.cpu().numpy()
            write_arrays(self._path, arrays, {"parts": self.chunks}, self._fingerprint)

    def restore(self) -> None:
        """Read the checkpoint."""
        assert self._path is not None  # a resumed run has a folder
        arrays, header = read_arrays(self._path, self._fingerprint)
        self._sums.copy_(torch.from_numpy(arrays["sums"]))
        self._maxima.copy_(torch.from_numpy(arrays["maxima"]))
        if self._texts is not None:
            self._texts.copy_(torch.from_numpy(arrays["texts"]))
        self.counts[:] = arrays["counts"]
        self.chunks = header["parts"]


def pool_corpus(model: LanguageModel, run: CorpusRun) -> Occurrences | None:
    """Read a corpus once and pool the vectors of each word over its occurrences.

    The vector of an occurrence is the mean of the word's pieces. A sentence goes through the model once, whatever the
    number of words in it, and not at all if each of them has occurred often enough.

    Args:
        model: The language model.
        run: The words and the corpus.

    Returns:
        The pooled vectors, or None if Ctrl-C stopped the run; the checkpoint is then written.

    Raises:
        InputError: If a file cannot be read, or if the run folder belongs to another run.
    """
    model.check_layers(run.layers)
    words = unique_words(run.words)
    finder = MentionFinder(words)
    pooled = Occurrences(words, finder.row_of_word, len(finder.spellings), model.dim, model.device, texts=run.texts)
    if run.run_folder is not None:
        decisive = [model.fingerprint(), words, checksum_of_all(run.corpus), run.occurrences, list(run.layers)]
        if run.texts:
            decisive.append("texts")
        pooled.use_checkpoint(run.run_folder, fingerprint(decisive, sort_keys=False))
    if run.resume:
        pooled.restore()
    bar = require("tqdm", "The progress bar").tqdm(
        initial=pooled.chunks * PASSAGES_AT_ONCE, disable=not run.show_progress, unit="passage"
    )
    with bar, Interrupt() as interrupt, _idle_processor(model):
        for chunk in prefetch(_chunks(model, run, finder, pooled)):
            _add(model, run, chunk, pooled)
            bar.update(chunk.passages)
            if interrupt.requested or pooled.chunks % CHUNKS_PER_CHECKPOINT == 0:
                pooled.save()
            if interrupt.requested:
                return None
    pooled.save()
    return pooled


@contextmanager
def _idle_processor(model: LanguageModel) -> Iterator[None]:
    """Leave the processor to those who cut the corpus into pieces, where a GPU computes: waiting threads spin."""
    threads = torch.get_num_threads()
    if model.device.type == "cuda":
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@dataclass(frozen=True)
class _Chunk:
    """Some passages of the corpus, tokenized; those without a mention are dropped."""

    passages: int
    texts: list[list[int]]
    """The pieces of each text."""
    owners: IndexArray
    """For each mention of a word, the index of its text."""
    rows: IndexArray
    """The row of the word."""
    first: IndexArray
    stop: IndexArray
    """Its pieces."""

    def take(self, chosen: IndexArray) -> _Chunk:
        """Return some of the mentions and the texts that they are in."""
        kept, owners = np.unique(self.owners[chosen], return_inverse=True)
        texts = [self.texts[text] for text in kept.tolist()]
        return _Chunk(self.passages, texts, owners, self.rows[chosen], self.first[chosen], self.stop[chosen])


def _chunks(model: LanguageModel, run: CorpusRun, finder: MentionFinder, pooled: Occurrences) -> Iterator[_Chunk]:
    # A copy: this runs ahead of what has been added to `pooled`.
    taken = pooled.counts.copy()
    passages = _passages(run.corpus)
    # Not even read into pieces: what an earlier run has done.
    for _ in islice(passages, pooled.chunks * PASSAGES_AT_ONCE):
        pass
    parts = iter(lambda: list(islice(passages, PASSAGES_AT_ONCE)), [])
    if not (taken < run.occurrences).any():
        return
    for chunk in _read_all(model.text_tokenizer, finder, parts, run.workers):
        yield chunk.take(_needed(chunk.rows, taken, run.occurrences))
        if not (taken < run.occurrences).any():
            return


def _needed(rows: IndexArray, taken: IndexArray, most: int) -> IndexArray:
    """Return the mentions of words that have not occurred often enough yet, and count them."""
    order = np.argsort(rows, kind="stable")
    in_order = rows[order]
    starts = np.searchsorted(in_order, in_order)
    nth = taken[in_order] + np.arange(len(rows)) - starts
    chosen: IndexArray = np.sort(order[nth < most])
    np.add.at(taken, rows[chosen], 1)
    return chosen


def _read_all(
    tokenizer: TextTokenizer, finder: MentionFinder, parts: Iterable[list[str]], workers: int
) -> Iterator[_Chunk]:
    if not workers:
        yield from map(partial(_read_chunk, tokenizer, finder), parts)
        return
    # Started anew, not forked: a process that has used a GPU cannot be.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (tokenizer, finder)) as pool:
        waiting = deque(pool.submit(_read_in_worker, part) for part in islice(parts, 3 * workers))
        try:
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(_read_in_worker, part) for part in islice(parts, 1))
        finally:
            for future in waiting:
                future.cancel()


_WORKER: list[Callable[[list[str]], _Chunk]] = []
"""In a worker process: its function from passages to a chunk."""


def _start_worker(tokenizer: TextTokenizer, finder: MentionFinder) -> None:
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # the processes are parallel already
    _WORKER.append(partial(_read_chunk, tokenizer, finder))


def _read_in_worker(passages: list[str]) -> _Chunk:
    return _WORKER[0](passages)


def _read_chunk(tokenizer: TextTokenizer, finder: MentionFinder, passages: list[str]) -> _Chunk:
    found = [(passage, mentions) for passage in passages if (mentions := list(finder.find(passage)))]
    letters = [[mention.letters for mention in mentions] for _, mentions in found]
    tokenized = tokenize_spans(tokenizer, [passage for passage, _ in found], letters)
    spotted = [
        (owner, mention.row, span.start, span.stop)
        for owner, (text, (_, mentions)) in enumerate(zip(tokenized, found, strict=True))
        for mention, span in zip(mentions, text.spans, strict=True)
        if not span.empty
    ]
    columns = np.array(spotted, dtype=np.int64).reshape(-1, 4).T
    return _Chunk(len(passages), [text.ids for text in tokenized], *columns)


def _add(model: LanguageModel, run: CorpusRun, chunk: _Chunk, pooled: Occurrences) -> None:
    for batch in batches_by_length([len(ids) for ids in chunk.texts], model.pieces_per_batch):
        outputs, mask = model.outputs([chunk.texts[index] for index in batch], run.layers)
        place = np.full(len(chunk.texts), -1, dtype=np.int64)
        place[batch] = np.arange(len(batch))
        chosen = np.flatnonzero(place[chunk.owners] >= 0)
        owners, sizes = place[chunk.owners[chosen]], (chunk.stop - chunk.first)[chosen]
        mention = np.repeat(np.arange(len(chosen)), sizes)
        nth = np.arange(len(mention)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        positions = (owners * outputs.shape[1] + chunk.first[chosen])[mention] + nth
        vectors = mean_of_positions(outputs, *map(model.to_device, map(torch.from_numpy, (positions, mention, sizes))))
        texts = None
        if run.texts:
            of_texts = torch.nn.functional.normalize(mean_of_text(outputs, mask, ()), dim=1)
            texts = of_texts[torch.from_numpy(owners).to(of_texts.device)]
        pooled.add(chunk.rows[chosen], vectors, texts)
    pooled.chunks += 1


def _passages(corpus: Sequence[Path]) -> Iterator[str]:
    """Yield lines, and long ones in pieces: what a model truncates would be lost."""
    for path in corpus:
        for line in read_text(path, "text file"):
            words = line.split()
            for start in range(0, len(words), LONGEST_PASSAGE):
                yield " ".join(words[start : start + LONGEST_PASSAGE])
