"""A language model's vectors of a word where it stands in a corpus, pooled over its occurrences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from everyword.arrays import IndexArray
from everyword.corpus.text_file import check_is_file, read_text
from everyword.corpus.word_list import each_once
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import checksum_of_all
from everyword.language_models.batching import batches_by_length, prepared_ahead
from everyword.language_models.language_model import LAST_LAYER, LanguageModel
from everyword.language_models.mentions import Mention, Mentions
from everyword.language_models.occurrences import Occurrences
from everyword.language_models.pieces import PieceText, Stretch, read_pieces
from everyword.language_models.pooling import mean_of_stretches
from everyword.learning.interrupt import Interrupt

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
    words = each_once(run.words)
    mentions = Mentions(words)
    kept = Occurrences(words, mentions.row_of_word, len(mentions.spellings), model.dim, model.device)
    if run.run_folder is not None:
        kept.keep_in(run.run_folder, _stamp(model, run, words))
    if run.resume:
        kept.restore()
    bar = require("tqdm", "The progress bar").tqdm(
        initial=kept.parts * PASSAGES_AT_ONCE, disable=not run.show_progress, unit="passage"
    )
    with bar, Interrupt() as interrupt:
        for part in prepared_ahead(_parts(model, run, mentions, kept)):
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
    texts: list[PieceText]
    rows: list[list[int]]
    """Of the words whose pieces each text tells."""


def _parts(model: LanguageModel, run: CorpusRun, mentions: Mentions, kept: Occurrences) -> Iterator[_Part]:
    # A copy: this runs ahead of what has been added to `kept`.
    taken = kept.counts.copy()
    passages = _passages(run.corpus)
    # Not even read into pieces: what an earlier run has done.
    for _ in islice(passages, kept.parts * PASSAGES_AT_ONCE):
        pass
    while (taken < run.occurrences).any() and (some := list(islice(passages, PASSAGES_AT_ONCE))):
        yield _read_part(model, some, mentions, taken, run.occurrences)


def _read_part(model: LanguageModel, passages: list[str], mentions: Mentions, taken: IndexArray, most: int) -> _Part:
    found = [
        (passage, wanted)
        for passage in passages
        if (wanted := [mention for mention in mentions.find(passage) if taken[mention.row] < most])
    ]
    if not found:
        return _Part(len(passages), [], [])
    read = read_pieces(
        model, [passage for passage, _ in found], [[mention.letters for mention in wanted] for _, wanted in found]
    )
    texts, rows = [], []
    for text, (_, wanted) in zip(read, found, strict=True):
        chosen = list(_still_wanted(text, wanted, taken, most))
        if chosen:
            texts.append(PieceText(text.ids, [stretch for _, stretch in chosen]))
            rows.append([row for row, _ in chosen])
    return _Part(len(passages), texts, rows)


def _still_wanted(
    text: PieceText, wanted: list[Mention], taken: IndexArray, most: int
) -> Iterator[tuple[int, Stretch]]:
    """Words that the model sees, with their pieces, each counted as it is taken."""
    for mention, stretch in zip(wanted, text.stretches, strict=True):
        if not stretch.empty and taken[mention.row] < most:
            taken[mention.row] += 1
            yield mention.row, stretch


def _add(model: LanguageModel, run: CorpusRun, part: _Part, kept: Occurrences) -> None:
    for batch in batches_by_length([len(text.ids) for text in part.texts], model.pieces_a_batch):
        outputs, _ = model.outputs([part.texts[place].ids for place in batch], run.layers)
        stretches = [stretch for place in batch for stretch in part.texts[place].stretches]
        owners = [index for index, place in enumerate(batch) for _ in part.texts[place].stretches]
        rows = [row for place in batch for row in part.rows[place]]
        kept.add(rows, mean_of_stretches(outputs, owners, stretches))
    kept.parts += 1


def _passages(corpus: Sequence[Path]) -> Iterator[str]:
    """Lines, and long ones in pieces: what a model cuts off would be lost."""
    for path in corpus:
        for line in read_text(path, "text file"):
            words = line.split()
            for start in range(0, len(words), LONGEST_PASSAGE):
                yield " ".join(words[start : start + LONGEST_PASSAGE])
