"""Run a study about alignment: maps between all pairs of languages, scored by lexicon induction.

Scores of single pairs stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Literal, NamedTuple

from everyword import config as configs
from everyword.arrays import FloatArray
from everyword.atomic import write_atomic
from everyword.config import Count, Natural
from everyword.errors import InputError
from everyword.evaluation.tasks.lexicon_induction import grouped, rank_scores
from everyword.files import fingerprint, read_kept
from everyword.space.alignment.pairs import Pairs, WordPairs, find_row, look_up, read_dictionary
from everyword.space.alignment.powers import choose_powers
from everyword.space.alignment.retrieval import NEIGHBOURS, best_ranks, penalties
from everyword.space.alignment.self_learning import STOCHASTIC, SelfLearning, learn_pairs
from everyword.space.alignment.unsupervised import start
from everyword.space.notation import read_alignment_method, read_steps
from everyword.space.pipeline import Pipeline
from everyword.space.steps.spectrum import Spectrum
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

SUFFIXES = (".npy", ".vec", ".vec.gz", ".bin", ".txt")
"""Of vector files, in the order in which they are looked for."""
HALF = 50.0
"""The share of improved pairs that stands for no change."""


@dataclass(frozen=True, kw_only=True)
class LexiconVariant(Variant):
    """A row about one way to align two tables."""

    pairs: Natural
    """How many pairs of the dictionary are used, the most frequent first; 0 for a start without supervision."""
    self_learning: Literal["none", "mutual", "long", "stochastic"] = "none"
    """Mutual neighbours in a few rounds, the same with more words until nothing improves, or with chance."""
    powers: Literal["none", "fixed", "chosen"] = "none"
    only: str | None = None
    """The one direction it is run on, as in en-de; None for all."""
    better_than: tuple[str, ...] = ()
    """The rows whose scores it must beat in a direction to have improved it."""


@dataclass(frozen=True, kw_only=True)
class LexiconSize:
    """How much is aligned and searched."""

    words: Count = 12_000
    """The most frequent words of each table."""
    learning_words: Count = 1_500
    """The most frequent words of each side, which self-learning pairs."""
    rounds: Count = 3
    """Of self-learning with mutual neighbours."""
    long_words: Count = 3_500
    """The words of self-learning that stops by itself, from few pairs."""
    choosing_words: Count = 1_000
    """The most frequent words by which powers are chosen."""
    sparing: Count = 10
    """Neighbourhoods of CSLS are measured among every n-th word of the other side, with an n-th of the neighbours."""


@dataclass(frozen=True, kw_only=True)
class LexiconStudy(Study):
    """A table about alignment; `seeds` counts runs of what depends on chance.

    Its columns are "lexicon/LANGUAGE", the mean over all targets of a source language, "lexicon/SOURCE-TARGET", and
    "lexicon/all", "lexicon/p@1", "lexicon/nearest" (ranked by cosine alone) and "lexicon/improved" (directions) over
    all. Numbers are mean reciprocal ranks by CSLS unless the column says otherwise.
    """

    kind: Literal["lexicons"] = "lexicons"
    variants: tuple[LexiconVariant, ...]
    languages: tuple[str, ...]
    dictionaries: str
    """The folder of the dictionaries inside the data folder, each with train and test files."""
    method: str = "vecmap"
    small: LexiconSize = LexiconSize()
    full: LexiconSize = LexiconSize(words=20_000, learning_words=3_000, choosing_words=2_000, rounds=5, sparing=1)
    fixed_powers: dict[str, float]
    """The powers of every source and every target in the rows with fixed powers."""

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made: only stochastic self-learning draws anything."""
        is_drawn = isinstance(variant, LexiconVariant) and variant.self_learning == "stochastic"
        return self.seeds if is_drawn else None

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "lexicons"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.fixed_powers.keys() != {"source", "target"}:
            yield "fixed_powers must have the keys source and target"


class Direction(NamedTuple):
    """A source and a target language."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


@dataclass(frozen=True, kw_only=True)
class LexiconJob(Job):
    """A study about alignment to run."""

    study: LexiconStudy
    vectors: Path
    """A folder with a vector file for each language, such as en.vec or en.npy."""

    @cached_property
    def extent(self) -> LexiconSize:
        """How much is aligned and searched."""
        size = self.study.full if self.size == "full" else self.study.small
        return configs.build(LexiconSize, configs.override(configs.to_dict(size), self.overrides), "the study")

    @cached_property
    def tables(self) -> dict[str, VectorTable]:
        """The first words of the tables that are there."""
        found = {}
        for language in self.study.languages:
            paths = [self.vectors / f"{language}{suffix}" for suffix in SUFFIXES]
            path = next((path for path in paths if path.is_file()), None)
            if path is not None:
                self.report(f"reading {path}")
                found[language] = VectorTable.load(path, limit=self.extent.words)
        if len(found) < 2:
            raise InputError(f"{self.vectors} needs a vector file for at least two languages, such as en.vec.")
        return found

    def dictionary(self, direction: Direction, part: str) -> list[tuple[str, str]]:
        """Return the pairs of a direction, in whichever order the file has them."""
        home = self.folder / self.study.dictionaries
        if (home / f"{direction}").is_dir():
            return read_dictionary(home / f"{direction}" / f"{part}.tsv")
        pairs = read_dictionary(home / f"{direction.target}-{direction.source}" / f"{part}.tsv")
        return [(one, other) for other, one in pairs]

    def training(self, direction: Direction, count: int) -> list[tuple[str, str]]:
        """Return the most frequent training pairs without any word that is tested on its side."""
        test = self.dictionary(direction, "test")
        tested = [{pair[side].lower() for pair in test} for side in (0, 1)]
        part = "train1k" if count == 1000 else "train5k"
        kept = [
            pair
            for pair in self.dictionary(direction, part)
            if not any(w.lower() in t for w, t in zip(pair, tested, strict=True))
        ]
        return kept[:count]


def run_lexicons(job: LexiconJob) -> Findings:
    """Align all pairs of tables in all ways of the study.

    Args:
        job: The study, the folder of vectors and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    runner = _Runner(job)
    scores: dict[str, dict[str, list[Mapping[str, float]]]] = {variant.label: {} for variant in job.study.variants}
    order = list(job.tables)
    for one, two in sorted(combinations(order, 2), key=lambda pair: order.index(pair[1])):
        for variant in job.study.variants:
            for direction in (Direction(one, two), Direction(two, one)):
                if variant.only in (None, str(direction)):
                    scores[variant.label][str(direction)] = runner.scores(variant, direction)
        job.report(f"{one} and {two}: done")
    rows = {variant.label: _row(job, variant, scores) for variant in job.study.variants}
    told = ", ".join(f"{language} {len(table):,}" for language, table in job.tables.items())
    findings = Findings(job.study, job.size, rows, f"tables of {told} words", job.overrides)
    job.results.mkdir(parents=True, exist_ok=True)
    write_atomic(job.results / f"{findings.name}-pairs.json", json.dumps(scores, indent=1) + "\n")
    return findings


def _row(
    job: LexiconJob, variant: LexiconVariant, scores: Mapping[str, Mapping[str, list[Mapping[str, float]]]]
) -> Row:
    found = scores[variant.label]
    runs: list[Row] = []
    for seed in range(job.study.seeds):
        single = {direction: given[min(seed, len(given) - 1)] for direction, given in found.items()}
        runs.append(
            {name: _cell(job, variant, name.partition("/")[2], single, scores) for name in job.study.benchmarks}
        )
    row = mean_row(runs, job.study.columns)
    by_chance = variant.self_learning == "stochastic"
    return {name: score if score is None or by_chance else replace(score, spread=None) for name, score in row.items()}


def _cell(
    job: LexiconJob,
    variant: LexiconVariant,
    column: str,
    found: Mapping[str, Mapping[str, float]],
    scores: Mapping[str, Mapping[str, list[Mapping[str, float]]]],
) -> Score | None:
    if "-" in column:
        return Score(found[column]["csls_mrr"], n=int(found[column]["n"])) if column in found else None
    if variant.only is not None:
        return None
    if column == "improved":
        if not variant.better_than:
            return Score(HALF)
        wins = [
            all(found[direction]["csls_mrr"] > scores[other][direction][0]["csls_mrr"] for other in variant.better_than)
            for direction in found
        ]
        return Score(100 * fmean(wins))
    measure = {"p@1": "csls_p@1", "nearest": "mrr"}.get(column, "csls_mrr")
    values = [
        one[measure]
        for name, one in found.items()
        if column not in job.study.languages or name.startswith(f"{column}-")
    ]
    return Score(fmean(values)) if values else None


class _Runner:
    """Aligns two tables and scores them, with what several rows share kept in memory."""

    def __init__(self, job: LexiconJob) -> None:
        self.job, self.study = job, job.study
        self.method = read_alignment_method(job.study.method)
        self.prepared = lru_cache(maxsize=64)(self._prepared)
        self.chosen = lru_cache(maxsize=2)(self._chosen)
        self.mapped = lru_cache(maxsize=1)(self._mapped)

    def scores(self, variant: LexiconVariant, direction: Direction) -> list[Mapping[str, float]]:
        """Return the scores of a direction, one for each seed that makes a difference."""
        found: list[Mapping[str, float]] = []
        study = self.study
        for seed in range(study.seeds if variant.self_learning == "stochastic" else 1):
            setting: list[object] = [variant.pairs, variant.self_learning, variant.powers, self._extent(variant)]
            setting += [study.method, sorted(study.fixed_powers.items())]
            mark = fingerprint([*setting, *(len(self.job.tables[one]) for one in direction)])[:8]
            path = self.job.work / f"{direction}-{variant.folder}-{seed}-{mark}.json"
            if not path.exists():
                write_atomic(path, json.dumps(self._score(variant, direction, seed)) + "\n")
            found.append({name: float(value) for name, value in read_kept(path).items()})
        return found

    def _extent(self, variant: LexiconVariant) -> dict[str, int]:
        """Return the numbers that a row depends on, so that it is made again when one of them changes."""
        others = () if variant.self_learning in ("long", "stochastic") else ("long_words",)
        return {name: number for name, number in asdict(self.job.extent).items() if name not in others}

    def _score(self, variant: LexiconVariant, direction: Direction, seed: int) -> dict[str, float]:
        # Without powers both directions share one alignment.
        backward = variant.powers == "none" and direction.source > direction.target
        order = Direction(*reversed(direction)) if backward else direction
        sides = self.mapped(order, variant.pairs, variant.self_learning, variant.powers, seed)
        queries, targets = reversed(sides) if backward else sides
        source, target = (self.job.tables[language] for language in direction)
        rows: list[int] = []
        right: list[list[int]] = []
        for word, translations in grouped(self.job.dictionary(direction, "test")).items():
            row, found = find_row(source, word), [find_row(target, one) for one in translations]
            known = [one for one in found if one is not None]
            if row is not None and known:
                rows.append(row)
                right.append(known)
        step = self.job.extent.sparing
        correction = penalties(queries[::step], targets, max(1, NEIGHBOURS // step))
        by_cosine, by_csls = map(rank_scores, best_ranks(queries[rows], targets, right, correction))
        scores = by_cosine | {f"csls_{name}": value for name, value in by_csls.items()}
        return {**scores, "n": len(rows)}

    def _mapped(
        self, order: Direction, count: int, learning: str, powers: str, seed: int
    ) -> tuple[FloatArray, FloatArray]:
        one, other = self._powers(order, powers)
        x, z = self.prepared(order.source, one), self.prepared(order.target, other)
        pairs = self._pairs(order, count) if count else start(x, z)
        left, right = pairs.source, pairs.target
        if learning != "none":
            left, right, _ = learn_pairs(x, z, pairs, self._how(learning, bool(count), seed))
        maps = self.method.learn(x[left], z[right])
        return unit_rows(maps.source(x)), unit_rows(maps.target(z))

    def _how(self, learning: str, trusted: bool, seed: int) -> SelfLearning:
        extent = self.job.extent
        if learning == "mutual":
            return SelfLearning(words=extent.learning_words, rounds=extent.rounds, reweight=0)
        if learning == "long":
            return SelfLearning(words=extent.long_words, threshold=1e-4)
        return replace(STOCHASTIC, words=extent.long_words, keep=0.2, patience=5, keep_given=trusted, seed=seed)

    def _powers(self, order: Direction, powers: str) -> tuple[float, float]:
        if powers == "fixed":
            return self.study.fixed_powers["source"], self.study.fixed_powers["target"]
        return self.chosen(order) if powers == "chosen" else (0.0, 0.0)

    def _chosen(self, order: Direction) -> tuple[float, float]:
        found = choose_powers(
            lambda power: self.prepared(order.source, power),
            lambda power: self.prepared(order.target, power),
            self._pairs(order, 1000),
            words=self.job.extent.choosing_words,
        )
        self.job.report(f"{order}: chose the powers {found[0]:g} and {found[1]:g}")
        return found

    def _pairs(self, order: Direction, count: int) -> Pairs:
        words: WordPairs = self.job.training(order, count)
        return look_up(words, *(self.job.tables[language] for language in order))

    def _prepared(self, language: str, power: float) -> FloatArray:
        steps = read_steps(self.method.PREPARE)
        matrix = self.job.tables[language].matrix
        return Pipeline.fit((Spectrum(power), *steps) if power else steps, matrix).apply(matrix)
