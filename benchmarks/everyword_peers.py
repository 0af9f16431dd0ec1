"""The default model beside its peers: quality, speed, size and memory, in one run.

    python benchmarks/everyword_peers.py --data DATA --cache CACHE --minilm MINILM --teacher TABLE --held-out WORDS

Needs `pip install -e ".[benchmarks]"`. fastText and floret are trained on the corpus in DATA, model2vec is distilled
from MiniLM; all three are kept in CACHE. Each part is written as soon as it is done, and `--only speed` runs one again.
Without --minilm model2vec is left out, without --teacher and --held-out the parts `held-out` and `confidence`.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from peers.contest import Contest
from peers.cost import footprint_part, latency_part, speed_part
from peers.ladder import ladder_part
from peers.quality import confidence_part, held_out_part, misspelling_part, similarity_part, typos_part
from peers.trained import Workshop
from record import RESULTS, keep_part

from everyword.evaluation.evaluated_model import model_fingerprint
from everyword.models.load import find_model
from everyword.models.saved.read import read_model

PARTS: dict[str, Callable[[Contest], dict[str, Any] | None]] = {
    "similarity": similarity_part,
    "misspelling": misspelling_part,
    "typos": typos_part,
    "ladder": ladder_part,
    "held-out": held_out_part,
    "confidence": confidence_part,
    "speed": speed_part,
    "latency": latency_part,
    "footprint": footprint_part,
}

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, path_type=Path)


@click.command()
@click.option("--model", "name", default=None, help="A name or a folder; the embedded default if not given.")
@click.option("--data", envvar="EVERYWORD_DATA", type=FOLDER, required=True)
@click.option("--cache", type=click.Path(path_type=Path), required=True, help="Outside the repository: gigabytes.")
@click.option("--minilm", type=FOLDER, default=None, help="all-MiniLM-L6-v2, to distil model2vec from.")
@click.option("--teacher", type=FILE, default=None, help="The table that the model was trained to give.")
@click.option("--held-out", type=FILE, default=None, help="Words of the teacher, one per line.")
@click.option("--only", multiple=True, type=click.Choice(list(PARTS)), help="Run these parts, keep the others.")
@click.option("--corpus-files", default=5, show_default=True, help="Files of the corpus for fastText and floret.")
@click.option("--dim", default=100, show_default=True, help="Dimension of fastText and floret.")
@click.option("--rounds", default=9, show_default=True, help="Rounds of everything timed.")
@click.option("--keep-as", default=None, help="Name of the saved result; that of the model if not given.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="The folder of saved results.")
def main(
    *,
    name: str | None,
    data: Path,
    cache: Path,
    minilm: Path | None,
    teacher: Path | None,
    held_out: Path | None,
    only: tuple[str, ...],
    corpus_files: int,
    dim: int,
    rounds: int,
    keep_as: str | None,
    results: Path,
) -> None:
    """Measure everyword and its peers, part by part."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = find_model(name)
    model = read_model(folder)
    workshop = Workshop(data, cache, corpus_files, dim, minilm)
    contest = Contest(model, folder, workshop, teacher, held_out, rounds)
    subject = {"name": model.name, "dim": model.dim, "known_words": len(model.known_words)}
    head = {"model": {**subject, "identity": model_fingerprint(folder)}}
    for part in only or PARTS:
        started = time.perf_counter()
        result = PARTS[part](contest)
        if result is None:
            continue
        made = {peer.name: peer.made for peer in contest.peers} if part not in ("held-out", "confidence") else {}
        seconds = round(time.perf_counter() - started, 1)
        keep_part(keep_as or model.name, part, {"seconds": seconds, "peers": made, **result}, head, results)
        for contender, scores in result["contenders"].items():
            print(f"{part:12} {contender:30} {scores}")


if __name__ == "__main__":
    main()
