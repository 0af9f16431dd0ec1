"""The default model against its bars: every row of the table on its page, with peers in the same run.

    python benchmarks/everyword_en.py --model FOLDER --data DATA --cache CACHE --development

Needs `floret`, `symspellpy` and `rapidfuzz` (the extra `benchmarks`), and Aspell and hunspell with English dictionaries
(Debian: aspell, aspell-en, hunspell, hunspell-en-us). With --development, test sets are left out. Each part is saved as
soon as it is done; `--only kinds` runs one again. Held-out words need --teacher and --held-out. --notes FOLDER writes
what each strange token was near, for reading. The answers of Aspell and hunspell, which depend on no model, and a
floret table are kept in CACHE.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from bars.cost import footprint_part, speed_part
from bars.meaning import (
    analogies_part,
    clusters_part,
    kinds_part,
    look_alikes_part,
    neighbour_spelling_part,
    similarity_part,
)
from bars.reading import birkbeck_part, codespell_part, confidence_part, held_out_part, typos_part, wikipedia_part
from bars.rows import lines
from bars.sizes import sizes_part
from bars.subject import Subject, commit
from record import RESULTS, keep, read_parts

from everyword.evaluation.evaluated_model import model_fingerprint
from everyword.models.load import find_model
from everyword.models.saved.read import read_model

PARTS: dict[str, Callable[[Subject], dict[str, Any] | None]] = {
    "speed": speed_part,
    "footprint": footprint_part,
    "similarity": similarity_part,
    "kinds": kinds_part,
    "look-alikes": look_alikes_part,
    "neighbour-spelling": neighbour_spelling_part,
    "clusters": clusters_part,
    "birkbeck": birkbeck_part,
    "confidence": confidence_part,
    "held-out": held_out_part,
    "analogies": analogies_part,
    "codespell": codespell_part,
    "typos": typos_part,
    "wikipedia": wikipedia_part,
    "sizes": sizes_part,
}
BEFORE = "everyword-en-1"
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--model", "name", default=None, help="A name or a folder; the embedded default if not given.")
@click.option("--data", envvar="EVERYWORD_DATA", type=FOLDER, required=True)
@click.option("--cache", type=click.Path(path_type=Path), required=True, help="A folder outside the repository.")
@click.option("--development", is_flag=True, help="Leave out test sets: for choosing between models.")
@click.option("--teacher", type=FILE, default=None, help="The table that the model was trained to give.")
@click.option("--held-out", type=FILE, default=None, help="Words that no part was trained on, one per line.")
@click.option("--only", multiple=True, type=click.Choice(list(PARTS)), help="Run these parts, keep the others.")
@click.option("--rounds", default=5, show_default=True, help="Rounds of everything timed.")
@click.option("--keep-as", default="everyword-en-2", show_default=True, help="The folder of the saved parts.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="The folder of saved results.")
@click.option("--notes", type=click.Path(path_type=Path), default=None, help="Write what tokens were near here.")
def main(
    *,
    name: str | None,
    data: Path,
    cache: Path,
    development: bool,
    teacher: Path | None,
    held_out: Path | None,
    only: tuple[str, ...],
    rounds: int,
    keep_as: str,
    results: Path,
    notes: Path | None,
) -> None:
    """Measure the model, part by part, and print the table."""
    for folder in filter(None, (cache, notes)):
        folder.mkdir(parents=True, exist_ok=True)
    home = find_model(name)
    model = read_model(home)
    subject = Subject(model, home, data, cache, teacher, held_out, rounds, development, notes)
    about = {"name": model.name, "dim": model.dim, "known_words": len(model), "identity": model_fingerprint(home)}
    head = {"model": about, "commit": commit(), "threads": 1}
    folder = results / keep_as
    for part in only or PARTS:
        started = time.perf_counter()
        found = PARTS[part](subject)
        if found is None:
            continue
        keep(part, {**head, "seconds": round(time.perf_counter() - started, 1), **found}, folder)
    show(read_parts(folder, about["identity"]), read_parts(RESULTS / BEFORE))


def show(parts: dict[str, Any], before: dict[str, Any]) -> None:
    """Print the table: before, measured, bar, reached."""
    print(f"{'':58}{'before':>10}{'measured':>10}{'bar':>10}  reached?")
    for label, old, new, bar, verdict in lines(parts, before):
        print(f"{label:58}{old:>10}{new:>10}{bar:>10}  {verdict}")


if __name__ == "__main__":
    main()
