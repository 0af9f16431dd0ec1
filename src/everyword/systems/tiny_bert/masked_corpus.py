"""A corpus for masked language modelling: word pieces in one memory-mapped array, and where its blocks begin.

It is made once, on any machine, in a folder that can be copied to one with a GPU.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from everyword.arrays import IndexArray
from everyword.atomic import write_atomic, write_lines
from everyword.errors import InputError
from everyword.files import checksum, checksum_of_all, read_lines, read_object
from everyword.systems.tiny_bert.tokenizer import BYTE_PAIRS, END, TOKENIZER, trained_tokenizer

VOCABULARY, PIECES, STARTS, RECORD = "vocabulary.txt", "pieces.npy", "starts.npy", "corpus.json"
MOST_PIECES = 1 << 16
"""A piece takes two bytes in the array."""
SENTENCES_AT_ONCE = 20_000


@dataclass(frozen=True)
class MaskedCorpus:
    """The pieces of all sentences, each sentence with its end marker, and the indices at which blocks begin."""

    vocabulary: list[str]
    pieces: npt.NDArray[np.uint16]
    starts: IndexArray
    length: int
    """Pieces per block, with the marker before it."""
    sha256: str


def prepare_corpus(
    texts: Sequence[Path], folder: Path, *, vocabulary: int, vocabulary_sentences: int, length: int,
    report: Callable[[str], None], units: str = "pieces",
) -> MaskedCorpus:  # fmt: skip
    """Learn a tokenizer, tokenise all sentences, and save both to a folder; the record is written last."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECORD).unlink(missing_ok=True)
    report(f"learning the {units}")
    tokenizer = trained_tokenizer(islice(sentences_of(texts), vocabulary_sentences), vocabulary, units)
    learnt = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    report(f"cutting sentences into {len(learnt):,} pieces")
    pieces, sentence_starts = cut_sentences(tokenizer, sentences_of(texts))
    starts = block_starts(sentence_starts, len(pieces), length - 1)
    if not len(starts):
        raise InputError(f"The corpus holds {len(pieces):,} pieces, fewer than a block of {length}; give more text.")
    write_lines(folder / VOCABULARY, learnt)
    if units == BYTE_PAIRS:
        write_atomic(folder / TOKENIZER, tokenizer.to_str())
    np.save(folder / PIECES, pieces)
    np.save(folder / STARTS, starts)
    sha256 = checksum_of_all(folder / name for name in (VOCABULARY, PIECES, STARTS))
    record = {"length": length, "pieces": len(pieces), "blocks": len(starts), "sentences": len(sentence_starts)}
    sources = {path.name: checksum(path) for path in texts}
    write_atomic(folder / RECORD, json.dumps({**record, "sha256": sha256, "sources": sources}, indent=2) + "\n")
    report(f"{len(sentence_starts):,} sentences, {len(pieces):,} pieces, {len(starts):,} blocks of {length}")
    return load_corpus(folder)


def load_corpus(folder: Path) -> MaskedCorpus:
    """Read what `prepare_corpus` wrote; the pieces stay on disk until they are used."""
    try:
        record = read_object(folder / RECORD)
        vocabulary = read_lines(folder / VOCABULARY, "vocabulary")
        pieces, starts = np.load(folder / PIECES, mmap_mode="r"), np.load(folder / STARTS)
        return MaskedCorpus(vocabulary, pieces, starts, record["length"], record["sha256"])
    except (OSError, ValueError, KeyError):
        raise InputError(f"{folder} holds no prepared corpus; start without --resume, with --corpus.") from None


def block_starts(sentence_starts: IndexArray, total: int, length: int) -> IndexArray:
    """Return where blocks of `length` pieces begin: each at a sentence.

    A sentence that its block cut off begins the next one; a sentence longer than a block continues in it.

    >>> block_starts(np.array([0, 3, 5, 9]), total=12, length=4).tolist()
    [0, 3, 5]
    """
    starts, start = [], 0
    while start + length <= total:
        starts.append(start)
        reached = start + length
        sentence = int(sentence_starts[np.searchsorted(sentence_starts, reached, side="right") - 1])
        start = sentence if sentence > start else reached
    return np.array(starts, dtype=np.int64)


def sentences_of(texts: Iterable[Path]) -> Iterator[str]:
    """Return the lines of text files that are not blank."""
    from everyword.corpus.text_file import read_text

    return (line for path in texts for line in read_text(path, "corpus") if line.strip())


def cut_sentences(tokenizer: Any, sentences: Iterator[str]) -> tuple[npt.NDArray[np.uint16], IndexArray]:
    """Return the pieces of all sentences, each with an end marker, and where sentences start."""
    parts: list[npt.NDArray[np.uint16]] = []
    lengths: list[int] = []
    while batch := list(islice(sentences, SENTENCES_AT_ONCE)):
        ids = [[*encoding.ids, END] for encoding in tokenizer.encode_batch_fast(batch, add_special_tokens=False)]
        lengths += map(len, ids)
        parts.append(np.fromiter((piece for sentence in ids for piece in sentence), dtype=np.uint16))
    if not parts:
        raise InputError("The corpus holds no sentences; give files with one per line.")
    return np.concatenate(parts), np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
