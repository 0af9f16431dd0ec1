"""everyword by-resource: scores by the frequency of words, or by any size that scores may depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.common.output import json_text, say
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.evaluation.by_resource import Band, Regression

THRESHOLDS = (0, 1, 10, 100, 1000)


@click.command(cls=Command)
@click.argument("model", required=False, metavar="[MODEL_OR_VECTORS]")
@options.file("--frequencies", "Words and their counts between tabs, from 'everyword cloze count'.")
@options.text(
    "--tasks",
    "NAME,NAME",
    "Of similarity, analogy and misspelling: tasks, data sets, or both as in similarity/rareword.",
    to="names",
    default="similarity",
)
@options.data
@options.policy
@options.file("--scores", "Instead of a model: a table with the columns name, score and one or more sizes.")
@options.count("--width", "Powers of 2 per band.", default=2)
@options.count("--least", "Bands with fewer items have no score.", default=20)
@options.file("--picture", "Also draw the bands, as *.png or *.svg.")
@options.json_object
def by_resource(
    model: str | None,
    *,
    frequencies: Path | None,
    names: str,
    data: Path | None,
    policy: str | None,
    scores: Path | None,
    width: int,
    least: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Show how scores depend on frequency or size.

    With --frequencies, the items of tasks are put into bands by how often their rarest word occurs, each scored by
    itself; below is what a doubling of the frequency brings, with its 95 % interval. So you see from which frequency on
    the vectors of a model can be relied on, and how much of its vocabulary is that frequent.

    With --scores, any scores are regressed on any sizes, such as those of languages on the size of their corpora: each
    size alone, then all of them together, with a warning if they cannot be told apart.

    \b
    Examples:
      everyword by-resource --frequencies counts.tsv --tasks similarity/rareword,misspelling --data DATA
      everyword by-resource vectors.vec --frequencies counts.tsv --data DATA --picture bands.svg
      everyword by-resource --scores languages.tsv
      everyword cloze count wiki.txt.xz --output counts.tsv
    """
    if (frequencies is None) == (scores is None):
        raise click.UsageError("Give --frequencies to score a model, or --scores for scores that you have.")
    if picture is not None:
        from everyword.studies.plots.picture import check_output

        check_output(picture)
    if scores is not None:
        if model is not None:
            raise click.UsageError("Give either a model or --scores, not both.")
        found = _of_scores(scores, width)
    else:
        assert frequencies is not None
        found = _of_model(model, frequencies, names.split(","), data, policy, width=width, least=least)
    if picture is not None:
        _draw(found, picture)
    click.echo(json_text(_plain(found)) if as_json else _text(found))


def _draw(found: Mapping[str, Any], output: Path) -> None:
    from everyword.studies.plots.bands import draw_bands
    from everyword.studies.plots.picture import Frame

    parts = {name: part["bands"] for name, part in found["found"].items() if part["bands"]}
    model = found["model"]
    bands = {name: {model: {band.name: band.score for band in listed}} for name, listed in parts.items()}
    draw_bands(bands, Frame(output))


def _of_model(
    name: str | None,
    frequencies: Path,
    names: Sequence[str],
    data: Path | None,
    policy: str | None,
    *,
    width: int,
    least: int,
) -> dict[str, Any]:
    from everyword.errors import NoScoreError
    from everyword.evaluation.benchmark import Benchmark, choose
    from everyword.evaluation.by_frequency import score_by_frequency
    from everyword.evaluation.by_resource import coverage
    from everyword.evaluation.evaluated_model import open_evaluated
    from everyword.evaluation.probes.cloze.counts import read_counts

    model = open_evaluated(name, policy)
    counts = read_counts(frequencies)
    found = {}
    for benchmark in choose([one.strip() for one in names], data):
        try:
            if isinstance(benchmark, Benchmark):
                scored = score_by_frequency(model, benchmark, counts, width=width, least=least)
                found[benchmark.name] = {"bands": scored.bands, "regressions": [scored.regression]}
            else:
                say(f"{benchmark.name}: skipped. {benchmark.reason}")
        except NoScoreError as error:
            say(f"{benchmark.name}: skipped. {error}")
    if not found:
        raise InputError("Nothing was scored; the lines above give the reasons.")
    words = [word.lower() for word in model.candidates]
    return {
        "model": model.name,
        "policy": model.policy,
        "found": found,
        "coverage": {f"more than {t:,}": share for t, share in coverage(words, counts, THRESHOLDS).items()},
    }


def _of_scores(path: Path, width: int) -> dict[str, Any]:
    from everyword.evaluation.by_resource import bands, likelihood_ratio, regress

    names, scores, sizes = read_scores(path)
    alone = [regress({name: size}, scores) for name, size in sizes.items()]
    found: dict[str, Any] = {}
    for name, size in sizes.items():
        banded = bands(
            size, lambda chosen: sum(s for s, c in zip(scores, chosen, strict=True) if c) / chosen.sum(), width=width
        )
        found[f"score by {name}"] = {"bands": banded, "regressions": []}
    together = [regress(sizes, scores)] if len(sizes) > 1 and len(scores) > len(sizes) + 1 else []
    tests = {f"{next(iter(sizes))} without the others": likelihood_ratio(alone[0], joint) for joint in together}
    found[f"{len(names)} scores"] = {"bands": [], "regressions": [*alone, *together], "likelihood ratio": tests}
    return {"model": path.name, "policy": "scores", "found": found, "coverage": {}}


def read_scores(path: Path) -> tuple[list[str], list[float], dict[str, list[float]]]:
    """Read names, scores and sizes by name from a tab-separated table with a header."""
    from everyword.files import read_lines

    header, *lines = (line.split("\t") for line in read_lines(path, "table of scores"))
    if len(header) < 3 or header[:2] != ["name", "score"]:
        raise InputError(f"{path}:1: the columns must be name, score and one size or more. Got {', '.join(header)}.")
    rows = []
    for number, cells in enumerate(lines, start=2):
        try:
            rows.append([float(cell) for cell in cells[1:]])
        except ValueError:
            rows.append([])
        if len(rows[-1]) != len(header) - 1:
            raise InputError(f"{path}:{number}: needs {', '.join(header)} between tabs, and numbers after the name.")
    columns = list(zip(*rows, strict=True)) if rows else [()] * (len(header) - 1)
    sizes = {name: list(column) for name, column in zip(header[2:], columns[1:], strict=True)}
    return [cells[0] for cells in lines], list(columns[0]), sizes


def _plain(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything as plain values."""
    parts = {
        name: {
            **part,
            "bands": [asdict(band) for band in part["bands"]],
            "regressions": [asdict(one) for one in part["regressions"] if one is not None],
        }
        for name, part in found["found"].items()
    }
    return {**found, "found": parts}


def _text(found: Mapping[str, Any]) -> str:
    lines = [f"{found['model']}, {found['policy']}"]
    for name, part in found["found"].items():
        lines += ["", name, *map(_band_line, part["bands"])]
        lines += [line for one in part["regressions"] if one is not None for line in _regression_lines(one)]
        lines += [f"  likelihood ratio, {what}: p {_p(p)}" for what, p in part.get("likelihood ratio", {}).items()]
    if found["coverage"]:
        lines += ["", "words of the model that occur", *(f"  {t:<16} {s:5.1f} %" for t, s in found["coverage"].items())]
    return "\n".join(lines)


def _band_line(band: Band) -> str:
    score = "–" if band.score is None else f"{band.score:.1f}"
    return f"  {band.name:>22} {score:>7}  n {band.n:,}"


def _regression_lines(fit: Regression) -> list[str]:
    lines = [
        f"  a doubling of {one.name}: {one.value:+.2f} [{one.low:+.2f}, {one.high:+.2f}], p {_p(one.p)}"
        for one in fit.coefficients
    ]
    return [*lines, f"  n {fit.n:,}, R² {fit.r_squared:.3f}", *(f"  {warning}" for warning in fit.warnings)]


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
