"""Align two tables: look up pairs, prepare both sides, learn the maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.space.alignment.base import Method
from everyword.space.alignment.pairs import Pairs, Seeds, WordPairs, alike, look_up
from everyword.space.alignment.powers import choose_powers
from everyword.space.alignment.record import Alignment, Side
from everyword.space.alignment.self_learning import STOCHASTIC, SelfLearning, learn_pairs
from everyword.space.alignment.unsupervised import start
from everyword.space.notation import read_alignment_method, read_steps
from everyword.space.pipeline import Pipeline, Reporter, no_report
from everyword.space.rows import checked_rows
from everyword.space.steps.base import Step
from everyword.space.steps.pca import Pca
from everyword.space.steps.spectrum import Spectrum
from everyword.vectors.table import VectorTable

FEW_PAIRS = 500
"""With fewer pairs than these, self-learning begins with chance."""
NAMES = ("the source", "the target")
Start = Seeds | Literal["unsupervised"]
"""Where pairs come from besides a dictionary: words spelt alike, or distributions of similarities."""


def align(
    source: VectorTable,
    target: VectorTable,
    dictionary: WordPairs | None = None,
    *,
    method: str | Method = "orthogonal",
    seeds: Start | None = None,
    self_learning: SelfLearning | bool | None = None,
    powers: tuple[float, float] | Literal["auto"] = (0.0, 0.0),
    prepare: str | Sequence[str | Step] | None = None,
    names: tuple[str, str] = NAMES,
    report: Reporter = no_report,
) -> Alignment:
    """Learn maps that bring two tables into one space.

    With the methods orthogonal and ridge and no other steps than unit-rows, the common space is that of the target, and
    mapped vectors can be compared with the target's own. Else the target's vectors go through `map_target`.

    Args:
        source: The table that is mapped, most frequent words first.
        target: The table that it is mapped onto.
        dictionary: Pairs of a source word and a target word; those that a table lacks are dropped.
        method: `orthogonal`, `ridge`, `cca` or `vecmap`, with options as in `cca:reweight=0`, or a `Method`.
        seeds: More pairs: words that are spelt alike, all (`identical`) or numbers only (`numerals`), or words with
            similar distributions of similarities (`unsupervised`), which need no dictionary at all.
        self_learning: Enlarge the dictionary with words that are nearest in the common space, and learn again. True
            takes settings that suit the pairs; by default only an unsupervised start is enlarged.
        powers: The power of the spectrum of each table before all else (step `spectrum`); 0 changes nothing, and `auto`
            chooses both without supervision.
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
    steps = read_steps(chosen.PREPARE if prepare is None else prepare)
    for table, name in zip((source, target), names, strict=True):
        _check_table(table, name)
    chosen.check_dims(*(_dim_after(steps, table.dim) for table in (source, target)))
    sides = _Sides(source, target, steps, report)
    pairs = _pairs(sides, dictionary, seeds)
    if powers == "auto":
        powers = choose_powers(sides.prepared_source, sides.prepared_target, pairs, report=report)
    one, other = sides.fit_source(powers[0]), sides.fit_target(powers[1])
    x, z = one.apply(source.matrix), other.apply(target.matrix)
    facts = {"pairs": float(len(pairs)), "pairs given": float(pairs.given)}
    facts |= {"power of the source": powers[0], "power of the target": powers[1]}
    how = _how(self_learning, pairs, seeds)
    left, right = pairs.source, pairs.target
    if how is not None:
        left, right, learnt = learn_pairs(x, z, pairs, how, report)
        facts |= learnt
    report(f"learning {chosen.NAME} from {len(left):,} pairs")
    maps = chosen.learn(x[left], z[right])
    for fact, value in maps.facts.items():
        if fact.startswith("directions") and value < min(x.shape[1], z.shape[1]):
            report(f"the covariance lacks directions: only {value:.0f} {fact}; the others are left out")
    facts |= maps.facts
    return Alignment(Side(names[0], one, maps.source), Side(names[1], other, maps.target), chosen, facts)


class _Sides:
    """Both tables under any powers of their spectra."""

    def __init__(self, source: VectorTable, target: VectorTable, steps: tuple[Step, ...], report: Reporter) -> None:
        self.source, self.target, self.steps, self.report = source, target, steps, report

    def fit_source(self, power: float) -> Pipeline:
        return self._fit(self.source, power)

    def fit_target(self, power: float) -> Pipeline:
        return self._fit(self.target, power)

    def prepared_source(self, power: float) -> FloatArray:
        return self.fit_source(power).apply(self.source.matrix)

    def prepared_target(self, power: float) -> FloatArray:
        return self.fit_target(power).apply(self.target.matrix)

    def _fit(self, table: VectorTable, power: float) -> Pipeline:
        steps = (Spectrum(power), *self.steps) if power else self.steps
        return Pipeline.fit(steps, table.matrix)


def _dim_after(steps: Sequence[Step], dim: int) -> int:
    return next((step.dims for step in reversed(steps) if isinstance(step, Pca)), dim)


def _pairs(sides: _Sides, dictionary: WordPairs | None, seeds: Start | None) -> Pairs:
    """Look up pairs, or find some without supervision."""
    source, target = sides.source, sides.target
    if dictionary is None and seeds is None:
        raise InputError("An alignment needs pairs of words: give a dictionary, or seeds.")
    if seeds == "unsupervised":
        if dictionary is not None:
            raise InputError("An unsupervised start takes no dictionary; leave out one of the two.")
        sides.report("pairing words by the distributions of their similarities")
        return start(sides.prepared_source(0.0), sides.prepared_target(0.0))
    words = [*(dictionary or ()), *(alike(source, target, seeds) if seeds else ())]
    found = look_up(words, source, target)
    sides.report(found.told)
    return found


def _how(wish: SelfLearning | bool | None, pairs: Pairs, seeds: Start | None) -> SelfLearning | None:
    """Return how to enlarge the dictionary; a start that is small or found by chance needs chance to get better."""
    if isinstance(wish, SelfLearning):
        return wish
    if wish is False or (wish is None and seeds != "unsupervised"):
        return None
    if seeds == "unsupervised":
        return STOCHASTIC
    return replace(STOCHASTIC, keep_given=True) if len(pairs) < FEW_PAIRS else SelfLearning()


def _check_table(table: VectorTable, name: str) -> None:
    if not len(table):
        raise InputError(f"{name} has no words; an alignment needs vectors of both sides.")
    if table.dim < 2:
        raise InputError(f"{name} has vectors of one number each, which have no directions to align; give others.")
    checked_rows(table.matrix, table.words)
