"""Run a study about poolings of spans: probes of frozen vectors, and words made of the vectors of their pieces.

Scores of probes stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import torch

from everyword import config as configs
from everyword.arrays import FloatArray
from everyword.atomic import write_atomic
from everyword.evaluation.benchmark import MissingData
from everyword.evaluation.probes import mentions, roles, span_data
from everyword.evaluation.probes.layers import WINDOW, piece_ids
from everyword.evaluation.probes.span_data import SPLITS, SpanSet
from everyword.evaluation.probes.spans import SpanProbeConfig, probe_spans
from everyword.evaluation.probes.token_vectors import TokenVectors
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman
from everyword.files import fingerprint, read_kept
from everyword.language_models.language_model import LanguageModel
from everyword.models.load import load
from everyword.sentences.spans import POOLINGS, pool
from everyword.studies.benchmarks import find_benchmark
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.vectors.neighbours import unit_rows

MODEL, ENCODER, PIECES = "model", "encoder", "pieces"
"""Where the vectors of a column come from: an everyword model, or the layers or pieces of a language model."""
SETS = ("constituent-labels", "constituents", "entities", "coreference", "mentions", "roles")
NEEDS = {
    "constituent-labels": "trees",
    "constituents": "trees",
    "entities": "entities",
    "coreference": "mentions",
    "mentions": "mentions",
    "roles": "roles",
}
"""Where each set is read from."""
RARE = "similarity/rareword"


def _parts(column: str) -> tuple[str, str]:
    """Return the source and the set of a column."""
    source, _, name = column.partition("/")[2].partition(" ")
    return source, name


@dataclass(frozen=True, kw_only=True)
class SpanVariant(Variant):
    """A row about a pooling."""

    pooling: Literal["average", "attention", "max", "endpoint", "diff-sum", "coherent"]


@dataclass(frozen=True, kw_only=True)
class SpanStudy(Study):
    """A table about poolings of spans; `seeds` counts probes.

    Its columns are "spans/SOURCE SET": the source is model, encoder or pieces, the set one of those of the probe, or,
    for pieces, inputs or outputs: words of the rare-word similarity set made of the vectors of their pieces.
    """

    SEEDS_ARE: ClassVar[str] = "probes of the same vectors"
    kind: Literal["spans"] = "spans"
    variants: tuple[SpanVariant, ...]
    trees: str = ""
    mentions: str = ""
    entities: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The files of tags of train, dev and test."""
    roles: dict[str, str] = field(default_factory=dict)
    """The files of roles of train, dev and test. All paths are inside the data folder."""
    examples: dict[str, int]
    """How many examples train, dev and test have at most."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of the probe, by size."""

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made: words that are made of their pieces have one."""
        return self.seeds if _is_repeated(column) else None

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "spans"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for column in self.benchmarks:
            source, name = _parts(column)
            if name not in {MODEL: SETS, ENCODER: SETS, PIECES: ("inputs", "outputs")}.get(source, ()):
                yield f"{column!r} is not spans/model SET, spans/encoder SET, or spans/pieces inputs or outputs"
            elif name in NEEDS and not getattr(self, NEEDS[name]):
                yield f"{column!r} needs {NEEDS[name]}, files inside the data folder"


@dataclass(frozen=True, kw_only=True)
class SpanJob(Job):
    """A study about spans to run."""

    study: SpanStudy
    model_name: str | None = None
    encoder: str | None = None

    @cached_property
    def language_model(self) -> LanguageModel | None:
        """The language model, if one is given."""
        return LanguageModel.load(self.encoder, device=self.device) if self.encoder else None

    def spans(self, name: str) -> SpanSet:
        """Return the labelled spans of a set."""
        if name == "constituent-labels":
            data = span_data.constituent_labels(self.path(self.study.trees))
        elif name == "constituents":
            data = span_data.constituents(self.path(self.study.trees))
        elif name == "entities":
            parts = {split: [self.path(file) for file in self.study.entities[split]] for split in SPLITS}
            data = span_data.entities(parts)
        elif name == "roles":
            data = roles.roles({split: self.path(file) for split, file in self.study.roles.items()})
        else:
            read = mentions.mentions if name == "mentions" else mentions.coreference
            data = read(self.path(self.study.mentions))
        return data.limited(self.study.examples)


def run_spans(job: SpanJob) -> Findings:
    """Probe the vectors of every column by every pooling.

    Args:
        job: The study, the model, the language model and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    cells: dict[str, dict[str, list[Score | None]]] = {variant.label: {} for variant in job.study.variants}
    for column in job.study.benchmarks:
        source, name = _parts(column)
        if source != MODEL and job.language_model is None:
            job.report(f"{column}: skipped, because --encoder is missing.")
            continue
        found = _pieces_column(job, name) if source == PIECES else _probe_column(job, source, name)
        for variant in job.study.variants:
            cells[variant.label][column] = found[variant.pooling]
    rows: dict[str, Row] = {}
    for label, columns in cells.items():
        runs = [
            {name: columns[name][seed] if name in columns else None for name in job.study.benchmarks}
            for seed in range(job.study.seeds)
        ]
        rows[label] = {
            name: score if score is None or _is_repeated(name) else replace(score, spread=None)
            for name, score in mean_row(runs, job.study.columns).items()
        }
    encoder = Path(job.encoder).name if job.encoder else "no encoder"
    return Findings(job.study, job.size, rows, f"{load(job.model_name).name}, {encoder}", job.overrides)


def _is_repeated(column: str) -> bool:
    """Return whether a column has a score per seed; without training there is one score, without a spread."""
    source, _ = _parts(column)
    return source != PIECES


def _probe_column(job: SpanJob, source: str, name: str) -> dict[str, list[Score | None]]:
    data, vectors = job.spans(name), None
    overrides = [*(job.study.full if job.size == "full" else job.study.small), *job.overrides]
    origin = load(job.model_name).name if source == MODEL else str(job.encoder)
    found: dict[str, list[Score | None]] = {}
    for pooling in dict.fromkeys(variant.pooling for variant in job.study.variants):
        found[pooling] = []
        for seed in range(job.study.seeds):
            given = configs.override({"pooling": pooling, "seed": seed}, overrides)
            probe = configs.build(SpanProbeConfig, given, "the study")
            mark = fingerprint([configs.to_dict(probe), origin, job.study.examples])[:12]
            path = job.work / f"{source}-{name}-{pooling}-{seed}-{mark}.json"
            if not path.exists():
                if vectors is None:
                    data, vectors = _vectors(job, source, data)
                scores = probe_spans(data, vectors, probe)
                job.report(f"{source}/{name}, {pooling}, seed {seed}: {scores.f1:.1f}")
                write_atomic(path, json.dumps(asdict(scores), indent=2) + "\n")
            kept = read_kept(path)
            found[pooling].append(Score(float(kept["f1"]), n=sum(kept["counts"].values())))
    return found


def _vectors(job: SpanJob, source: str, data: SpanSet) -> tuple[SpanSet, TokenVectors]:
    return _layer_vectors(job, data) if source == ENCODER else (data, _static_vectors(job, data))


def _static_vectors(job: SpanJob, data: SpanSet) -> TokenVectors:
    """Return the vectors that the everyword model gives tokens."""
    tokens = [token for text in data.texts for token in text]
    row_of = {token: row for row, token in enumerate(dict.fromkeys(tokens))}
    vectors = unit_rows(load(job.model_name).encode(list(row_of)))
    # Of length √dim, so that a coordinate has about the size that layers of a network expect.
    scaled = vectors * np.float32(np.sqrt(vectors.shape[1]))
    return TokenVectors.of(scaled[[row_of[token] for token in tokens]], [len(text) for text in data.texts])


def _layer_vectors(job: SpanJob, data: SpanSet) -> tuple[SpanSet, TokenVectors]:
    """Return the examples over pieces, and all layers of the language model for each piece."""
    assert job.language_model is not None
    ids = [piece_ids(job.language_model, text) for text in data.texts]
    vectors = [layers_of_text(job.language_model, text) for text in ids]
    lengths = [sum(map(len, text)) for text in ids]
    return data.in_pieces([[len(word) for word in text] for text in ids]), TokenVectors.of(
        np.concatenate(vectors), lengths
    )


@torch.inference_mode()
def layers_of_text(model: LanguageModel, words: Sequence[Sequence[int]]) -> FloatArray:
    """Return the outputs of all layers for the pieces of a text, (pieces, layers, dim), in half precision."""
    before, after = model.special_pieces()
    longest = min(WINDOW, model.longest - len(before) - len(after))
    parts: list[Any] = []
    window: list[int] = []
    for place, word in enumerate(words):
        window += word
        if len(window) + len(words[place + 1] if place + 1 < len(words) else ()) > longest or place + 1 == len(words):
            ids = torch.tensor([[*before, *window, *after]], device=model.device)
            hidden = model.network(input_ids=ids, output_hidden_states=True).hidden_states
            stacked = torch.stack([layer[0, len(before) : len(before) + len(window)] for layer in hidden], dim=1)
            parts.append(stacked.half().cpu().numpy())
            window = []
    return np.concatenate(parts)


def _pieces_column(job: SpanJob, name: str) -> dict[str, list[Score | None]]:
    """Return the rank correlation of rare-word similarity, with words pooled of pieces; attention is not trained."""
    assert job.language_model is not None
    benchmark = find_benchmark(RARE, job.data)
    if isinstance(benchmark, MissingData):
        job.report(f"pieces/{name}: skipped. {benchmark.reason}")
        return {pooling: [None] * job.study.seeds for pooling in POOLINGS}
    data = SimilaritySet.load(benchmark.files[0])
    words = list(dict.fromkeys(word for pair in data.pairs for word in pair))
    row_of = {word: row for row, word in enumerate(words)}
    ids = piece_ids(job.language_model, words)
    if name == "inputs":
        matrix = job.language_model.input_matrix()
        vectors = [matrix[pieces] for pieces in ids]
    else:
        vectors = [layers_of_text(job.language_model, [pieces])[:, -1].astype(np.float32) for pieces in ids]
    found: dict[str, list[Score | None]] = {}
    for pooling in POOLINGS:
        pooled = np.concatenate([pool(pooling, one, [(0, len(one) - 1)]) for one in vectors])
        units = unit_rows(pooled)
        cosines = np.array([units[row_of[one]] @ units[row_of[other]] for one, other in data.pairs])
        found[pooling] = [Score(100 * spearman(cosines, data.scores), n=len(data.pairs))] * job.study.seeds
    return found
