"""everyword reproduce of studies about auxiliary languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.reproduce.common import reproduce_study, size_options, study_options
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.findings import Findings


@click.command(cls=Command)
@options.overrides
@options.model
@options.folder("--vectors", "Vector files by language, such as fi.vec, for rows about whole words.")
@options.folder("--prepared", "Prepared sentences and vectors.  [default: WORK/prepared]")
@options.text("--language", "CODE", "Train only this language; repeatable.", to="languages", multiple=True)
@study_options
@size_options
@click.pass_context
def languages(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about auxiliary languages.

    Sentences, vectors of pieces learnt from the corpora in --data, and distances of languages are prepared once. Then
    taggers are trained over the sources of each row. With --prepared, a machine needs neither the data nor gensim. With
    --language, several processes can share one work folder; the same command without it then puts all together.
    KEY=VALUE changes the size and the taggers, as in tagger.epochs=5.

    \b
    Examples:
      everyword reproduce auxiliary-languages --data DATA --language fi --language de --language it
      everyword reproduce auxiliary-languages --data DATA --vectors tables --work runs/languages --seeds 1
      everyword reproduce auxiliary-languages --prepared runs/languages/prepared --full --device cuda
    """
    reproduce_study(str(ctx.info_name), _run, **given)


def _run(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.kinds.languages.study import LanguageJob, run_languages

    return run_languages(LanguageJob(**job))
