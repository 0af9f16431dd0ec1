"""everyword reproduce dynamic-static: tables of vectors by many methods, made and compared as a paper did."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.group import Command
from everyword.cli.common.options import PATH, data_option, device_option, one_json_option, results_option
from everyword.cli.common.output import say
from everyword.cli.reproduce.studies import save_findings
from everyword.errors import MissingExtraError
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.table_study import TableStudy

NAME = "dynamic-static"


@click.command(NAME, cls=Command, short_help="Static vectors from a contextual model, and earlier methods.")
@click.option("--encoder", metavar="MODEL", help="A folder or a hub id that transformers loads.")
@click.option("--corpus", type=PATH, multiple=True, metavar="FILE", help="Text, a sentence per line; repeatable.")
@click.option("--parser", metavar="PIPELINE", help="A spaCy pipeline that parses the corpus, for dependency contexts.")
@click.option("--prepared", type=PATH, metavar="FOLDER", help="The prepared corpus.  [default: WORK/prepared]")
@data_option
@click.option(
    "--work", type=PATH, metavar="FOLDER", default=f"runs/{NAME}", show_default=True, help="Where vectors are kept."
)
@device_option
@results_option
@one_json_option
def dynamic_static(
    *,
    encoder: str | None,
    corpus: tuple[Path, ...],
    parser: str | None,
    prepared: Path | None,
    data: Path | None,
    work: Path,
    device: str,
    results: Path,
    as_json: bool,
) -> None:
    """Compare static vectors from a contextual model with earlier methods.

    Every vector file that is not in WORK yet is made by a command that is shown and can be run on its own. Then all are
    scored, and our scores are printed beside the paper's, with each claim: holds, does not hold, too close to tell, or
    not tested. Files that need a missing --encoder, --corpus or --parser are left out, so files can be made on several
    machines and scored on one.

    \b
    Examples:
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --data DATA
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --parser en_core_web_sm --data DATA
      everyword reproduce dynamic-static --work tables --data DATA
    """
    require("torch", "Comparing tables made from a corpus")
    from everyword.studies.table_study import judge_tables, load_table_study
    from everyword.systems.skipgram.config import RECORD

    study = load_table_study(NAME)
    work.mkdir(parents=True, exist_ok=True)
    ready = prepared or work / "prepared"
    if corpus and encoder:
        _prepare(corpus, ready, encoder)
    given = {
        "encoder": [encoder] if encoder else [],
        "corpus": [str(file) for file in corpus],
        "parser": [parser] if parser else [],
        "prepared": [str(ready)] if (ready / RECORD).exists() else [],
        "work": [str(work)],
        "device": [device],
    }
    _make_missing(study, work, given)
    told = f"{Path(encoder).name if encoder else 'no encoder'}, tables in {work.absolute().name}"
    findings = judge_tables(study, work, data=data, results=results, told=told, tell=say)
    save_findings(findings, results, as_json)


def _prepare(corpus: Sequence[Path], folder: Path, encoder: str) -> None:
    from everyword.language_models.language_model import LanguageModel
    from everyword.systems.skipgram.prepared import prepare

    prepare(corpus, folder, model=LanguageModel.load(encoder, device="cpu"), tell=say)


def _make_missing(study: TableStudy, work: Path, given: Mapping[str, Sequence[str]]) -> None:
    from everyword.cli.commands import main

    for table in study.tables:
        if (work / table.file).exists():
            continue
        command = table.command({**given, "output": [str(work / table.file)]})
        if command is None:
            say(f"{table.label}: left out, because --encoder, --corpus or --parser is missing.")
            continue
        say(shlex.join(["everyword", *command]))
        try:
            # As if typed, so that what is shown is what was done; but errors and Ctrl-C come back here.
            with main.make_context("everyword", command) as context:
                main.invoke(context)
        except MissingExtraError as error:
            say(f"{table.label}: left out. {error}")
