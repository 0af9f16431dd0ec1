"""Vectors of words in a corpus: a language model's outputs, pooled over the occurrences of each word."""

from __future__ import annotations

import hashlib
import json
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
from everyword.files import checksum_of_all
from everyword.language_models.language_model import LAST_LAYER, LanguageModel
from everyword.language_models.mentions import Mention, MentionFinder
from everyword.language_models.pieces import Span, TokenizedText, batches_by_length, prefetch, tokenize_spans
from everyword.language_models.pooling import mean_of_spans
from everyword.learning.interrupt import Interrupt
from everyword.learning.stamped import read_stamped, write_stamped
from everyword.vectors.table import VectorTable

PASSAGES_AT_ONCE = 2048
LONGEST_PASSAGE = 128
"""Words between blanks; a longer line is cut into several passages."""
PARTS_BETWEEN_CHECKPOINTS = 100


@dataclass(frozen=True)
class CorpusRun:
    """What is asked of a corpus."""

    words: Sequence[str]
    corpus: Sequence[Path]
    """UTF-8 text files, plain or compressed, a sentence or a paragraph a line."""
    occurrences: int = 100
    """The first so many of each word count."""
    layers: Sequence[int] = LAST_LAYER
    run_folder: Path | None = None
    """Where the checkpoint is kept; without one there is nothing to resume."""
    resume: bool = False
    show_progress: bool = False

    def __post_init__(self) -> None:
        if not self.corpus:
            raise InputError("A corpus of at least one text file is needed. Got none.")
        for path in self.corpus:
            check_is_file(path, "text file")
        if self.occurrences < 1:
            raise InputError(f"The number of occurrences of a word must be 1 or more. Got {self.occurrences} instead.")
        if self.resume and self.run_folder is None:
            raise InputError("There is nothing to resume without a run folder; name the one of the earlier run.")


def pool_corpus(model: LanguageModel, run: CorpusRun) -> Occurrences | None:
    """Read the corpus once and pool every word of the list; None if Ctrl-C stopped it, with the checkpoint written.

    The vector of an occurrence is the mean of the word's pieces. A sentence goes through the model once, whatever the
    number of words in it, and not at all if each of them has occurred often enough.
    """
    model.check_layers(run.layers)
    words = unique_words(run.words)
    mentions = MentionFinder(words)
    kept = Occurrences(words, mentions.row_of_word, len(mentions.spellings), model.dim, model.device)
    if run.run_folder is not None:
        kept.keep_in(run.run_folder, _stamp(model, run, words))
    if run.resume:
        kept.restore()
    bar = require("tqdm", "The progress bar").tqdm(
        initial=kept.parts * PASSAGES_AT_ONCE, disable=not run.show_progress, unit="passage"
    )
    with bar, Interrupt() as interrupt:
        for part in prefetch(_parts(model, run, mentions, kept)):
            _add(model, run, part, kept)
            bar.update(part.passages)
            if interrupt.requested or kept.parts % PARTS_BETWEEN_CHECKPOINTS == 0:
                kept.save()
            if interrupt.requested:
                return None
    kept.save()
    return kept


def _stamp(model: LanguageModel, run: CorpusRun, words: list[str]) -> str:
    asked = [model.fingerprint(), words, checksum_of_all(run.corpus), run.occurrences, list(run.layers)]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


@dataclass(frozen=True)
class _Part:
    """Some passages of the corpus, ready for the model; those that say nothing new are gone."""

    passages: int
    texts: list[TokenizedText]
    rows: list[list[int]]
    """Of the words whose pieces each text tells."""


def _parts(model: LanguageModel, run: CorpusRun, mentions: MentionFinder, kept: Occurrences) -> Iterator[_Part]:
    # A copy: this runs ahead of what has been added to `kept`.
    taken = kept.counts.copy()
    passages = _passages(run.corpus)
    # Not even read into pieces: what an earlier run has done.
    for _ in islice(passages, kept.parts * PASSAGES_AT_ONCE):
        pass
    while (taken < run.occurrences).any() and (some := list(islice(passages, PASSAGES_AT_ONCE))):
        yield _read_part(model, some, mentions, taken, run.occurrences)


def _read_part(
    model: LanguageModel, passages: list[str], mentions: MentionFinder, taken: IndexArray, most: int
) -> _Part:
    found = [
        (passage, wanted)
        for passage in passages
        if (wanted := [mention for mention in mentions.find(passage) if taken[mention.row] < most])
    ]
    if not found:
        return _Part(len(passages), [], [])
    read = tokenize_spans(
        model, [passage for passage, _ in found], [[mention.letters for mention in wanted] for _, wanted in found]
    )
    texts, rows = [], []
    for text, (_, wanted) in zip(read, found, strict=True):
        chosen = list(_still_wanted(text, wanted, taken, most))
        if chosen:
            texts.append(TokenizedText(text.ids, [span for _, span in chosen]))
            rows.append([row for row, _ in chosen])
    return _Part(len(passages), texts, rows)


def _still_wanted(
    text: TokenizedText, wanted: list[Mention], taken: IndexArray, most: int
) -> Iterator[tuple[int, Span]]:
    """Words that the model sees, with their pieces, each counted as it is taken."""
    for mention, span in zip(wanted, text.spans, strict=True):
        if not span.empty and taken[mention.row] < most:
            taken[mention.row] += 1
            yield mention.row, span


def _add(model: LanguageModel, run: CorpusRun, part: _Part, kept: Occurrences) -> None:
    for batch in batches_by_length([len(text.ids) for text in part.texts], model.pieces_per_batch):
        outputs, _ = model.outputs([part.texts[place].ids for place in batch], run.layers)
        spans = [span for place in batch for span in part.texts[place].spans]
        owners = [index for index, place in enumerate(batch) for _ in part.texts[place].spans]
        rows = [row for place in batch for row in part.rows[place]]
        kept.add(rows, mean_of_spans(outputs, owners, spans))
    kept.parts += 1


def _passages(corpus: Sequence[Path]) -> Iterator[str]:
    """Lines, and long ones in pieces: what a model cuts off would be lost."""
    for path in corpus:
        for line in read_text(path, "text file"):
            words = line.split()
            for start in range(0, len(words), LONGEST_PASSAGE):
                yield " ".join(words[start : start + LONGEST_PASSAGE])


CHECKPOINT = "occurrences.safetensors"
POOLS = ("mean", "max")


class Occurrences:
    """What has been seen of each word. Both poolings are kept: reading a corpus again costs hours, this memory."""

    def __init__(
        self, words: list[str], row_of_word: Sequence[int], rows: int, dim: int, device: torch.device | str = "cpu"
    ) -> None:
        self.words = words
        self.parts = 0
        """How many parts of the corpus are added."""
        self.counts: IndexArray = np.zeros(rows, dtype=np.int64)
        self._row_of_word = np.array(row_of_word)
        self._sums = torch.zeros(rows, dim, device=device)
        self._maxima = torch.full((rows, dim), -torch.inf, device=device)
        self._path: Path | None = None
        self._stamp = ""

    @torch.inference_mode()
    def add(self, rows: Sequence[int], vectors: Tensor) -> None:
        """One vector for each row; a row may come several times."""
        index = torch.tensor(rows, device=vectors.device)
        self._sums.index_add_(0, index, vectors)
        self._maxima.scatter_reduce_(0, index[:, None].expand_as(vectors), vectors, "amax")
        np.add.at(self.counts, rows, 1)

    def table(self, pool: str = "mean") -> VectorTable:
        """The words that occurred, each with the "mean" or the "max" of its vectors."""
        if pool not in POOLS:
            raise InputError(f"There is no pooling {pool!r} over occurrences: {did_you_mean(pool, POOLS)}")
        counts = self.counts[self._row_of_word]
        warn_left_out(
            [self.words[place] for place in np.flatnonzero(counts == 0)],
            len(self.words),
            "they do not occur in the corpus",
            "give a larger corpus",
        )
        seen = np.flatnonzero(counts)
        rows = self._row_of_word[seen]
        matrix: FloatArray = (self._maxima if pool == "max" else self._sums)[torch.from_numpy(rows)].cpu().numpy()
        if pool == "mean":
            matrix /= self.counts[rows, None].astype(np.float32)
        return VectorTable([self.words[place] for place in seen], matrix)

    def keep_in(self, run_folder: Path, stamp: str) -> None:
        """Where `save` writes and `restore` reads; the stamp says what the numbers belong to."""
        run_folder.mkdir(parents=True, exist_ok=True)
        self._path, self._stamp = run_folder / CHECKPOINT, stamp

    def save(self) -> None:
        """Write the checkpoint, if there is a place for it."""
        if self._path is not None:
            arrays = {"sums": self._sums.cpu().numpy(), "maxima": self._maxima.cpu().numpy(), "counts": self.counts}
            write_stamped(self._path, arrays, {"parts": self.parts}, self._stamp)

    def restore(self) -> None:
        """Go on from the checkpoint."""
        assert self._path is not None  # a resumed run has a folder
        arrays, header = read_stamped(self._path, self._stamp)
        self._sums.copy_(torch.from_numpy(arrays["sums"]))
        self._maxima.copy_(torch.from_numpy(arrays["maxima"]))
        self.counts[:] = arrays["counts"]
        self.parts = header["parts"]
