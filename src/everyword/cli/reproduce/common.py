"""What the commands of all kinds of studies share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.errors import exit_interrupted
from everyword.cli.common.output import say

if TYPE_CHECKING:
    from everyword.studies.findings import Findings

study_options = options.together(
    options.data,
    options.folder("--work", "Where models are saved.  [default: runs/STUDY]"),
    options.device,
    options.results,
    options.json_object,
)
share_options = options.together(
    options.option("--only-seed", "Run this one of the seeds, from 0; others may run beside it.", type=int),
    options.text(
        "--only-row", "NAME", "Make this row only; others may run beside it. Repeatable.", multiple=True, to="only_rows"
    ),
)
named_vectors = options.text(
    "--vectors", "NAME=FILE", "A vector file by the name that the study has for it; repeatable.", multiple=True
)
size_options = options.together(
    options.count("--seeds", "Number of runs per row.  [default: the study's]"),
    options.flag("--full", "Train models of the paper's size instead of small ones."),
)


def reproduce_study(
    name: str,
    run: Callable[..., Findings],
    *,
    work: Path | None,
    results: Path,
    as_json: bool,
    seeds: int | None = None,
    full: bool = False,
    **job: Any,
) -> None:
    """Load a study, run it, save its findings and print them."""
    from everyword.studies import config
    from everyword.studies.commit import code_commit
    from everyword.studies.inputs import describe_inputs

    commit = code_commit()  # before the run: the code may change while a long one is under way
    study = config.load_study(name)
    if seeds is not None and not study.is_drawn:
        raise click.UsageError(f"Nothing is drawn or trained in {study.name}, so all runs are equal: remove --seeds.")
    study = replace(study, seeds=seeds or study.seeds)
    size = "full" if full else "small"
    work = work or Path("runs") / (study.name + ("-full" if full else ""))
    try:
        findings = run(study=study, work=work, results=results, size=size, report=say, **job)
    except KeyboardInterrupt:
        exit_interrupted(f"Stopped; what is finished is saved in {work}. Continue with the same command.")
    findings = replace(findings, commit=commit, inputs=describe_inputs(job))
    findings.save(results)
    click.echo(findings.to_json() if as_json else findings.to_text())
