"""everyword reproduce of studies about changes of a space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import named_vectors, reproduce_study, size_options, study_options

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.model
@named_vectors
@study_options
@size_options
@click.pass_context
def spaces(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about changes of a space.

    Every change of the study is made to each table and, where it has a column, to an everyword model, and scored on the
    sets of --data. Our scores are printed beside the paper's, then each claim: holds, does not hold, too close to tell,
    or not tested.

    \b
    Examples:
      everyword reproduce principal-components --vectors glove=glove.vec --data DATA
      everyword reproduce principal-components --vectors glove=glove.vec --vectors skip-gram=skip-gram.vec --data DATA
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(vectors: tuple[str, ...], **job: Any) -> Findings:
    from everyword.studies.kinds.spaces.study import SpaceJob, named_files, run_spaces

    return run_spaces(SpaceJob(vectors=named_files(vectors), **job))
