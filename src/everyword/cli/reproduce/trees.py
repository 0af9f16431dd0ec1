"""everyword reproduce of studies about labels above words in trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import named_vectors, reproduce_study, size_options, study_options
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.overrides
@options.model
@named_vectors
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.")
@study_options
@size_options
@click.pass_context
def trees(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about trees.

    Small networks read the part of speech of a word and the constituents above it from frozen vectors: of an everyword
    model, of --vectors, of networks that read text, and of --encoder. Our scores are printed beside the paper's, then
    each claim: holds, does not hold, too close to tell, or not tested. --seeds counts restarts of a probe. KEY=VALUE
    changes the networks, as in probe.hidden=500, directly.epochs=5 and reader.words=100000. What is finished is used
    again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce ancestor-constituents --data DATA
      everyword reproduce ancestor-constituents --vectors glove=glove.npy --data DATA --seeds 1 probe.epochs=3
      everyword reproduce ancestor-constituents --encoder all-MiniLM-L6-v2 --data DATA --full --device cuda
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(vectors: tuple[str, ...], **job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.spaces.study import named_files
    from everyword.studies.kinds.trees.study import TreeJob, run_trees

    return run_trees(TreeJob(vectors=named_files(vectors), **job))
