"""everyword reproduce STUDY: studies of models of spelling, and of rare words inside a language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common.errors import exit_interrupted, warnings_as_lines
from everyword.cli.common.group import Command, named_copy
from everyword.cli.common.options import (
    COUNT,
    PATH,
    data_option,
    device_option,
    one_json_option,
    overrides_argument,
    results_option,
    together,
)
from everyword.cli.common.output import json_text, say
from everyword.cli.train.recipe import check_teacher
from everyword.errors import EverywordError
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.config import StudyConfig
    from everyword.studies.findings import Findings
    from everyword.studies.rare_config import RareStudyConfig, RareVariant

study_options = together(
    data_option,
    click.option("--work", type=PATH, metavar="FOLDER", help="Where models are kept.  [default: runs/STUDY]"),
    device_option,
    click.option("--seeds", type=COUNT, metavar="N", help="Number of runs per row.  [default: the study's]"),
    click.option("--full", is_flag=True, help="Train models of the paper's size instead of small ones."),
    results_option,
    one_json_option,
)


def study_command(name: str, path: Path) -> click.Command:
    """Return the command that reproduces a study, a shipped one or a TOML file."""
    from everyword.studies.rare_config import is_rare_study

    return named_copy(rare_study if is_rare_study(name) else model_study, name, _title(path))


def _title(path: Path) -> str:
    from everyword.config import read_toml

    try:
        return str(read_toml(path).get("title", ""))
    except (EverywordError, OSError):  # Python 3.10 reads TOML only with an extra; a file may be missing
        return ""


@click.command(cls=Command)
@overrides_argument
@click.option("--teacher", type=PATH, metavar="FILE", required=True, help="Vector file to learn from.")
@study_options
@click.pass_context
def model_study(ctx: click.Context, /, *, teacher: Path, **options: Any) -> None:
    """Reproduce a table of models of spelling.

    Every variant of the study is trained on your teacher, small unless --full is given. Our scores are printed beside
    the paper's, then each claim: holds, does not hold, too close to tell, or not tested.

    KEY=VALUE changes the configuration of all variants, except for what distinguishes them; networks.KEY=VALUE changes
    the networks that a study trains on the vectors. Models and scores that exist already are used again, so the same
    command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce love-ablation --teacher vectors.vec --data DATA
      everyword reproduce love-temperature --teacher vectors.vec --data DATA words.limit=5000 --work runs/quick
      everyword reproduce love-robustness --teacher vectors.vec --data DATA --seeds 5
      everyword reproduce love-intrinsic --teacher crawl-300d-2M.vec --data DATA --full --device cuda
    """
    from everyword.studies.config import load_study

    def run(study: StudyConfig, common: dict[str, Any]) -> Findings:
        check_teacher(teacher, needed=True)
        require("torch", "Reproducing a study")
        from everyword.learning.device import pick_device
        from everyword.studies.job import Reproduction
        from everyword.studies.study import reproduce

        pick_device(common["device"])
        return reproduce(Reproduction(study, teacher, results=options["results"], **common))

    _reproduce(load_study(str(ctx.info_name)), run, **options)


@click.command(cls=Command)
@overrides_argument
@click.option("--encoder", metavar="MODEL", required=True, help="A folder or a hub id that transformers loads.")
@click.option("--contexts", type=PATH, metavar="FOLDER", required=True, help="Frequent words and their sentences.")
@click.option("--rare", type=PATH, metavar="FOLDER", help="Rare words and their sentences.")
@click.option(
    "--counts", type=PATH, metavar="FILE", help="For bertram-rarified: word counts of 'everyword cloze count'."
)
@click.option("--probe", type=PATH, metavar="FILE", help="For bertram-probe: questions of 'everyword cloze build'.")
@study_options
@click.pass_context
def rare_study(
    ctx: click.Context,
    /,
    *,
    encoder: str,
    contexts: Path,
    rare: Path | None,
    counts: Path | None,
    probe: Path | None,
    **options: Any,
) -> None:
    """Reproduce a table about rare words in a language model.

    The variants of the study learn from sentences of frequent words, --contexts. Our scores are printed beside the
    paper's, then each claim: holds, does not hold, too close to tell, or not tested.

    KEY=VALUE changes BERTRAM, static.KEY=VALUE its ancestors, mimick.KEY=VALUE Mimick, and rarify.KEY=VALUE the texts
    with rare words. Models and scores that exist already are used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce bertram-contexts --encoder my-bert --contexts frequent --data DATA
      everyword reproduce bertram-rarified --encoder my-bert --contexts frequent --rare rare --counts counts.tsv
        --data DATA
      everyword reproduce bertram-probe --encoder my-bert --contexts frequent --rare rare --probe cloze.tsv
    """
    from everyword.studies.rare_config import load_rare_study

    def run(study: RareStudyConfig, common: dict[str, Any]) -> Findings:
        require("transformers", "Reproducing a study about language models")
        from everyword.studies.rare_job import RareReproduction
        from everyword.studies.rare_study import reproduce_rare

        given: dict[str, Any] = {
            "encoder": encoder,
            "contexts": contexts,
            "rare": rare,
            "counts": counts,
            "probe": probe,
        }
        with warnings_as_lines():
            return reproduce_rare(RareReproduction(study, put_in=_put_in, **given, **common))

    _reproduce(load_rare_study(str(ctx.info_name)), run, **options)


def _put_in(network: Any, tokenizer: Any, vectors: Any, variant: RareVariant) -> Any:
    from everyword.plugins.transformers import robustify

    return robustify(network, tokenizer, vectors, variant.strategy, words=variant.words)


def _reproduce(
    study: Any,
    run: Callable[[Any, dict[str, Any]], Findings],
    *,
    overrides: tuple[str, ...],
    data: Path | None,
    work: Path | None,
    device: str,
    seeds: int | None,
    full: bool,
    results: Path,
    as_json: bool,
) -> None:
    study = replace(study, seeds=seeds or study.seeds)
    work = work or Path("runs") / (study.name + ("-full" if full else ""))
    size = "full" if full else "small"
    common = {"work": work, "data": data, "size": size, "overrides": overrides, "device": device, "tell": say}
    try:
        findings = run(study, common)
    except KeyboardInterrupt:
        exit_interrupted(f"Stopped; what is finished is saved in {work}. Continue with the same command.")
    save_findings(findings, results, as_json)


def save_findings(findings: Findings, results: Path, as_json: bool) -> None:
    """Save what a study found, and print it."""
    from everyword.atomic import write_atomic

    text = json_text(findings.as_dict())
    results.mkdir(parents=True, exist_ok=True)
    write_atomic(results / f"{findings.name}.json", text + "\n")
    click.echo(text if as_json else findings.as_text())
