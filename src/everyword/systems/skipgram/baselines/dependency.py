"""Dependency-based skip-gram: the contexts of a word are the words that syntax joins to it, with the relation.

The pairs of a corpus are found once and stored in a folder: parsing takes longer than learning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword import config
from everyword.arrays import AnyArray, BoolArray, IndexArray
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import checksum_of_all, fingerprint
from everyword.learning.device import pick_device
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import RowOptimiser
from everyword.space.pipeline import Reporter, no_report
from everyword.systems.skipgram.baselines.config import DependencyConfig
from everyword.systems.skipgram.baselines.glove import Counts
from everyword.systems.skipgram.baselines.syntax import Parser, SyntaxPair, syntax_pairs, trees_of
from everyword.systems.skipgram.config import SentencesConfig
from everyword.systems.skipgram.conllu import Tree
from everyword.systems.skipgram.network import look_up, skipgram_loss
from everyword.systems.skipgram.parts import PackedArrays, packed
from everyword.systems.skipgram.prepared import PAIRS, PreparedCorpus, part_name
from everyword.systems.skipgram.sampling import WordSampler
from everyword.systems.skipgram.train import LAST_RATE
from everyword.vectors.table import VectorTable

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


def pairs_folder(prepared: PreparedCorpus, parser: Parser | None) -> Path:
    """Return the folder in a prepared corpus for the pairs that a parser finds in it, or that were parsed before."""
    return prepared.folder / f"{PAIRS}{'parsed' if parser is None else parser.fingerprint()[:12]}"


def find_pairs(
    corpus: Sequence[Path],
    folder: Path,
    prepared: PreparedCorpus,
    parser: Parser | None,
    *,
    overwrite: bool = False,
    show_progress: bool = False,
    report: Reporter = no_report,
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
    report(f"Saved {sum(sizes):,} pairs in {len(relations):,} relations to {folder}")
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


class PairNetwork(nn.Module):
    """A vector per word and per context, as in word2vec; those of contexts begin at zero."""

    def __init__(self, words: int, contexts: int, dim: int, *, seed: int, sparse: bool) -> None:
        super().__init__()
        spread = 1 / (2 * dim)
        drawn = torch.empty(words, dim).uniform_(-spread, spread, generator=torch.Generator().manual_seed(seed))
        self.words = nn.Embedding(words, dim, _weight=drawn, sparse=sparse)
        self.contexts = nn.Embedding(contexts, dim, _weight=torch.zeros(contexts, dim), sparse=sparse)

    def loss(self, words: Tensor, contexts: Tensor, negatives: Tensor, share: Tensor) -> Tensor:
        """Return the loss summed over pairs, given rows (pairs,) of words and contexts and (n,) of negatives.

        All pairs have the same negatives, each of which weighs `share`.
        """
        [own] = look_up(self.words, words)
        met, drawn = look_up(self.contexts, contexts, negatives)
        products = (own * met).sum(dim=1, keepdim=True)
        return skipgram_loss(products, torch.ones_like(products, dtype=torch.bool), own @ drawn.T, share)


def dependency_table(
    prepared: PreparedCorpus,
    pairs: SyntaxPairs,
    config: DependencyConfig,
    *,
    device: str = "auto",
    show_progress: bool = False,
) -> VectorTable:
    """Train vectors for the words of a prepared corpus on the pairs of its syntax.

    The memory is that of the two tables, of the different contexts and of one part. A word that syntax joins to nothing
    keeps its initial vector, which is close to zero.
    """
    target, contexts = pick_device(device), frequent_contexts(pairs, config.context_count)
    words, pairs_per_epoch = len(prepared.vocabulary.words), int(contexts.counts.sum())
    sparse = target.type == "cpu"  # see `ContextTable`
    network = PairNetwork(words, len(contexts.numbers), config.dim, seed=config.seed, sparse=sparse).to(target)
    sampler = WordSampler(contexts.counts, power=config.power, subsample=0, device=target)
    generator = torch.Generator(target).manual_seed(config.seed)
    share, seen = torch.tensor(config.negatives / config.shared_negatives, device=target), 0

    def loss(batch: tuple[np.ndarray, np.ndarray]) -> Tensor:
        nonlocal seen
        seen += len(batch[0])
        rows, met = (torch.from_numpy(side).to(target) for side in batch)
        numbers = torch.rand(config.shared_negatives, generator=generator, device=target, dtype=torch.float64)
        return network.loss(rows, met, sampler.words(numbers), share)

    TrainingLoop(
        network,
        RowOptimiser(network, config.rule, config.rate, config.clip),
        epochs=config.epochs,
        batches=lambda epoch, _first_step: _batches(pairs, contexts, config, epoch),
        steps=-(-pairs_per_epoch // config.batch),  # or a few more: the last batch of each part is a smaller one
        loss=loss,
        learning_rate=lambda *_: config.rate * max(1 - seen / (config.epochs * pairs_per_epoch), LAST_RATE),
        run=RunContext(show_progress=show_progress),
    ).run()
    return VectorTable(prepared.vocabulary.words, network.words.weight.detach().cpu().numpy())


def _batches(
    pairs: SyntaxPairs, contexts: SyntaxContexts, config: DependencyConfig, epoch: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield words and contexts that have vectors: the parts of an epoch, and the pairs of a part, are shuffled."""
    rng = np.random.default_rng([config.seed, epoch])
    for number in rng.permutation(len(pairs.sizes)).tolist():
        part = pairs.part(number)
        rows, known = contexts.rows(part.contexts)
        order = rng.permutation(np.flatnonzero(known))
        for start in range(0, len(order), config.batch):
            chosen = order[start : start + config.batch]
            yield part.words[chosen].astype(np.int64), rows[chosen]
