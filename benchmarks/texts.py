"""Text vectors: everyword beside its peers, on one core.

    python benchmarks/texts.py --data DATA --cache CACHE --minilm MINILM --mpnet MPNET
    python benchmarks/texts.py --data DATA --cache CACHE --development --encoders everyword --model FOLDER

Needs the extra `benchmarks`. Each part is one file in results/texts with a row for every
encoder; rows of encoders that are not named stay as they are, so that peers need not run again with every new model.
Each row has its own date and commit. `--part speed --encoders static,everyword` measures some. With --development,
only sets that models are chosen on are read, the numbers are printed, and nothing is kept. What is trained or
distilled once is kept in CACHE.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from bars.subject import commit
from text_parts.classifiers import classifiers_part, development_classifiers_part
from text_parts.cost import ABOUT_FIRST, YARDSTICK, first_vector_row, speed_rows
from text_parts.encoders import Encode, Sources, chosen
from text_parts.pairs import development_part, sts_part
from text_parts.results import FOLDER, keep_rows, show

Scorer = Callable[[Encode], dict[str, Any]]
STS, CLASSIFIERS, SPEED, FIRST_VECTOR = "sts", "classifiers", "speed", "first-vector"
PARTS = (STS, CLASSIFIERS, SPEED, FIRST_VECTOR)
EXISTING = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.option("--data", envvar="EVERYWORD_DATA", type=EXISTING, required=True)
@click.option("--cache", type=click.Path(path_type=Path), required=True, help="Outside the repository: gigabytes.")
@click.option("--minilm", type=EXISTING, default=None, help="all-MiniLM-L6-v2.")
@click.option("--mpnet", type=EXISTING, default=None, help="all-mpnet-base-v2.")
@click.option("--model", default=None, help="What stands behind everyword: a name or a folder; else the default.")
@click.option("--encoders", default="all", show_default=True, help="Names, or groups: all, ours, peers, static.")
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), help="Run these parts; all if not given.")
@click.option("--sets", multiple=True, help="For classifiers: these sets, such as those of short texts.")
@click.option("--development", is_flag=True, help="Only sets to choose on (part sts if none is given); keep nothing.")
@click.option("--results", type=click.Path(path_type=Path), default=FOLDER, help="The folder of saved results.")
def main(
    *,
    data: Path,
    cache: Path,
    minilm: Path | None,
    mpnet: Path | None,
    model: str | None,
    encoders: str,
    parts: tuple[str, ...],
    sets: tuple[str, ...],
    development: bool,
    results: Path,
) -> None:
    """Measure encoders of texts, part by part."""
    cache.mkdir(parents=True, exist_ok=True)
    sources = Sources(data, cache, minilm, mpnet, model)
    names = chosen(encoders)
    for part in parts or (("sts",) if development else PARTS):
        if part == SPEED:
            measure_speed(names, sources, results)
        elif part == FIRST_VECTOR:
            measure_first_vectors(names, sources, results)
        else:
            judge = scorer(part, data, development, sets)
            score_encoders(part, judge, names, sources, None if development else results)


def scorer(part: str, data: Path, development: bool, sets: tuple[str, ...]) -> tuple[dict[str, Any], Scorer]:
    """Return what a part is judged on, and the function that scores an encoder."""
    if part == STS:
        return (development_part if development else sts_part)(data)
    return (development_classifiers_part if development else classifiers_part)(data, sets)


def score_encoders(
    part: str, judge: tuple[dict[str, Any], Scorer], names: Sequence[str], sources: Sources, results: Path | None
) -> None:
    """Score encoders one by one, and keep each row as soon as it is there, unless there is no folder for them."""
    about, score = judge
    for name in names:
        encoder = sources.open(name)
        started = time.perf_counter()
        found = score(encoder.encode)
        seconds = round(time.perf_counter() - started, 1)
        if results is not None:
            row = {"commit": commit(), "about": encoder.about, "seconds": seconds, **found}
            keep_rows(part, {name: row}, about, results)
        show(part, name, found)


def measure_speed(names: Sequence[str], sources: Sources, results: Path) -> None:
    """Time encoders in turns, with the yardstick among them."""
    encoders = [sources.open(name) for name in dict.fromkeys((*names, YARDSTICK))]
    about, rows = speed_rows(encoders, sources.data)
    keep_rows(SPEED, {name: {"commit": commit(), **row} for name, row in rows.items()}, about, results)
    for name, row in rows.items():
        show(SPEED, name, row)


def measure_first_vectors(names: Sequence[str], sources: Sources, results: Path) -> None:
    """Time fresh processes."""
    for name in names:
        if (row := first_vector_row(name, sources)) is not None:
            keep_rows(FIRST_VECTOR, {name: {"commit": commit(), **row}}, ABOUT_FIRST, results)
            show(FIRST_VECTOR, name, row)


if __name__ == "__main__":
    main()
