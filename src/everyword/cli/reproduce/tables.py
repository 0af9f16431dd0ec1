"""everyword reproduce of studies that compare tables of vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import reproduce_study, share_options, size_options, study_options
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads; repeatable.", multiple=True)
@options.file("--corpus", "Text, a sentence per line; repeatable.", multiple=True)
@options.text("--parser", "PIPELINE", "A spaCy pipeline that parses the corpus, for dependency contexts.")
@options.folder("--prepared", "The prepared corpus.  [default: WORK/prepared]")
@share_options
@study_options
@size_options
@click.pass_context
def tables(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a comparison of tables of vectors.

    Every vector file that is not in WORK yet is made by a command that is shown and can be run on its own. Then all are
    scored, and our scores are printed beside the paper's, with each claim: holds, does not hold, too close to tell, or
    not tested. Files that need a missing --encoder, --corpus or --parser are skipped, so files can be made on several
    machines and scored on one.

    The encoder reads the corpus once for all rows; on a CPU its outputs stay in a file of the prepared corpus. Without
    --full the study takes the first sentences of the corpus only, and trains with fewer passes. A study that compares
    encoders takes several, in the order that its file names them.

    \b
    Examples:
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --data DATA
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --parser en_core_web_sm --data DATA
      everyword reproduce dynamic-static --work tables --data DATA
      everyword reproduce dynamic-static-tags --work tables --encoder my-bert --data DATA
      everyword reproduce dynamic-static-encoders --encoder my-bert --encoder my-gpt --corpus wiki.txt.xz --data DATA
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Comparing tables made from a corpus")
    from everyword.studies.kinds.tables.run import TableJob, run_tables

    return run_tables(TableJob(run_command=_run_command, **job))


def _run_command(words: list[str]) -> None:
    """Run a command as if typed, so that what is shown is what was done; errors and Ctrl-C come back here."""
    from everyword.cli.commands import main

    with main.make_context("everyword", words) as context:
        main.invoke(context)
