"""everyword reproduce of studies about compositionality."""

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
@options.text("--encoder", "MODEL", "A sentence encoder: a folder or a hub id that transformers loads.")
@study_options
@size_options
@click.pass_context
def compositionality(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about compositionality.

    Classifiers of sentiment learn from vectors of texts, and are judged by pairs of opposite polarity; the vectors of
    sentences are rebuilt from vectors of words along trees. Rows whose --vectors or --encoder are not given are
    skipped. KEY=VALUE changes the reconstruction. What is finished is used again, so the same command continues after
    Ctrl-C.

    \b
    Examples:
      everyword reproduce compositionality --data DATA
      everyword reproduce compositionality --vectors glove=glove.vec --data DATA --seeds 1 steps=20
      everyword reproduce compositionality --encoder all-MiniLM-L6-v2 --data DATA --full
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(vectors: tuple[str, ...], encoder: str | None, model_name: str | None, device: str, **job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.compositionality.study import CompositionJob, run_compositionality
    from everyword.studies.kinds.compositionality.text_sources import TextSources
    from everyword.studies.kinds.spaces.study import named_files

    sources = TextSources(model_name, named_files(vectors), encoder, device)
    return run_compositionality(CompositionJob(sources=sources, device=device, **job))
