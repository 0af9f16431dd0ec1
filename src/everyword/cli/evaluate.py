"""everyword evaluate and compare: scores of vectors, and results side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.common.output import json_text, say
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.evaluation.benchmark import MissingData
    from everyword.evaluation.results import Result
    from everyword.evaluation.robustness.noise import Noise
    from everyword.evaluation.run import Outcome

MOST_REASONS = 3
"""More lines about missing data sets than these would bury the scores."""


@click.command(cls=Command, old_options={"--words": "--held-out"})
@click.argument("model", required=False, metavar="[MODEL_OR_VECTORS]")
@options.text(
    "--tasks",
    "NAME,NAME",
    "Tasks, data sets, or both as in similarity/rareword; 'everyword list' has the names.",
    to="names",
    default="all",
)
@options.data
@options.text(
    "--policy",
    "NAME,NAME",
    "How words get vectors. encode: stored or inferred; infer: all inferred; zero, mean, spelling, pieces: stored "
    "vectors with this fallback for unknown words; characters: zero, plus character features in taggers; form, "
    "context, context-content: for words in sentences.  [default: encode; zero for a vector file]",
)
@options.text(
    "--corruption",
    "NAME,NAME",
    "Misspell the words of the questions: typo, ocr, a kind of 'everyword corrupt', or published (noisy copies that "
    "came with the data).",
    to="corruptions",
)
@options.text("--strengths", "N,N", "Percentages of words to misspell; 0 is clean.  [default: 0,10,20,…,90]")
@options.text(
    "--scorer",
    "NAME:KEY=VALUE",
    "For similarity, analogy, compounds and function-words: compare words by cosine, or by feature tuples: "
    "cross-entropy, kl, bernoulli-kl or overlap, with normalise, base, unit and direction, as in kl:normalise=row.",
    default="cosine",
)
@options.count("--candidates", "Search answers among the first N known words only.")
@options.file("--held-out", "For the task held-out: the held-out words, one per line.")
@options.file("--teacher", "For the task held-out: the vector file that has them.")
@options.file("--target", "For the task lexicon-induction: the vector file of the other language, in the same space.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the random numbers.")
@options.results
@options.flag("--items", "Save the results of single items too, for 'everyword compare-results'.")
@options.flag("--overwrite", "Score again what has a result already.")
@options.json_lines
def evaluate(
    model: str | None,
    *,
    names: str,
    data: Path | None,
    policy: str | None,
    corruptions: str | None,
    strengths: str | None,
    scorer: str,
    candidates: int | None,
    held_out: Path | None,
    teacher: Path | None,
    target: Path | None,
    seed: int,
    results: Path,
    items: bool,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Score a model or a vector file.

    "all" are the tasks that train nothing. The tasks classification, tagging and pos train networks on the vectors,
    which takes minutes to hours and needs the extra "train". The tasks context-similarity, nonce and chimera give
    words in sentences and need a policy that reads them. The task lexicon-induction searches for translations in a
    second table, --target. These run only when they are named.

    Each line shows a task and data set, the score in percent, the number of items, the share of items whose words are
    all known, and the score on those items alone. Results are saved as JSON files one by one and not computed again
    for the same model, policy, data and seed, so a run that was stopped continues where it was.

    \b
    Examples:
      everyword evaluate --data DATA
      everyword evaluate my-model --tasks similarity,misspelling/wikipedia --policy infer --data DATA
      everyword evaluate my-model --tasks sst2 --data DATA
      everyword evaluate --tasks similarity --corruption typo,ocr --policy encode,zero,spelling --data DATA
      everyword evaluate --tasks context-similarity,nonce,chimera --policy form,context-content --data DATA
      everyword evaluate glove.6B.100d.txt --tasks analogy --candidates 100000 --data DATA
      everyword evaluate glove.6B.100d.txt --tasks similarity --scorer cross-entropy:normalise=row --data DATA
      everyword evaluate my-model --tasks held-out --held-out held-out.txt --teacher my-vectors.vec
      everyword evaluate mapped.vec --tasks xling-en-de --target german.vec --data DATA
    """
    from everyword.evaluation.benchmark import Benchmark, MissingData, choose, under_noises
    from everyword.evaluation.evaluated_model import check_policy, open_evaluated
    from everyword.evaluation.run import evaluate as run
    from everyword.space.scorer import read_scorer

    compared = read_scorer(scorer)
    noises = _noises(corruptions, strengths)
    policies: list[str | None] = [*_listed(policy, "policy", "--policy")] if policy is not None else [None]
    for one in policies:
        check_policy(one)  # before the first of them takes its time
    # A wrong model is reported before missing data.
    first = open_evaluated(model, policies[0], candidates=candidates)
    chosen = choose(_listed(names, "task", "--tasks"), data, held_out=held_out, teacher=teacher, target=target)
    _remark_missing([one for one in chosen if isinstance(one, MissingData)])
    benchmarks = under_noises([one for one in chosen if isinstance(one, Benchmark)], noises)
    scored = 0
    for one in policies:
        opened = first if one is policies[0] else open_evaluated(model, one, candidates=candidates)
        opened = opened.compared_by(compared)
        if not as_json:
            by = f", by {compared}" if compared is not None else ""
            click.echo(f"{opened.name}, policy {opened.policy}{by}, {len(opened.candidates):,} candidates, seed {seed}")
            click.echo(HEADING)
        for done in run(opened, benchmarks, save_to=results, seed=seed, overwrite=overwrite, items=items):
            scored += done.result is not None
            _show(done, as_json)
    if not scored:
        raise InputError("Nothing was scored; the lines above give the reasons.")
    say(f"Saved the results to {results}. Compare them:  everyword compare {results}")


def _listed(names: str, what: str, option: str) -> list[str]:
    listed = [name.strip() for name in names.split(",") if name.strip()]
    if not listed:
        raise click.UsageError(f"{option} needs the name of at least one {what}.")
    return listed


def _remark_missing(missing: Sequence[MissingData]) -> None:
    """Say which tasks are skipped because their data sets are missing."""
    if len(missing) > MOST_REASONS:
        names = ", ".join(one.name for one in missing[:MOST_REASONS])
        say(
            f"Skipped {len(missing)} tasks: data sets not found ({names} and others). Name a task to see where to get "
            f"its data:  everyword evaluate --tasks {missing[0].name}"
        )
        return
    for one in missing:
        say(f"{one.name}: skipped. {one.reason}")


def _noises(corruptions: str | None, strengths: str | None) -> list[Noise | None]:
    from everyword.evaluation.robustness.noise import LADDER, noise_levels

    if corruptions is None:
        if strengths is not None:
            raise click.UsageError("--strengths needs --corruption, the kind of error.")
        return [None]
    climbed = LADDER if strengths is None else [_percent(text) for text in _listed(strengths, "number", "--strengths")]
    return noise_levels(_listed(corruptions, "corruption", "--corruption"), climbed)


def _percent(text: str) -> float:
    try:
        return float(text.removesuffix("%"))
    except ValueError:
        raise InputError(f"--strengths takes numbers from 0 to 100, as in 0,10,50. Got {text!r} instead.") from None


HEADING = (
    f"{'task':<40} {'score':>12}  {'of':<9} {'n':>6} {'known':>6} {'score of known':>14} {'encoding':>8} {'scoring':>8}"
)


def _show(done: Outcome, as_json: bool) -> None:
    if done.result is None:
        say(f"{done.benchmark}: skipped. {done.reason}")
        return
    if not done.result.data_expected and done.result.noise is None:
        say(f"{done.benchmark}: the data differ from the catalogue's copy; scores may differ too.")
    if as_json:
        click.echo(json.dumps(json.loads(done.result.as_json()), ensure_ascii=False))
    else:
        click.echo(_line(done.result, done.kept_before))


def _line(result: Result, kept_before: bool) -> str:
    deviation = result.spread.get(result.main)
    value = _number(result.value) + (f" ± {deviation:3.1f}" if deviation is not None else "")
    known = _number(result.scores.get(f"{result.main}_known"))
    times = "  saved before" if kept_before else f"{result.encode_seconds:6.2f} s {result.score_seconds:6.2f} s"
    counts = f"{result.n:>6,} {result.coverage:>6.0%}"
    return f"{result.benchmark:<40} {value:>12}  {result.main:<9} {counts} {known:>14} {times}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


@click.command()
@click.argument("paths", nargs=-1, type=options.PATH, metavar="[RESULTS]...")
@options.flag("--markdown", "Print a Markdown table with a row per model.")
@options.json_object
def compare(paths: tuple[Path, ...], markdown: bool, as_json: bool) -> None:
    """Show results side by side.

    RESULTS are folders or single files written by "everyword evaluate"; default: the folder "results". A mean is shown
    only for a model that has all its parts, and leaves out data sets that are part of another one. Scores of two
    versions of a task never share a column.

    \b
    Examples:
      everyword compare
      everyword compare results other-results --markdown
      everyword compare --json > scores.json
    """
    from everyword.evaluation.results import read_all
    from everyword.evaluation.scoreboard import FORMS, as_record, board

    if markdown and as_json:
        raise click.UsageError("Choose --markdown or --json, not both.")
    found = read_all(paths or (Path(options.DEFAULT_RESULTS),))
    if not found:
        raise InputError(f"There are no results in {', '.join(map(str, paths)) or options.DEFAULT_RESULTS}.")
    side_by_side = board(found)
    text = FORMS["markdown" if markdown else "plain"]
    click.echo(json_text(as_record(side_by_side)) if as_json else text(side_by_side))
