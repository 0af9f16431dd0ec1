"""Run a study about attributes: every model is trained and measured once; then errors on synonyms are compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from everyword.arrays import BoolArray
from everyword.atomic import write_atomic
from everyword.files import read_kept
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.findings import Findings
from everyword.studies.kinds.attributes.models import compare_attributes, measure
from everyword.studies.kinds.attributes.study import MEASURES, AttributeJob


def run_attributes(job: AttributeJob) -> Findings:
    """Train the language models that are missing and measure all.

    Args:
        job: The study, its size and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    seeds = range(job.study.seeds)
    for seed in job.only or seeds:
        for variant in job.study.variants:
            if not job.file(variant, seed).exists():
                found = measure(job, variant, seed) if variant.trained else compare_attributes(job, variant)
                write_atomic(job.file(variant, seed), json.dumps(found, indent=2) + "\n")
                shown = [f"{name} {found[name]:.1f}" for name in MEASURES if found.get(name) is not None]
                job.report(f"{variant.label}, seed {seed}: {', '.join(shown)}")
    paths = {one.label: [job.file(one, seed) for seed in seeds] for one in job.study.variants}
    found = {
        label: [read_kept(path) for path in own] for label, own in paths.items() if all(path.exists() for path in own)
    }
    rows: dict[str, Row] = {variant.label: dict.fromkeys(job.study.columns) for variant in job.study.variants}
    errors, details = swap_errors(job, found)
    for label, runs in found.items():
        scores = [
            {
                f"attributes/{name}": _score(errors.get(label, {}).get(seed) if name == "swap error" else run.get(name))
                for name in MEASURES
            }
            for seed, run in enumerate(runs)
        ]
        rows[label] = mean_row(scores, job.study.columns)
    return Findings(job.study, job.size, rows, "WikiText-2", job.overrides, details=details | _details(found))


def _score(value: float | None) -> Score | None:
    return None if value is None else Score(value)


def _unbits(text: str) -> BoolArray:
    return np.array([one == "1" for one in text], dtype=bool)


def swap_errors(
    job: AttributeJob, found: Mapping[str, Sequence[Mapping[str, Any]]]
) -> tuple[dict[str, dict[int, float]], dict[str, Any]]:
    """Return the percentage of texts with a synonym that each row gets wrong, of those that all get right without."""
    labels = [label for label, runs in found.items() if all("right" in run for run in runs)]
    if not labels:
        return {}, {}
    of_text = np.repeat(np.arange(len(job.swaps)), [len(swaps) for swaps in job.swaps])
    parts = np.array([swap.pos for swaps in job.swaps for swap in swaps])
    errors: dict[str, dict[int, float]] = {label: {} for label in labels}
    details: dict[str, dict[str, list[float]]] = {label: {} for label in labels}
    counts: dict[str, list[int]] = {}
    for seed in range(job.study.seeds):
        right = np.all([_unbits(found[label][seed]["right"]) for label in labels], axis=0)
        asked = right[of_text]
        known = _unbits(found[labels[0]][seed]["swaps known"])
        groups = {"all": asked, "known": asked & known, "unknown": asked & ~known}
        groups |= {pos: asked & (parts == pos) for pos in sorted(set(parts.tolist()))}
        for name, chosen in groups.items():
            counts.setdefault(name, []).append(int(chosen.sum()))
            for label in labels:
                wrong = ~_unbits(found[label][seed]["swaps right"])
                if chosen.any():
                    details[label].setdefault(name, []).append(round(100 * float(wrong[chosen].mean()), 3))
        errors |= {label: errors[label] | {seed: details[label]["all"][-1]} for label in labels if asked.any()}
    return errors, {"swap errors": details, "swaps": counts}


def _details(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Return what is measured beside the columns, by row and seed."""
    names = ("dev perplexity", "bands", "pairs", "attributes", "parameters")
    return {
        name: {label: [run[name] for run in runs] for label, runs in found.items() if all(name in run for run in runs)}
        for name in names
    }
