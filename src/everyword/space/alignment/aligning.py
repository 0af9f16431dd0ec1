"""Align two tables: look up pairs, prepare both sides, learn the maps."""

from __future__ import annotations

from collections.abc import Sequence

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.space.alignment.base import Method
from everyword.space.alignment.pairs import Seeds, WordPairs, alike, look_up
from everyword.space.alignment.record import Alignment, Side
from everyword.space.notation import read_alignment_method, read_steps
from everyword.space.pipeline import Pipeline, Reporter, no_report
from everyword.space.rows import checked_rows
from everyword.space.steps.base import Step
from everyword.space.steps.pca import Pca
from everyword.space.steps.spectrum import Spectrum
from everyword.vectors.table import VectorTable

NAMES = ("the source", "the target")


def align(
    source: VectorTable,
    target: VectorTable,
    dictionary: WordPairs | None = None,
    *,
    method: str | Method = "orthogonal",
    seeds: Seeds | None = None,
    powers: tuple[float, float] = (0.0, 0.0),
    prepare: str | Sequence[str | Step] | None = None,
    names: tuple[str, str] = NAMES,
    report: Reporter = no_report,
) -> Alignment:
    """Learn maps that bring two tables into one space.

    With the methods orthogonal and ridge and no other steps than unit-rows, the common space is that of the target, and
    mapped vectors can be compared with the target's own. Else the target's vectors go through `map_target`.

    Args:
        source: The table that is mapped.
        target: The table that it is mapped onto.
        dictionary: Pairs of a source word and a target word; those that a table lacks are dropped.
        method: `orthogonal`, `ridge`, `cca` or `vecmap`, with options as in `cca:reweight=0`, or a `Method`.
        seeds: Words that are spelt alike serve as pairs too: all (`identical`) or numbers only (`numerals`).
        powers: The power of the spectrum of each table before all else (step `spectrum`); 0 changes nothing.
        prepare: Steps that both tables go through; by default those of the method.
        names: Names of the tables, for the record and for errors.
        report: Called with a sentence when a long step begins.

    Returns:
        The alignment, which maps any vector of either space.

    Raises:
        InputError: If the tables or the dictionary cannot be used.

    >>> import numpy as np
    >>> tables = [VectorTable(words, np.eye(2, dtype=np.float32)) for words in (["a", "b"], ["y", "x"])]
    >>> align(*tables, [("a", "x"), ("b", "y")]).map_source(tables[0].matrix).round(3).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    chosen = read_alignment_method(method)
    steps = [_steps(chosen, prepare, power) for power in powers]
    for table, name in zip((source, target), names, strict=True):
        _check_table(table, name)
    chosen.check_dims(*(_dim_after(*given) for given in zip(steps, (source.dim, target.dim), strict=True)))
    pairs = look_up(_pairs(source, target, dictionary, seeds), source, target)
    report(pairs.told)
    sides = [_prepare(*given, report) for given in zip((source, target), steps, names, strict=True)]
    (one, x), (other, z) = sides
    report(f"learning {chosen.NAME} from {len(pairs):,} pairs")
    maps = chosen.learn(x[pairs.source], z[pairs.target])
    for fact, value in maps.facts.items():
        if fact.startswith("directions") and value < min(x.shape[1], z.shape[1]):
            report(f"the covariance lacks directions: only {value:.0f} {fact}; the others are left out")
    facts = {"pairs": float(len(pairs)), "pairs given": float(pairs.given), **maps.facts}
    return Alignment(Side(names[0], one, maps.source), Side(names[1], other, maps.target), chosen, facts)


def _steps(method: Method, prepare: str | Sequence[str | Step] | None, power: float) -> tuple[Step, ...]:
    given = read_steps(method.PREPARE if prepare is None else prepare)
    return (Spectrum(power), *given) if power else given


def _dim_after(steps: Sequence[Step], dim: int) -> int:
    return next((step.dims for step in reversed(steps) if isinstance(step, Pca)), dim)


def _pairs(
    source: VectorTable, target: VectorTable, dictionary: WordPairs | None, seeds: Seeds | None
) -> list[tuple[str, str]]:
    if dictionary is None and seeds is None:
        raise InputError("An alignment needs pairs of words: give a dictionary, or seeds that are spelt alike.")
    return [*(dictionary or ()), *(alike(source, target, seeds) if seeds else ())]


def _check_table(table: VectorTable, name: str) -> None:
    if not len(table):
        raise InputError(f"{name} has no words; an alignment needs vectors of both sides.")
    if table.dim < 2:
        raise InputError(f"{name} has vectors of one number each, which have no directions to align; give others.")
    checked_rows(table.matrix, table.words)


def _prepare(table: VectorTable, steps: tuple[Step, ...], name: str, report: Reporter) -> tuple[Pipeline, FloatArray]:
    report(f"preparing {name}: {len(table):,} vectors of dimension {table.dim}")
    fitted = Pipeline.fit(steps, table.matrix)
    return fitted, fitted.apply(table.matrix)
