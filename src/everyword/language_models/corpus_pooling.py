"""Extract vectors of words in a corpus: a language model's outputs, pooled over the occurrences of each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
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
from everyword.language_models.mentions import Mention, MentionFinder
from everyword.language_models.pieces import Span, TokenizedText, batches_by_length, prefetch, tokenize_spans
from everyword.language_models.pooling import mean_of_spans
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
        if self.resume and self.run_folder is None:
            raise InputError("There is nothing to resume without a run folder; name that of the earlier run.")


class Occurrences:
    """The pooled vectors of each word, and how many they are.

    Both poolings are kept: reading a corpus again costs hours, this only memory.
    """

    def __init__(
        self, words: list[str], row_of_word: Sequence[int], rows: int, dim: int, device: torch.device | str = "cpu"
    ) -> None:
        self.words = words
        self.chunks = 0
        """How many chunks of the corpus have been added."""
        self.counts: IndexArray = np.zeros(rows, dtype=np.int64)
        self._row_of_word = np.array(row_of_word)
        self._sums = torch.zeros(rows, dim, device=device)
        self._maxima = torch.full((rows, dim), -torch.inf, device=device)
        self._path: Path | None = None
        self._fingerprint = ""

    @torch.inference_mode()
    def add(self, rows: Sequence[int], vectors: Tensor) -> None:
        """Add one vector to each row; a row may occur several times."""
        index = torch.tensor(rows, device=vectors.device)
        self._sums.index_add_(0, index, vectors)
        self._maxima.scatter_reduce_(0, index[:, None].expand_as(vectors), vectors, "amax")
        np.add.at(self.counts, rows, 1)

    def table(self, pool: str = "mean") -> VectorTable:
        """Return the words that occurred, each with the "mean" or the "max" of its vectors.

        Words that do not occur are left out, with a warning that counts them.
        """
        if pool not in OCCURRENCE_POOLS:
            raise InputError(f"There is no pooling {pool!r} over occurrences: {did_you_mean(pool, OCCURRENCE_POOLS)}")
        counts = self.counts[self._row_of_word]
        warn_left_out(
            [self.words[index] for index in np.flatnonzero(counts == 0)],
            len(self.words),
            "they do not occur in the corpus",
            "give a larger corpus",
        )
        seen = np.flatnonzero(counts)
        rows = self._row_of_word[seen]
        matrix: FloatArray = (self._maxima if pool == "max" else self._sums)[torch.from_numpy(rows)].cpu().numpy()
        if pool == "mean":
            matrix /= self.counts[rows, None].astype(np.float32)
        return VectorTable([self.words[index] for index in seen], matrix)

    def use_checkpoint(self, run_folder: Path, fingerprint: str) -> None:
        """Set where `save` writes and `restore` reads, and the fingerprint of all that decides the numbers."""
        run_folder.mkdir(parents=True, exist_ok=True)
        self._path, self._fingerprint = run_folder / CHECKPOINT, fingerprint

    def save(self) -> None:
        """Write the checkpoint, if there is a run folder."""
        if self._path is not None:
            arrays = {"sums": self._sums.cpu().numpy(), "maxima": self._maxima.cpu().numpy(), "counts": self.counts}
            write_arrays(self._path, arrays, {"parts": self.chunks}, self._fingerprint)

    def restore(self) -> None:
        """Read the checkpoint."""
        assert self._path is not None  # a resumed run has a folder
        arrays, header = read_arrays(self._path, self._fingerprint)
        self._sums.copy_(torch.from_numpy(arrays["sums"]))
        self._maxima.copy_(torch.from_numpy(arrays["maxima"]))
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
    pooled = Occurrences(words, finder.row_of_word, len(finder.spellings), model.dim, model.device)
    if run.run_folder is not None:
        decisive = [model.fingerprint(), words, checksum_of_all(run.corpus), run.occurrences, list(run.layers)]
        pooled.use_checkpoint(run.run_folder, fingerprint(decisive, sort_keys=False))
    if run.resume:
        pooled.restore()
    bar = require("tqdm", "The progress bar").tqdm(
        initial=pooled.chunks * PASSAGES_AT_ONCE, disable=not run.show_progress, unit="passage"
    )
    with bar, Interrupt() as interrupt:
        for chunk in prefetch(_chunks(model, run, finder, pooled)):
            _add(model, run, chunk, pooled)
            bar.update(chunk.passages)
            if interrupt.requested or pooled.chunks % CHUNKS_PER_CHECKPOINT == 0:
                pooled.save()
            if interrupt.requested:
                return None
    pooled.save()
    return pooled


@dataclass(frozen=True)
class _Chunk:
    """Some passages of the corpus, tokenized; those without a mention that is still needed are dropped."""

    passages: int
    texts: list[TokenizedText]
    rows: list[list[int]]
    """For each text, the rows of the words that its spans cover."""


def _chunks(model: LanguageModel, run: CorpusRun, finder: MentionFinder, pooled: Occurrences) -> Iterator[_Chunk]:
    # A copy: this runs ahead of what has been added to `pooled`.
    taken = pooled.counts.copy()
    passages = _passages(run.corpus)
    # Not even read into pieces: what an earlier run has done.
    for _ in islice(passages, pooled.chunks * PASSAGES_AT_ONCE):
        pass
    while (taken < run.occurrences).any() and (some := list(islice(passages, PASSAGES_AT_ONCE))):
        yield _read_chunk(model, some, finder, taken, run.occurrences)


def _read_chunk(
    model: LanguageModel, passages: list[str], finder: MentionFinder, taken: IndexArray, most: int
) -> _Chunk:
    found = [
        (passage, mentions)
        for passage in passages
        if (mentions := [mention for mention in finder.find(passage) if taken[mention.row] < most])
    ]
    if not found:
        return _Chunk(len(passages), [], [])
    letters = [[mention.letters for mention in mentions] for _, mentions in found]
    tokenized = tokenize_spans(model, [passage for passage, _ in found], letters)
    texts, rows = [], []
    for text, (_, mentions) in zip(tokenized, found, strict=True):
        chosen = list(_take(text, mentions, taken, most))
        if chosen:
            texts.append(TokenizedText(text.ids, [span for _, span in chosen]))
            rows.append([row for row, _ in chosen])
    return _Chunk(len(passages), texts, rows)


def _take(text: TokenizedText, mentions: list[Mention], taken: IndexArray, most: int) -> Iterator[tuple[int, Span]]:
    """Yield the words that the model sees and that are still needed, with their pieces, and count them."""
    for mention, span in zip(mentions, text.spans, strict=True):
        if not span.empty and taken[mention.row] < most:
            taken[mention.row] += 1
            yield mention.row, span


def _add(model: LanguageModel, run: CorpusRun, chunk: _Chunk, pooled: Occurrences) -> None:
    for batch in batches_by_length([len(text.ids) for text in chunk.texts], model.pieces_per_batch):
        outputs, _ = model.outputs([chunk.texts[index].ids for index in batch], run.layers)
        spans = [span for index in batch for span in chunk.texts[index].spans]
        owners = [owner for owner, index in enumerate(batch) for _ in chunk.texts[index].spans]
        rows = [row for index in batch for row in chunk.rows[index]]
        pooled.add(rows, mean_of_spans(outputs, owners, spans))
    pooled.chunks += 1


def _passages(corpus: Sequence[Path]) -> Iterator[str]:
    """Yield lines, and long ones in pieces: what a model truncates would be lost."""
    for path in corpus:
        for line in read_text(path, "text file"):
            words = line.split()
            for start in range(0, len(words), LONGEST_PASSAGE):
                yield " ".join(words[start : start + LONGEST_PASSAGE])
