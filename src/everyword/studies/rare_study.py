"""A study about rare words from its file to its findings; what is finished is not done again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from everyword.atomic import write_atomic
from everyword.corpus.contexts.sentences import CONTEXTS_FILE
from everyword.errors import InputError
from everyword.files import checksum, read_object
from everyword.studies.findings import Findings, Score, row_of
from everyword.studies.rare_config import RareVariant
from everyword.studies.rare_job import RareReproduction
from everyword.studies.rare_models import RareModels
from everyword.studies.rare_scores import SCORERS, Found
from everyword.systems.bertram.masking import OneWarning


def reproduce_rare(job: RareReproduction) -> Findings:
    """Make and score all variants; each one's scores are kept at once."""
    job.check()
    models = RareModels(job)
    with OneWarning():  # all variants are given the same sentences, many times
        rows = {variant.label: row_of(_runs(job, models, variant), job.study.columns) for variant in job.study.variants}
    named = Path(models.encoder.name)  # a result is read elsewhere, where the path says nothing
    teacher = f"{named.name if named.is_dir() else named} {models.encoder.weights_fingerprint()}"
    return Findings(job.study, job.size, rows, teacher, job.overrides)


def _runs(job: RareReproduction, models: RareModels, variant: RareVariant) -> list[Found]:
    """The scores of a variant, a row for each seed, as they are kept or fresh."""
    path, stamp = job.work / "scores" / job.study.name / f"{variant.folder}.json", _stamp(job, models, variant)
    runs = kept_scores(path, stamp)
    if runs is not None:
        job.tell(f"{variant.label}: scored before")
    else:
        runs = SCORERS[job.study.judged_by](job, models, variant)
        job.tell(f"{variant.label}: scored")
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = [{name: score and asdict(score) for name, score in run.items()} for run in runs]
        write_atomic(path, json.dumps({"stamp": stamp, "runs": kept}, indent=2) + "\n")
    return [{name: run.get(name) for name in job.study.columns} for run in runs]


def kept_scores(path: Path, stamp: str) -> list[Found] | None:
    """Scores that an earlier run left, if they are of the same."""
    try:
        kept = read_object(path)
        if kept["stamp"] != stamp:
            return None
        return [{name: score and Score(**score) for name, score in run.items()} for run in kept["runs"]]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} holds no kept scores ({error!s:.80}); remove it, and they are made again.") from None


def _stamp(job: RareReproduction, models: RareModels, variant: RareVariant) -> str:
    """A mark of all that decides the scores of a variant."""
    given = [path for path in (job.rare, job.counts, job.probe) if path is not None]
    files = [checksum(path / CONTEXTS_FILE if path.is_dir() else path) for path in given]
    described = {key: value for key, value in asdict(variant).items() if key not in ("label", "paper")}
    asked = [job.study.judged_by, job.study.seeds, job.study.texts, job.overrides_for(), job.overrides, job.size]
    return hashlib.sha256(json.dumps([described, asked, files, models.stamp]).encode()).hexdigest()
