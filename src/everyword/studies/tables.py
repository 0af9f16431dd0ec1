"""Run a study about tables of vectors: make those that are missing by commands of everyword, and score all of them."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from everyword.errors import MissingExtraError
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.studies.benchmarks import find_benchmarks, score_row
from everyword.studies.claims import Row
from everyword.studies.config import TableStudy
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.systems.skipgram.config import RECORD


@dataclass(frozen=True, kw_only=True)
class TableJob(Job):
    """A study about tables to run, with what their commands need."""

    study: TableStudy
    run_command: Callable[[list[str]], None]
    """Runs a command of everyword, given as its words."""
    encoder: str | None = None
    corpus: tuple[Path, ...] = ()
    parser: str | None = None
    prepared: Path | None = None
    """The prepared corpus, by default in the work folder."""

    @property
    def prepared_folder(self) -> Path:
        """The folder of the prepared corpus."""
        return self.prepared or self.work / "prepared"


def run_tables(job: TableJob) -> Findings:
    """Make the tables that are missing in the work folder, and score all of them.

    A table whose command needs something that is not given is skipped; its row and the claims about it are not tested.

    Args:
        job: The study, what its commands need, and the folders.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    _make_missing(job)
    benchmarks = find_benchmarks(job.study.benchmarks, job.data, job.report)
    rows: dict[str, Row] = {}
    fingerprints: dict[str, list[str]] = {}
    for variant in job.study.variants:
        path = job.work / variant.file
        if path.exists():
            model = open_evaluated(str(path), job.study.policy)
            fingerprints[variant.label] = [model.fingerprint or ""]
            rows[variant.label] = score_row(model, benchmarks, job.results, job.report)
        else:
            rows[variant.label] = dict.fromkeys(benchmarks)
    encoder = Path(job.encoder).name if job.encoder else "no encoder"
    teacher = f"{encoder}, tables in {job.work.absolute().name}"
    return Findings(job.study, job.size, rows, teacher, models=fingerprints)


def _make_missing(job: TableJob) -> None:
    prepared = job.prepared_folder
    if job.corpus and job.encoder:
        from everyword.language_models.language_model import LanguageModel
        from everyword.systems.skipgram.prepared import prepare

        prepare(job.corpus, prepared, model=LanguageModel.load(job.encoder, device="cpu"), report=job.report)
    given = {
        "encoder": [job.encoder] if job.encoder else [],
        "corpus": [str(file) for file in job.corpus],
        "parser": [job.parser] if job.parser else [],
        "prepared": [str(prepared)] if (prepared / RECORD).exists() else [],
        "work": [str(job.work)],
        "device": [job.device],
    }
    for variant in job.study.variants:
        output = job.work / variant.file
        if output.exists():
            continue
        command = variant.command({**given, "output": [str(output)]})
        if command is None:
            job.report(f"{variant.label}: skipped, because --encoder, --corpus or --parser is missing.")
            continue
        job.report(shlex.join(["everyword", *command]))
        try:
            job.run_command(command)
        except MissingExtraError as error:
            job.report(f"{variant.label}: skipped. {error}")
