"""everyword reproduce: a table of a paper, made again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common.checks import check_teacher
from everyword.cli.common.errors import INTERRUPTED
from everyword.cli.common.options import device_option
from everyword.cli.programs import WithPrograms
from everyword.cli.reproduce.rare_words import about_rare_words, reproduce_rare_words
from everyword.extras import require
from everyword.registry import Registry

if TYPE_CHECKING:
    from everyword.studies.config import StudyConfig
    from everyword.studies.findings import Findings
    from everyword.studies.rare_config import RareStudyConfig

DEFAULT_RESULTS = "results"
a_path = click.Path(path_type=Path)
PROGRAMS = Registry("program", {"dynamic-static": "everyword.cli.reproduce.tables:dynamic_static"})
"""Studies that are made in another way than by training variants of a recipe, each with options of its own."""


@click.command(cls=WithPrograms, programs=PROGRAMS)
@click.argument("study")
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--teacher", type=a_path, metavar="FILE", help="The word vectors to learn from.")
@about_rare_words
@click.option("--data", type=a_path, metavar="DIR", help="The folder with the data sets.  [default: $EVERYWORD_DATA]")
@click.option("--work", type=a_path, metavar="DIR", help="Where models are kept.  [default: runs/STUDY]")
@device_option
@click.option(
    "--seeds", type=click.IntRange(min=1), metavar="N", help="Make every row so many times.  [default: the study's]"
)
@click.option("--full", is_flag=True, help="The paper's size instead of a small one.")
@click.option(
    "--results", type=a_path, metavar="DIR", default=DEFAULT_RESULTS, show_default=True, help="Where to keep results."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def reproduce(
    study: str,
    *,
    overrides: tuple[str, ...],
    teacher: Path | None,
    data: Path | None,
    work: Path | None,
    device: str,
    seeds: int | None,
    full: bool,
    results: Path,
    as_json: bool,
    **about_words: Any,
) -> None:
    """Make a published table again.

    STUDY is a name that "everyword list" shows, or a .toml file: variants to train, data sets to score them on, the
    paper's numbers and its claims. Every variant is trained on your teacher, small unless --full is given; our scores
    are printed beside the paper's, then each claim: holds, does not hold, too close to tell, or not tested.

    KEY=VALUE changes the configuration of all variants, but not what tells them apart; networks.KEY=VALUE that of
    the networks that a study trains on the vectors. Models, networks and scores that are there already are not made
    again, so the same command goes on after Ctrl-C.

    The studies bertram-* are about rare words inside a language model, --encoder, and learn from sentences of
    frequent words instead of a teacher. There KEY=VALUE changes BERTRAM, static.KEY=VALUE its ancestors,
    mimick.KEY=VALUE Mimick and rarify.KEY=VALUE the rarified sets.

    The study dynamic-static compares tables made from a corpus: see "everyword reproduce dynamic-static --help".

    \b
    Examples:
      everyword reproduce love-ablation --teacher vectors.vec --data DATA
      everyword reproduce love-temperature --teacher vectors.vec --data DATA words.limit=5000 --work runs/quick
      everyword reproduce love-robustness --teacher vectors.vec --data DATA --seeds 5
      everyword reproduce love-intrinsic --teacher crawl-300d-2M.vec --data DATA --full --device cuda
      everyword reproduce bertram-contexts --encoder my-bert --contexts frequent --data DATA
      everyword reproduce bertram-rarified --encoder my-bert --contexts frequent --rare rare --counts counts.tsv
        --data DATA
      everyword reproduce bertram-probe --encoder my-bert --contexts frequent --rare rare --probe probe.tsv
    """
    from everyword.atomic import write_atomic
    from everyword.studies.config import StudyConfig, load_study
    from everyword.studies.rare_config import is_rare_study, load_rare_study

    asked: StudyConfig | RareStudyConfig = load_rare_study(study) if is_rare_study(study) else load_study(study)
    asked = replace(asked, seeds=seeds or asked.seeds)
    work = work or Path("runs") / (asked.name + ("-full" if full else ""))
    common = {
        "work": work,
        "data": data,
        "size": "full" if full else "small",
        "overrides": overrides,
        "device": device,
        "tell": lambda sentence: click.echo(sentence, err=True),
    }
    try:
        if isinstance(asked, StudyConfig):
            findings = _reproduce_models(asked, teacher, results, common)
        else:
            findings = reproduce_rare_words(asked, about_words, common)
    except KeyboardInterrupt:
        click.echo(f"Stopped; what is finished is kept in {work}. The same command goes on from there.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    text = json.dumps(findings.as_dict(), indent=2, ensure_ascii=False)
    results.mkdir(parents=True, exist_ok=True)
    write_atomic(results / f"{findings.name}.json", text + "\n")
    click.echo(text if as_json else findings.as_text())


def _reproduce_models(study: StudyConfig, teacher: Path | None, results: Path, common: dict[str, Any]) -> Findings:
    if teacher is None:
        raise click.UsageError("Missing option '--teacher'.")
    check_teacher(teacher, needed=True)
    require("torch", "Reproducing a study")
    from everyword.learning.device import pick_device
    from everyword.studies.job import Reproduction
    from everyword.studies.study import reproduce as run

    pick_device(common["device"])
    return run(Reproduction(study, teacher, results=results, **common))
