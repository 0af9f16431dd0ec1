"""The pairs that the syntax of a corpus makes, found once and kept in a folder: parsing takes longer than learning."""

from __future__ import annotations

import hashlib
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
from everyword.files import checksum_of_all
from everyword.systems.skipgram.baselines.parser import Parser, trees_of
from everyword.systems.skipgram.baselines.syntax import SyntaxPair, syntax_pairs
from everyword.systems.skipgram.baselines.tally import Tally
from everyword.systems.skipgram.config import SentencesConfig
from everyword.systems.skipgram.packed_arrays import PackedArrays, packed
from everyword.systems.skipgram.prepared import PreparedCorpus, Tell, part_name
from everyword.systems.skipgram.trees import Tree

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
    def is_whole(self) -> bool:
        """Whether each word has its context."""
        return len(self.words) == len(self.contexts)


@dataclass(frozen=True)
class SyntaxParts:
    """All pairs of a corpus, as they lie in their folder."""

    folder: Path
    record: dict[str, Any]

    @classmethod
    def load(cls, folder: Path) -> SyntaxParts:
        """Open what `find_pairs` wrote."""
        try:
            return cls(folder, json.loads((folder / RECORD).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            raise InputError(f"{folder / RECORD} is damaged; remove {folder} to parse the corpus again.") from None

    @property
    def sizes(self) -> list[int]:
        """How many pairs each part has."""
        return list(self.record["parts"])

    def part(self, number: int) -> PairPart:
        """One of the parts, read from disk."""
        return PairPart.load(self.folder / part_name(number))


@dataclass(frozen=True)
class Contexts:
    """The contexts that get vectors: their numbers in order, and how often each stands with a word."""

    numbers: IndexArray
    counts: IndexArray

    def rows(self, numbers: AnyArray) -> tuple[IndexArray, BoolArray]:
        """The row of each context, and which of them have one."""
        rows = np.searchsorted(self.numbers, numbers).clip(max=len(self.numbers) - 1)
        return rows, self.numbers[rows] == numbers


def frequent_contexts(parts: SyntaxParts, least: int) -> Contexts:
    """Those that stand often enough with words of the vocabulary."""
    tally = Tally()
    for number in range(len(parts.sizes)):
        tally.add(*np.unique(parts.part(number).contexts.astype(np.int64), return_counts=True))
    numbers, counts = tally.total()
    often = counts >= least
    if often.sum() < 2:
        raise InputError(
            f"{int(often.sum())} of {len(counts):,} contexts stand {least} times or more in the corpus; give a larger "
            "corpus, or a smaller context_count."
        )
    return Contexts(numbers[often], counts[often].astype(np.int64))


def find_pairs(
    corpus: Sequence[Path],
    folder: Path,
    prepared: PreparedCorpus,
    parser: Parser | None,
    *,
    overwrite: bool = False,
    show_progress: bool = False,
    tell: Tell = lambda _: None,
) -> SyntaxParts:
    """Read a corpus for pairs of words of a prepared one; what lies ready in the folder is not made again."""
    told = [checksum_of_all(corpus), prepared.stamp, None if parser is None else parser.fingerprint()]
    stamp = hashlib.sha256(json.dumps(told).encode()).hexdigest()
    if (folder / RECORD).exists():
        kept = SyntaxParts.load(folder)
        if kept.record["stamp"] == stamp:
            return kept
        if not overwrite:
            raise InputError(
                f"{folder} holds pairs of another corpus or vocabulary, or by another parser; choose another output, "
                "or replace them with --overwrite."
            )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECORD).unlink(missing_ok=True)  # from here on, what lies there is no whole corpus
    wanted = config.build(SentencesConfig, prepared.record["sentences"])
    trees = require("tqdm", "The progress bar").tqdm(
        trees_of(corpus, wanted, parser), desc="parsed", unit=" sentences", disable=not show_progress
    )
    relations: dict[str, int] = {}
    sizes = list(_write_parts(trees, prepared, folder, relations))
    if not sizes:
        raise InputError(
            f"No sentence of {', '.join(path.name for path in corpus)} joins two words of the vocabulary; give a "
            "larger corpus, or other words."
        )
    named = None if parser is None else parser.name
    record = {"stamp": stamp, "parser": named, "relations": list(relations), "parts": sizes}
    write_atomic(folder / RECORD, json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    tell(f"{sum(sizes):,} pairs in {len(relations):,} relations are kept in {folder}")
    return SyntaxParts(folder, record)


def _write_parts(
    trees: Iterable[Tree], prepared: PreparedCorpus, folder: Path, relations: dict[str, int]
) -> Iterator[int]:
    """Write part after part and tell the size of each; new relations are added to those known."""
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
