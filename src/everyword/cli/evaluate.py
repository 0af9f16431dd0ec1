"""everyword evaluate: how good the vectors are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.evaluation.benchmark import MissingData
    from everyword.evaluation.results import Result
    from everyword.evaluation.robustness.noise import Noise
    from everyword.evaluation.run import Outcome

DEFAULT_RESULTS = "results"
MOST_REASONS = 3
"""More lines than these, one for each missing data set, would bury the scores."""
a_path = click.Path(path_type=Path)


@click.command()
@click.argument("model", required=False, metavar="[MODEL_OR_VECTORS]")
@click.option(
    "--tasks",
    "names",
    metavar="NAME,NAME",
    default="all",
    show_default=True,
    help="Tasks, data sets, or both as in similarity/rareword; 'everyword list' has the names.",
)
@click.option("--data", type=a_path, help="The folder with the data sets.  [default: $EVERYWORD_DATA]")
@click.option(
    "--policy",
    metavar="NAME",
    help="How words get vectors: encode (stored or inferred), infer (all inferred), or stored and for unknown words "
    "zero, mean, spelling or pieces; characters (zero, and taggers read characters too); for words in sentences, form, "
    "context or context-content. Several with commas.  "
    "[default: encode; zero for a vector file]",
)
@click.option(
    "--corruption",
    "corruptions",
    metavar="NAME,NAME",
    help="Misspell the words that are asked about: typo, ocr, one of 'everyword corrupt', or published (noisy copies "
    "that came with the data).",
)
@click.option(
    "--strengths",
    metavar="N,N",
    help="How many words of a hundred to misspell; 0 is clean.  [default: 0,10,20,…,90]",
)
@click.option("--candidates", type=click.IntRange(min=1), help="Look for answers among the first N known words only.")
@click.option("--words", type=a_path, help="Words that were held out, one a line, for the task held-out.")
@click.option("--teacher", type=a_path, help="The vector file that they were held out from.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--results", "save_to", type=a_path, default=DEFAULT_RESULTS, show_default=True, help="Where to keep results."
)
@click.option("--overwrite", is_flag=True, help="Run again what has a result already.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")
def evaluate(
    model: str | None,
    *,
    names: str,
    data: Path | None,
    policy: str | None,
    corruptions: str | None,
    strengths: str | None,
    candidates: int | None,
    words: Path | None,
    teacher: Path | None,
    seed: int,
    save_to: Path,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Score a model or a vector file.

    "all" are the tasks that train nothing; classification, tagging and pos train networks on the vectors (the extra
    "train"; minutes to hours) and are asked for by name. So are context-similarity, nonce and chimera, which give words
    in sentences and need a policy that reads them.

    One line for each task and data set: the score in percent, over how many items, the share of items whose words
    are all known, and the score over those alone. Each result is kept as a JSON file as soon as it is made, and is
    not made again for the same model, policy, data and seed, so a run that was stopped goes on where it was.

    \b
    Examples:
      everyword evaluate --data DATA
      everyword evaluate my-model --tasks similarity,misspelling/wikipedia --policy infer --data DATA
      everyword evaluate my-model --tasks sst2 --data DATA
      everyword evaluate --tasks similarity --corruption typo,ocr --policy encode,zero,spelling --data DATA
      everyword evaluate --tasks context-similarity,nonce,chimera --policy form,context-content --data DATA
      everyword evaluate glove.6B.100d.txt --tasks analogy --candidates 100000 --data DATA
      everyword evaluate my-model --tasks held-out --words held-out.txt --teacher my-vectors.vec
    """
    from everyword.evaluation.benchmark import Benchmark, MissingData, choose, under_noises
    from everyword.evaluation.evaluated_model import check_policy, open_evaluated
    from everyword.evaluation.run import evaluate as run

    noises = _noises(corruptions, strengths)
    policies: list[str | None] = [*_listed(policy, "policy", "--policy")] if policy is not None else [None]
    for one in policies:
        check_policy(one)  # before the first of them takes its time
    chosen = choose(_listed(names, "task", "--tasks"), data, words=words, teacher=teacher)
    _tell_absent([piece for piece in chosen if isinstance(piece, MissingData)])
    pieces = under_noises([piece for piece in chosen if isinstance(piece, Benchmark)], noises)
    scored = 0
    for one in policies:
        way = open_evaluated(model, one, candidates=candidates)
        if not as_json:
            click.echo(f"{way.name}, policy {way.policy}, {len(way.candidates):,} candidates, seed {seed}")
            click.echo(HEADING)
        for done in run(way, pieces, save_to=save_to, seed=seed, overwrite=overwrite):
            scored += done.result is not None
            _show(done, as_json)
    if not scored:
        raise InputError("Nothing could be scored; the lines above say why.")
    click.echo(f"kept in {save_to}; 'everyword table {save_to}' shows them side by side", err=True)


def _listed(names: str, what: str, option: str) -> list[str]:
    listed = [name.strip() for name in names.split(",") if name.strip()]
    if not listed:
        raise click.UsageError(f"Name at least one {what} after {option}.")
    return listed


def _tell_absent(absent: Sequence[MissingData]) -> None:
    """Say what is passed over for want of data: why, or in one line if there is much of it."""
    if len(absent) > MOST_REASONS:
        names = ", ".join(piece.name for piece in absent[:MOST_REASONS])
        click.echo(
            f"{len(absent)} tasks are passed over, because their data is not at hand: {names} and others. Ask for one "
            f"by its name to be told where to get it:  everyword evaluate --tasks {absent[0].name}",
            err=True,
        )
        return
    for piece in absent:
        click.echo(f"{piece.name}: passed over. {piece.reason}", err=True)


def _noises(corruptions: str | None, strengths: str | None) -> list[Noise | None]:
    from everyword.evaluation.robustness.noise import LADDER, noise_levels

    if corruptions is None:
        if strengths is not None:
            raise click.UsageError("Strengths need a kind of error: name it after --corruption.")
        return [None]
    climbed = LADDER if strengths is None else [_percent(text) for text in _listed(strengths, "number", "--strengths")]
    return noise_levels(_listed(corruptions, "corruption", "--corruption"), climbed)


def _percent(text: str) -> float:
    try:
        return float(text.removesuffix("%"))
    except ValueError:
        raise InputError(f"Strengths must be numbers from 0 to 100, as in 0,10,50. Got {text!r} instead.") from None


HEADING = (
    f"{'task':<40} {'score':>12}  {'of':<9} {'n':>6} {'known':>6} {'score of known':>14} {'encoding':>8} {'scoring':>8}"
)


def _show(done: Outcome, as_json: bool) -> None:
    if done.result is None:
        click.echo(f"{done.benchmark}: passed over. {done.reason}", err=True)
        return
    if not done.result.data_expected and done.result.noise is None:
        click.echo(f"{done.benchmark}: the data is another copy than the catalogue's; scores may differ.", err=True)
    if as_json:
        click.echo(json.dumps(json.loads(done.result.as_json()), ensure_ascii=False))
    else:
        click.echo(_line(done.result, done.kept_before))


def _line(result: Result, kept_before: bool) -> str:
    deviation = result.spread.get(result.main)
    value = _number(result.value) + (f" ± {deviation:3.1f}" if deviation is not None else "")
    known = _number(result.scores.get(f"{result.main}_known"))
    times = "   kept before" if kept_before else f"{result.encode_seconds:6.2f} s {result.score_seconds:6.2f} s"
    counts = f"{result.n:>6,} {result.coverage:>6.0%}"
    return f"{result.benchmark:<40} {value:>12}  {result.main:<9} {counts} {known:>14} {times}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
