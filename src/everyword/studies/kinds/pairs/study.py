"""Run a study about pairs of word and context vectors: train them, change them, and score what comes out.

Pairs and scores stay in the work folder, so the same job goes on where it stopped. Alpha is chosen on development
halves, with the pairs of the first seed; test halves are scored with the chosen numbers only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import Count
from everyword.errors import InputError, did_you_mean
from everyword.files import fingerprint, read_kept
from everyword.space.alpha import NEARLY_ONE, AlphaVectors, LimitVectors, alpha_vectors
from everyword.space.context_family import Combine, Reference
from everyword.space.moments import single
from everyword.space.pipeline import postprocess
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.pairs.benchmarks import MEAN, PairBenchmarks
from everyword.systems.skipgram.baselines.config import CONFIGURATIONS, GloveConfig, Word2VecConfig
from everyword.systems.skipgram.config import RECORD
from everyword.systems.skipgram.prepared import PreparedCorpus, prepare
from everyword.vectors.context_pair import ContextPair
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

Method = Literal["skip-gram", "cbow", "fasttext", "glove"]
Chosen = dict[str, float]
"""The alpha that was chosen for each kind of columns."""


@dataclass(frozen=True, kw_only=True)
class PairVariant(Variant):
    """A row about one way to make vectors from a pair."""

    pair: Method
    vectors: Literal["trained", "alpha", "limit"]
    combine: Combine = "u+v"
    reference: Reference = "unigram"
    metric: Literal["fisher", "identity"] = "fisher"
    model: Literal["softmax", "negative-sampling"] | None = None
    biases: bool = True
    top: Count = 1
    weighted: bool = False
    steps: str = ""
    """Post-processing of the trained vectors, as in whiten."""

    @property
    def geometry(self) -> dict[str, Any]:
        """The options that alpha vectors and limit vectors have in common."""
        return {name: getattr(self, name) for name in ("combine", "reference", "metric", "model", "biases")}


@dataclass(frozen=True, kw_only=True)
class PairStudy(Study):
    """A table about vectors from pairs; `seeds` counts trainings of a pair.

    Its columns are similarity/SET, their mean similarity/mean, analogy/SET, perhaps with #semantic or #syntactic, and
    texts/SET, a folder of classification/ in the data folder.
    """

    kind: Literal["pairs"] = "pairs"
    variants: tuple[PairVariant, ...]
    alphas: tuple[float, ...]
    """Of which development halves choose one for each kind of columns."""
    words: Count
    """How many of the most frequent words are scored."""
    questions_every: Count = 1
    """Only each n-th question of analogies is asked."""
    training_texts: Count | None = None
    """How many texts train a classifier; None for all of them."""
    training: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Overrides of the training of all pairs ("all") and of each method."""
    full: tuple[str, ...] = ()
    """Further overrides at full size."""

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "test halves"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        known = ["all", *get_args(Method)]
        for name in self.training:
            if name not in known:
                yield f"training has overrides for {name!r}: {did_you_mean(name, known)}"
        if not self.alphas:
            yield "there must be at least one alpha"


@dataclass(frozen=True, kw_only=True)
class PairJob(Job):
    """A study about pairs to run."""

    study: PairStudy
    corpus: tuple[Path, ...] = ()
    prepared: Path | None = None
    """The prepared corpus, by default in the work folder."""

    @cached_property
    def ready(self) -> PreparedCorpus:
        """The prepared corpus."""
        folder = self.prepared or self.work / "prepared"
        if self.corpus:
            return prepare(self.corpus, folder, self.settings("skip-gram", 0).sentences, report=self.report)
        if not (folder / RECORD).exists():
            raise InputError(f"Give text files by --corpus; {folder} is not a prepared corpus.")
        return PreparedCorpus.load(folder)

    @cached_property
    def benchmarks(self) -> PairBenchmarks:
        """The data of all columns."""
        study = self.study
        return PairBenchmarks.load(
            study.columns,
            self.data,
            self.report,
            questions_every=study.questions_every,
            training_texts=study.training_texts,
        )

    def settings(self, method: Method, seed: int) -> Word2VecConfig | GloveConfig:
        """Return how a pair is trained."""
        study = self.study
        overrides = [
            *study.training.get("all", ()),
            *study.training.get(method, ()),
            *(study.full if self.size == "full" else ()),
            *self.overrides,
            f"seed={seed}",
        ]
        made = configs.build(CONFIGURATIONS[method], configs.override({}, overrides), "the study")
        assert isinstance(made, Word2VecConfig | GloveConfig)
        return made

    def mark(self, method: Method, seed: int) -> str:
        """Return a fingerprint of what a pair is trained on, and how."""
        return fingerprint([configs.to_dict(self.settings(method, seed)), self.ready.fingerprint])[:12]

    def pair(self, method: Method, seed: int) -> ContextPair:
        """Return a pair of all words, trained unless it is in the work folder."""
        stem = f"{method}-{seed}-{self.mark(method, seed)}"
        vectors, contexts = self.work / f"{stem}.npy", self.work / f"{stem}-contexts.npy"
        if not contexts.exists():
            self.report(f"training {method}, seed {seed}")
            settings = self.settings(method, seed)
            if isinstance(settings, GloveConfig):
                from everyword.systems.skipgram.baselines.glove import glove_pair

                pair = glove_pair(self.ready, settings, device=self.device)
            else:
                from everyword.systems.skipgram.baselines.word2vec import word2vec_pair

                pair = word2vec_pair(self.ready, method, settings)
            pair.save(vectors, contexts)
        return ContextPair.load(vectors, contexts).head(self.study.words)


def run_pairs(job: PairJob) -> Findings:
    """Train the pairs, choose alpha on development halves, and score every variant on test halves.

    Args:
        job: The study, the corpus and the folders.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    cells: dict[str, list[Row]] = {}
    sweeps: dict[str, Any] = {}
    for method in dict.fromkeys(variant.pair for variant in job.study.variants):
        variants = [variant for variant in job.study.variants if variant.pair == method]
        sweep = _sweep(job, method, [variant for variant in variants if variant.vectors == "alpha"])
        sweeps |= sweep
        for seed in range(job.study.seeds):
            for label, row in _test_scores(job, method, seed, variants, sweep).items():
                cells.setdefault(label, []).append(row)
    rows = {label: mean_row(runs, job.study.columns) for label, runs in cells.items()}
    job.results.mkdir(parents=True, exist_ok=True)
    path = job.results / f"{job.study.name}-sweep.json"
    write_atomic(path, json.dumps({"study": job.study.name, "words": job.study.words, "rows": sweeps}, indent=1) + "\n")
    teacher = ", ".join([*(path.name for path in job.corpus), f"{len(job.ready.vocabulary.words):,} words"])
    return Findings(job.study, job.size, rows, teacher, job.overrides)


def _sweep(job: PairJob, method: Method, variants: Sequence[PairVariant]) -> dict[str, Any]:
    """Return, by label, the scores of each alpha on development halves, and the one chosen for each kind of column."""
    found: dict[str, Any] = {}
    pair: ContextPair | None = None
    for variant in variants:
        path = _kept(job, f"sweep-{variant.folder}", method, 0, [job.study.alphas, variant.geometry])
        if not path.exists():
            pair = pair or job.pair(method, 0)
            tables = alpha_tables(pair, variant, job.study.alphas)
            curve = [(alpha, job.benchmarks.score(table, "dev", job.benchmarks.kinds)) for alpha, table in tables]
            write_atomic(path, json.dumps({"alphas": [a for a, _ in curve], "dev": [s for _, s in curve]}) + "\n")
            job.report(f"{variant.label}: {len(curve)} numbers tried on development halves")
        found[variant.label] = kept = read_kept(path)
        kept["chosen"] = {
            kind: max(zip(kept["dev"], kept["alphas"], strict=True), key=lambda one: job.benchmarks.main(one[0], kind))[
                1
            ]
            for kind in job.benchmarks.kinds
        }
    return found


def alpha_tables(
    pair: ContextPair, variant: PairVariant, alphas: Sequence[float]
) -> Iterator[tuple[float, VectorTable]]:
    """Yield the alpha vectors of each number; products of words and contexts are computed once."""
    record = AlphaVectors(alpha=1, **variant.geometry).fit(pair)
    words = {"u": pair.vectors, "v": pair.contexts}.get(variant.combine, pair.vectors + pair.contexts)
    others = [alpha for alpha in alphas if abs(1 - alpha) >= NEARLY_ONE]
    made = {alpha: np.empty_like(words) for alpha in others}
    for part, means in record.family.tilted_means(words, [(1 - alpha) / 2 for alpha in others]):
        for alpha, mean in zip(others, means, strict=True):
            made[alpha][part] = unit_rows(single(np.sign(1 - alpha) * (mean @ record.projection)))
    for alpha in alphas:
        matrix = made[alpha] if alpha in made else record.apply(pair.vectors, pair.contexts)
        yield alpha, VectorTable.from_checked(pair.words, matrix)


def _test_scores(
    job: PairJob, method: Method, seed: int, variants: Sequence[PairVariant], sweep: Mapping[str, Any]
) -> dict[str, Row]:
    """Return the rows of all variants of one pair, each number from a vector table that was scored once."""
    rows: dict[str, Row] = {}
    pair: ContextPair | None = None
    for variant in variants:
        choice: Chosen = sweep[variant.label]["chosen"] if variant.vectors == "alpha" else {}
        path = _kept(job, variant.folder, method, seed, [choice, configs.to_dict(variant)])
        if not path.exists():
            pair = pair or job.pair(method, seed)
            scores = _scores(job, pair, variant, choice)
            write_atomic(path, json.dumps(scores) + "\n")
            job.report(f"{variant.label}, seed {seed}: similarity {scores.get(MEAN, float('nan')):.1f}")
        scores = read_kept(path)
        rows[variant.label] = {name: Score(scores[name]) if name in scores else None for name in job.study.benchmarks}
    return rows


def _kept(job: PairJob, name: str, method: Method, seed: int, made_by: list[Any]) -> Path:
    """Return the file for scores of one variant, named by all that decides them."""
    study = job.study
    cut_to = [study.words, study.questions_every, study.training_texts]
    decides = [job.mark(method, seed), cut_to, [*study.columns], made_by]
    return job.work / f"{name}-{seed}-{fingerprint(decides)[:12]}.json"


def _scores(job: PairJob, pair: ContextPair, variant: PairVariant, choice: Chosen) -> dict[str, float]:
    if not choice:
        return job.benchmarks.score(table_of(pair, variant), "test", job.benchmarks.kinds)
    scores: dict[str, float] = {}
    for alpha, table in alpha_tables(pair, variant, sorted(set(choice.values()))):
        scores |= job.benchmarks.score(table, "test", [kind for kind, best in choice.items() if best == alpha])
    return scores


def table_of(pair: ContextPair, variant: PairVariant) -> VectorTable:
    """Return the vectors of a variant that leaves nothing to choose."""
    if variant.vectors == "limit":
        settings = LimitVectors(top=variant.top, weighted=variant.weighted, **variant.geometry)
        return alpha_vectors(pair, settings).table
    sums = {"u": pair.vectors, "v": pair.contexts}.get(variant.combine, pair.vectors + pair.contexts)
    table = VectorTable.from_checked(pair.words, sums)
    return postprocess(table, variant.steps).table if variant.steps else table
