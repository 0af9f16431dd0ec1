"""Merge tables of any dimensions and vocabularies into one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.space.filling import DEFAULT_RIDGE, Filler, all_but_one, choose_ridge
from everyword.space.merge_record import MergeInput, MergeRecord, Sources, Vocabulary, gather
from everyword.space.mergers.base import Evidence, Merger
from everyword.space.moments import Moments
from everyword.space.notation import read_merger
from everyword.space.pipeline import Pipeline, Reporter, no_report
from everyword.space.rows import checked_rows
from everyword.space.steps.base import Step
from everyword.vectors.table import VectorTable

Missing = Literal["ridge", "zero"]
HELD_OUT_EVERY = 10
ENOUGH_TO_HOLD_OUT = 100
PREPARE = "centre,unit-rows"
"""Without unit length one table outweighs the other; the mean of a space carries no information about its words."""


class MergeResult(NamedTuple):
    """The merged table, and the record that merges the vectors of later words."""

    table: VectorTable
    record: MergeRecord


def merge(
    tables: Sequence[VectorTable],
    *,
    method: str | Merger = "concatenate",
    weights: Sequence[float] | None = None,
    vocabulary: Vocabulary = "union",
    missing: Missing = "ridge",
    prepare: str | Sequence[str | Step] = PREPARE,
    names: Sequence[str] | None = None,
    report: Reporter = no_report,
) -> MergeResult:
    """Merge tables of any dimensions and vocabularies into one.

    Args:
        tables: Two or more tables.
        method: `concatenate`, `average`, `svd:DIMS` or `geometric`, or a `Merger`.
        weights: Weight of each table; by default 1.
        vocabulary: The words of any table (`union`) or those of all (`intersection`).
        missing: A vector that a table lacks is predicted from the others by ridge regression (`ridge`) or `zero`.
        prepare: Steps applied to each table first.
        names: Names of the tables, for the record.
        report: Called with a sentence when a long step begins.

    Returns:
        The merged table, and the record that merges the vectors of later words.

    Raises:
        InputError: If the tables or options do not go together.
    """
    merger = read_merger(method)
    weighted = _weights(weights, len(tables))
    titles = _titles(names, len(tables))
    _check_choices(vocabulary, missing)
    preparations = [_prepare(table, prepare, title, report) for table, title in zip(tables, titles, strict=True)]
    fit = _Fit(gather(tables, preparations, vocabulary), weighted, report)
    filler, predicted = fit.filler() if missing == "ridge" else (None, [None] * len(tables))
    arrays, facts = merger.learn(fit.evidence(filler))
    known = fit.sources.present.sum(axis=0).tolist()
    described = map(MergeInput, titles, weighted, preparations, known, predicted)
    counts = (len(fit.sources.words), len(fit.shared_words))
    record = MergeRecord(tuple(described), vocabulary, *counts, merger, arrays, facts, filler)
    return MergeResult(record.merge_sources(fit.sources, report), record)


class _Fit:
    """Statistics of all tables together."""

    def __init__(self, sources: Sources, weights: tuple[float, ...], report: Reporter) -> None:
        self.sources = sources
        self.weights = weights
        self.report = report
        self.shared_words: IndexArray = np.flatnonzero(sources.present.all(axis=1))

    def evidence(self, filler: Filler | None) -> Evidence:
        return Evidence(self.sources.dims, self.weights, lambda: self.shared, lambda: self._everything(filler))

    def filler(self) -> tuple[Filler, list[float | None]]:
        """Fit the regressions for missing vectors, and measure how well they predict each table."""
        dims, shared = self.sources.dims, self.shared
        ridge, predicted = DEFAULT_RIDGE, list[float | None]([None] * len(dims))
        if len(self.shared_words) >= ENOUGH_TO_HOLD_OUT:
            held_out = self._moments(self.shared_words[::HELD_OUT_EVERY])
            ridge, shares = choose_ridge(shared.without(held_out), held_out, all_but_one(dims))
            predicted = list(shares)
        return Filler.fit(shared, dims, ridge), predicted

    @cached_property
    def shared(self) -> Moments:
        """Moments of the words that all tables have."""
        if not len(self.shared_words):
            raise InputError(
                "The tables share no word from which one could be predicted or aligned with another; check that they "
                "are of one language and spelling, or take missing=zero with concatenate, average or svd."
            )
        self.report(f"comparing the sources by the {len(self.shared_words):,} words that all have")
        return self._moments(self.shared_words)

    def _moments(self, chosen: IndexArray) -> Moments:
        return Moments.of_blocks((part.joined() for part in self.sources.blocks(chosen)), sum(self.sources.dims))

    def _everything(self, filler: Filler | None) -> Moments:
        self.report(f"measuring {len(self.sources.words):,} words")
        parts = (part if filler is None else filler.fill(part) for part in self.sources.blocks())
        return Moments.of_blocks((part.weighted(self.weights) for part in parts), sum(self.sources.dims))


def _prepare(table: VectorTable, steps: str | Sequence[str | Step], title: str, report: Reporter) -> Pipeline:
    if not len(table):
        raise InputError(f"{title} has no words; leave it out of the merge.")
    report(f"preparing {title}: {len(table):,} vectors of dimension {table.dim}")
    return Pipeline.fit(steps, checked_rows(table.matrix, table.words))


def _weights(weights: Sequence[float] | None, count: int) -> tuple[float, ...]:
    if count < 2:
        raise InputError(f"A merge needs at least 2 tables. Got {count} instead.")
    if weights is None:
        return (1.0,) * count
    if len(weights) != count:
        raise InputError(f"Each table needs one weight. Got {len(weights)} weights for {count} tables.")
    if not all(0 < weight < float("inf") for weight in weights):
        seen = ", ".join(f"{weight:g}" for weight in weights)
        raise InputError(f"Weights must be more than 0. Got {seen}; leave out a table that should not count.")
    return tuple(map(float, weights))


def _titles(names: Sequence[str] | None, count: int) -> list[str]:
    titles = [f"source {index}" for index in range(1, count + 1)] if names is None else list(names)
    if len(titles) != count:
        raise InputError(f"Each table needs one name. Got {len(titles)} names for {count} tables.")
    return titles


def _check_choices(vocabulary: str, missing: str) -> None:
    for option, value, allowed in (
        ("vocabulary", vocabulary, get_args(Vocabulary)),
        ("missing", missing, get_args(Missing)),
    ):
        if value not in allowed:
            raise InputError(f"The {option!r} must be {' or '.join(allowed)}. Got {value!r} instead.")
