"""The options of `everyword reproduce` for studies about rare words inside a language model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.findings import Findings
    from everyword.studies.rare_config import RareStudyConfig, RareVariant

a_path = click.Path(path_type=Path)


def about_rare_words(command: Callable[..., None]) -> Callable[..., None]:
    """The options, which reach the command as a dictionary of what is only for these studies."""
    for option in (
        click.option("--probe", type=a_path, metavar="FILE", help="For bertram-probe: of 'everyword probe build'."),
        click.option("--counts", type=a_path, metavar="FILE", help="For bertram-rarified: of 'everyword probe count'."),
        click.option("--rare", type=a_path, metavar="FOLDER", help="For bertram-*: rare words and sentences."),
        click.option("--contexts", type=a_path, metavar="FOLDER", help="For bertram-*: frequent words and sentences."),
        click.option("--encoder", metavar="MODEL", help="For bertram-*: a language model of transformers."),
    ):
        command = option(command)
    return command


def reproduce_rare_words(study: RareStudyConfig, given: dict[str, Any], common: dict[str, Any]) -> Findings:
    """Run a study about rare words."""
    if missing := next((name for name in ("encoder", "contexts") if given[name] is None), None):
        raise click.UsageError(f"Missing option '--{missing}'.")
    require("transformers", "Reproducing a study about language models")
    from everyword.cli.common.errors import warnings_as_lines
    from everyword.studies.rare_job import RareReproduction
    from everyword.studies.rare_study import reproduce_rare

    with warnings_as_lines():
        return reproduce_rare(RareReproduction(study, put_in=_put_in, **given, **common))


def _put_in(network: Any, tokenizer: Any, vectors: Any, variant: RareVariant) -> Any:
    from everyword.plugins.transformers import robustify

    return robustify(network, tokenizer, vectors, variant.strategy, words=variant.words)
