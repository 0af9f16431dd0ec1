"""everyword reproduce dynamic-static: tables of vectors by many methods, made and compared as a paper did."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.options import device_option
from everyword.cli.spaces import say
from everyword.errors import MissingExtraError
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.table_study import TableStudy

NAME = "dynamic-static"
path = click.Path(path_type=Path)


@click.command(NAME)
@click.option("--encoder", metavar="MODEL", help="The encoder: a folder or a hub id that transformers loads.")
@click.option("--corpus", type=path, multiple=True, metavar="FILE", help="Text, a sentence a line; may be repeated.")
@click.option("--parser", metavar="PIPELINE", help="A spaCy pipeline that parses the corpus, for dependency contexts.")
@click.option("--prepared", type=path, metavar="FOLDER", help="The prepared corpus.  [default: WORK/prepared]")
@click.option("--data", type=path, metavar="DIR", help="The folder with the data sets.  [default: $EVERYWORD_DATA]")
@click.option(
    "--work", type=path, metavar="DIR", default=f"runs/{NAME}", show_default=True, help="Where tables are kept."
)
@device_option
@click.option("--results", type=path, metavar="DIR", default="results", show_default=True, help="For the results.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
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
    """Compare static vectors from a contextual model with those of the methods before.

    Every table that is not in WORK yet is made, by a command that is shown and could be typed by itself; then all are
    scored, our scores are printed beside the paper's, and each claim: holds, does not hold, too close to tell, or not
    tested. Without --encoder, --corpus or --parser, tables that need them are left out, so tables may be made on
    several machines and judged on one.

    \b
    Examples:
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --data DATA
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --parser en_core_web_sm --data DATA
      everyword reproduce dynamic-static --work tables --data DATA
    """
    require("torch", "Comparing tables made from a corpus")
    from everyword.atomic import write_atomic
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
    text = json.dumps(findings.as_dict(), indent=2, ensure_ascii=False)
    results.mkdir(parents=True, exist_ok=True)
    write_atomic(results / f"{findings.name}.json", text + "\n")
    click.echo(text if as_json else findings.as_text())


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
            say(f"{table.label}: left out, because it needs an encoder, a corpus or a parser that is not given.")
            continue
        say(shlex.join(["everyword", *command]))
        try:
            # As if typed, so that what is shown is what was done; but errors and Ctrl-C come back here.
            with main.make_context("everyword", command) as context:
                main.invoke(context)
        except MissingExtraError as error:
            say(f"{table.label}: left out. {error}")
