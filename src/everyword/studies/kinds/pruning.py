"""Run a study about pruned encoders: a transformer is pruned before, after or without fine-tuning, and scored.

Gordon, Duh and Andrews (RepL4NLP 2020) tell two harms apart: what pruned weights knew is gone, and a network with fewer
weights can learn less. Weights that are deleted but free to move again have lost the first only. Scores stay in the
work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import Share
from everyword.errors import InputError
from everyword.files import fingerprint, read_kept
from everyword.language_models.fine_tuning import FineTuning, LabelledPasses, accuracy, fine_tune, new_classifier
from everyword.learning.batching import by_length
from everyword.learning.hooks import Hook
from everyword.learning.pruning import FixedMasks, kept_weights, prunable, prune_network
from everyword.space.compression.pruning import mask_difference, rank_movement
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.labelled_columns import ColumnParts, ColumnSet, ColumnTexts, read_columns

When = Literal["never", "before", "deleted", "random", "after"]
"""Never; before fine-tuning, by magnitude or at random, for good; before, but free to move again; after fine-tuning,
with as much of it again afterwards."""
MEASURES = ("accuracy", "loss")
"""Accuracy on the test texts, and the loss on the training texts, times 100."""
DENSE = ("position_embeddings", "token_type_embeddings", "pooler", "classifier", "LayerNorm")
"""Parts of a transformer that are never pruned, by words in the names of their weights."""
COMPARED = 0.5
"""The sparsity at which masks before and after fine-tuning are compared."""


@dataclass(frozen=True, kw_only=True)
class PrunedVariant(Variant):
    """A row: how much goes, and when."""

    when: When = "never"
    sparsity: Share = 0.0

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if (self.when == "never") != (self.sparsity == 0):
            yield f"{self.label!r} must have both a time and a sparsity, or neither"


@dataclass(frozen=True, kw_only=True)
class PrunedStudy(Study):
    """A table about pruned encoders; columns are "pruning/SET MEASURE"."""

    kind: Literal["pruning"] = "pruning"
    variants: tuple[PrunedVariant, ...]
    sets: tuple[ColumnSet, ...]
    tuning: tuple[str, ...] = ()
    """Overrides of fine-tuning."""

    @property
    def policy(self) -> str:
        """What encoders are judged by."""
        return "fine-tuning"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        known = {f"pruning/{one.name} {what}" for one in self.sets for what in MEASURES}
        yield from (f"{name!r} is not pruning/SET MEASURE" for name in self.benchmarks if name not in known)


@dataclass(frozen=True, kw_only=True)
class PrunedJob(Job):
    """A study about pruned encoders to run."""

    study: PrunedStudy
    encoder: str | None = None

    def training(self, seed: int) -> FineTuning:
        """Return how encoders are fine-tuned."""
        values = configs.override({}, [*self.study.tuning, *self.overrides]) | {"seed": seed}
        return configs.build(FineTuning, values, "the study")


def run_pruned(job: PrunedJob) -> Findings:
    """Prune, fine-tune and score an encoder in every way.

    Args:
        job: The study, the encoder and the data folder.
    """
    if job.encoder is None:
        raise InputError("An encoder to prune is needed; name it by --encoder.")
    job.work.mkdir(parents=True, exist_ok=True)
    study = job.study
    runs: dict[str, list[dict[str, Score | None]]] = {
        variant.label: [dict.fromkeys(study.columns) for _ in range(study.seeds)] for variant in study.variants
    }
    moved: dict[str, Any] = {}
    for texts in study.sets:
        parts = read_columns(texts, job.folder)
        job.report(
            f"{texts.name}: {', '.join(f'{len(part):,}' for part in (parts.train, parts.dev, parts.test))} texts"
        )
        for seed in range(study.seeds):
            cell = Cell(job, texts, parts, seed)
            for variant in study.variants:
                found = cell.scores(variant)
                job.report(f"{texts.name}, {variant.label}, seed {seed}: {found['accuracy']:.1f}")
                runs[variant.label][seed] |= {
                    name: Score(float(found[measure]))
                    for measure in MEASURES
                    if (name := f"pruning/{texts.name} {measure}") in study.columns
                }
                if "movement" in found:
                    moved[texts.name] = found["movement"]
    rows: dict[str, Row] = {label: mean_row(found, study.columns) for label, found in runs.items()}
    return Findings(study, job.size, rows, Path(job.encoder).name, job.overrides, details={"movement": moved})


@dataclass(frozen=True)
class Cell:
    """A set and a seed, for which the encoder is loaded and fine-tuned without pruning once at most."""

    job: PrunedJob
    texts: ColumnSet
    parts: ColumnParts
    seed: int

    @property
    def config(self) -> FineTuning:
        """How the encoder is fine-tuned."""
        return self.job.training(self.seed)

    @cached_property
    def loaded(self) -> tuple[Any, Any]:
        """The encoder with a fresh head, and its tokenizer."""
        labels = len(self.parts.names)
        return new_classifier(str(self.job.encoder), labels, device=self.job.device, seed=self.seed)

    @cached_property
    def tuned(self) -> Any:
        """The encoder after fine-tuning without pruning."""
        return self.trained(deepcopy(self.loaded[0]))

    def scores(self, variant: PrunedVariant) -> dict[str, Any]:
        """Return the scores of a row, from the work folder if they are there."""
        told = [asdict(self.config), asdict(self.texts), Path(str(self.job.encoder)).name]
        mark = fingerprint([*told, variant.when, variant.sparsity])[:12]
        name = f"{self.texts.name}-{variant.when}-{round(100 * variant.sparsity)}-{self.seed}-{mark}.json"
        path = self.job.work / name
        if not path.exists():
            network = self.network(variant)
            found: dict[str, Any] = {
                "accuracy": accuracy(network, self.loaded[1], *_given(self.parts.test), longest=self.config.longest),
                "loss": 100 * self.training_loss(network),
            }
            if variant.when == "never" and not self.seed:
                found["movement"] = movement(self.loaded[0], network)
            write_atomic(path, json.dumps(found, indent=2) + "\n")
        return read_kept(path)

    def network(self, variant: PrunedVariant) -> Any:
        """Return the network of a row."""
        if variant.when == "never":
            return self.tuned
        network = deepcopy(self.tuned if variant.when == "after" else self.loaded[0])
        with torch.random.fork_rng():
            torch.manual_seed(self.seed)
            by: Literal["magnitude", "random"] = "random" if variant.when == "random" else "magnitude"
            masks = prune_network(network, variant.sparsity, stays_dense, by=by)
        return self.trained(network, () if variant.when == "deleted" else [FixedMasks(network, masks)])

    def trained(self, network: Any, hooks: Sequence[Hook] = ()) -> Any:
        """Return a network after fine-tuning."""
        train, dev = _given(self.parts.train), _given(self.parts.dev)
        return fine_tune(network, self.loaded[1], *train, *dev, self.config, techniques=lambda _passes: hooks)

    @torch.no_grad()
    def training_loss(self, network: Any) -> float:
        """Return the mean loss of the training texts, without dropout."""
        passes = LabelledPasses(network, self.loaded[1], *_given(self.parts.train), longest=self.config.longest)
        losses = [(float(passes.loss(rows)), len(rows)) for rows in by_length(passes.lengths, 256)]
        return float(np.average([loss for loss, _ in losses], weights=[count for _, count in losses]))


def _given(texts: ColumnTexts) -> tuple[list[str], list[int]]:
    return texts.joined(), texts.labels.tolist()


def stays_dense(name: str) -> bool:
    """Return whether a weight of a transformer is never pruned."""
    return any(part in name for part in DENSE)


@torch.no_grad()
def movement(before: Any, after: Any) -> Mapping[str, float]:
    """Return how far fine-tuning moved weights in the order of magnitudes, and how much masks differ, in percent."""
    other, ranks, masks, sizes = prunable(after, stays_dense), [], [], []
    for name, weight in prunable(before, stays_dense).items():
        kept = [kept_weights(one, COMPARED).cpu().numpy() for one in (weight, other[name])]
        masks.append(mask_difference(kept[0], kept[1]))
        ranks.append(rank_movement(weight.cpu().numpy(), other[name].cpu().numpy()).mean)
        sizes.append(weight.numel())
    return {
        "ranks": round(100 * float(np.average(ranks, weights=sizes)), 3),
        "masks": round(100 * float(np.average(masks, weights=sizes)), 3),
    }
