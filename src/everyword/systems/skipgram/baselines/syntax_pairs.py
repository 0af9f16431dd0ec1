"""Pairs of words that syntax joins, found once and stored in a folder: parsing takes longer than learning."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from everyword import config
from everyword.arrays import AnyArray, BoolArray, IndexArray
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import checksum_of_all, fingerprint
from everyword.space.pipeline import Tell, be_silent
from everyword.systems.skipgram.baselines.cooccurrences import Counts
from everyword.systems.skipgram.baselines.syntax import Parser, SyntaxPair, syntax_pairs, trees_of
from everyword.systems.skipgram.config import SentencesConfig
from everyword.systems.skipgram.conllu import Tree
from everyword.systems.skipgram.parts import PackedArrays, packed
from everyword.systems.skipgram.prepared import PreparedCorpus, part_name

RECORD = "pairs.json"
PAIRS_A_PART = 1_000_000


@dataclass(frozen=True)
class PairPart(PackedArrays):
    """Many pairs."""

    words: AnyArray
    """Rows of the vocabulary."""
    contexts: AnyArray
    """Numbers that stand for a relation and the row of another word."""

    @property
    def is_consistent(self) -> bool:
        return len(self.words) == len(self.contexts)


@dataclass(frozen=True)
class SyntaxPairs:
    """All pairs of a corpus, in their folder."""

    folder: Path
    record: dict[str, Any]

    @classmethod
    def load(cls, folder: Path) -> SyntaxPairs:
        """Open a folder that `find_pairs` wrote."""
        try:
            return cls(folder, json.loads((folder / RECORD).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            raise InputError(f"{folder / RECORD} is damaged; remove {folder} to parse the corpus again.") from None

    @property
    def sizes(self) -> list[int]:
        """Number of pairs per part."""
        return list(self.record["parts"])

    def part(self, number: int) -> PairPart:
        """Read one of the parts from disk."""
        return PairPart.load(self.folder / part_name(number))


@dataclass(frozen=True)
class SyntaxContexts:
    """The contexts that get vectors: their numbers in order, and their counts."""

    numbers: IndexArray
    counts: IndexArray

    def rows(self, numbers: AnyArray) -> tuple[IndexArray, BoolArray]:
        """Return the row of each context, and which of them have one."""
        rows = np.searchsorted(self.numbers, numbers).clip(max=len(self.numbers) - 1)
        return rows, self.numbers[rows] == numbers


def frequent_contexts(pairs: SyntaxPairs, least: int) -> SyntaxContexts:
    """Return the contexts with at least `least` occurrences."""
    total = Counts()
    for number in range(len(pairs.sizes)):
        total.add(*np.unique(pairs.part(number).contexts.astype(np.int64), return_counts=True))
    numbers, counts = total.total()
    often = counts >= least
    if often.sum() < 2:
        raise InputError(
            f"{int(often.sum())} of {len(counts):,} contexts occur {least} times or more in the corpus; give a larger "
            "corpus, or a smaller context_count."
        )
    return SyntaxContexts(numbers[often], counts[often].astype(np.int64))


def find_pairs(
    corpus: Sequence[Path],
    folder: Path,
    prepared: PreparedCorpus,
    parser: Parser | None,
    *,
    overwrite: bool = False,
    show_progress: bool = False,
    tell: Tell = be_silent,
) -> SyntaxPairs:
    """Find the pairs of the words of a prepared corpus, unless the folder holds them already."""
    parser_fingerprint = None if parser is None else parser.fingerprint()
    wanted = fingerprint([checksum_of_all(corpus), prepared.fingerprint, parser_fingerprint], sort_keys=False)
    if (folder / RECORD).exists():
        earlier = SyntaxPairs.load(folder)
        if earlier.record["stamp"] == wanted:
            return earlier
        if not overwrite:
            raise InputError(
                f"{folder} holds pairs of another corpus, vocabulary or parser; choose another output, or replace "
                "them with --overwrite."
            )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECORD).unlink(missing_ok=True)  # from here on, what lies there is no whole corpus
    sentences = config.build(SentencesConfig, prepared.record["sentences"])
    trees = require("tqdm", "The progress bar").tqdm(
        trees_of(corpus, sentences, parser), desc="parsed", unit=" sentences", disable=not show_progress
    )
    relations: dict[str, int] = {}
    sizes = list(_write_parts(trees, prepared, folder, relations))
    if not sizes:
        raise InputError(
            f"No sentence of {', '.join(path.name for path in corpus)} joins two words of the vocabulary; give a "
            "larger corpus, or other words."
        )
    name = None if parser is None else parser.name
    record = {"stamp": wanted, "parser": name, "relations": list(relations), "parts": sizes}
    write_atomic(folder / RECORD, json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    tell(f"Saved {sum(sizes):,} pairs in {len(relations):,} relations to {folder}")
    return SyntaxPairs(folder, record)


def _write_parts(
    trees: Iterable[Tree], prepared: PreparedCorpus, folder: Path, relations: dict[str, int]
) -> Iterator[int]:
    """Write the parts and yield their sizes; new relations are added to `relations`."""
    words = len(prepared.vocabulary.words)
    pairs = (pair for tree in trees for pair in syntax_pairs(tree, prepared.vocabulary))

    def number_of(pair: SyntaxPair) -> int:
        return relations.setdefault(pair.relation, len(relations)) * words + pair.other

    for number in range(1_000_000):
        some = [(pair.word, number_of(pair)) for pair in islice(pairs, PAIRS_A_PART)]
        if not some:
            return
        rows, contexts = zip(*some, strict=True)
        PairPart(packed(rows), packed(contexts)).save(folder / part_name(number))
        yield len(some)
