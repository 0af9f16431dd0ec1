"""Static vectors from contextual models: how fast they are trained, how good they are, and what their options do.

    python benchmarks/contextual_skipgram.py speed --encoder MODEL --prepared wiki --device cuda
    python benchmarks/contextual_skipgram.py scores --prepared wiki --tables runs/dynamic-static --data DATA
    python benchmarks/contextual_skipgram.py neighbours --tables runs/dynamic-static
    python benchmarks/contextual_skipgram.py curves --encoder MODEL --prepared wiki --data DATA --device cuda
    python benchmarks/contextual_skipgram.py sentence --encoder MODEL --prepared wiki --run-folder RUN --table words.npy

`wiki` is what "everyword train skipgram --prepare-only --prepared wiki" made. Each call keeps a part of one result; the
parts of another encoder or corpus are dropped.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from record import RESULTS, keep_part, read

from everyword.config import build, override, to_dict
from everyword.evaluation.neighbour_lists import nearest_known
from everyword.evaluation.pieces import choose
from everyword.evaluation.run import run_piece
from everyword.evaluation.way import Way, open_way, way_of_table
from everyword.skipgram import Prepared, SkipgramConfig, SkipgramRun
from everyword.skipgram.attending import attention_in
from everyword.skipgram.training import Training
from everyword.teachers.language_model import LanguageModel

NAME = "skipgram"
SIMILARITY = ("wordsim353", "wordsim353_sim", "wordsim353_rel", "simlex999", "rareword", "men3000")
PIECES = (*(f"similarity/{name}" for name in SIMILARITY), "analogy/msr", "analogy/google", "relation/semeval2012")
CURVE_PIECES = ("similarity/wordsim353", "similarity/men3000", "similarity/rareword", "similarity/simlex999")
VARIANTS = {
    **{f"window {size}": (f"window={size}",) for size in (1, 2, 5)},
    "window 5, without its own word": ("window=5", "own_word=false"),
    "equal parts": ("weighing=equal",),
    "attention": ("weighing=attention",),
    "not centred": ("centred=false",),
}
"""All differ from what is usual in one thing, or in the size of the window too."""
SENTENCE = "Football is the most popular sport in Brazil."
ASKED = ("while", "bank", "apple")
"""A word that is all grammar, and two of several senses."""
HEAD = ("encoder", "corpus", "sentences", "words", "occurrences")
"""What all parts of the result have in common."""
path = click.Path(path_type=Path)
encoder_option = click.option("--encoder", required=True)
prepared_option = click.option("--prepared", type=path, required=True)
device_option = click.option("--device", default="auto", show_default=True)
data_option = click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path))
kept_option = click.option("--kept", type=path, default=RESULTS, help="The folder of kept results.")
settings_argument = click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")


@click.group()
def main() -> None:
    """Measure the contextual skip-gram."""


@main.command()
@encoder_option
@prepared_option
@device_option
@kept_option
@click.option("--steps", default=30, show_default=True, help="Batches that are timed, after some that are not.")
@click.option("--repeats", default=3, show_default=True)
@settings_argument
def speed(
    *, encoder: str, prepared: Path, device: str, kept: Path, steps: int, repeats: int, settings: tuple[str, ...]
) -> None:
    """The time of training beside that of the encoder alone, on the same batches; the best of several rounds."""
    model, corpus = LanguageModel.load(encoder, device=device), Prepared.load(prepared)
    config = build(SkipgramConfig, override({}, settings))
    with tempfile.TemporaryDirectory() as folder:
        training = Training(model, SkipgramRun(corpus, Path(folder), config))
        times: dict[str, list[float]] = {"encoder": [], "training": []}
        for _ in range(repeats):
            # In turns, because other programs may slow a machine down for a while.
            times["encoder"].append(_timed(_encoded(training), model, steps))
            training.progress.step = 0
            times["training"].append(_timed(training.steps(), model, steps))
            training.progress.step = 0
    best = {name: min(found) for name, found in times.items()}
    sentences = steps * config.batch
    result = {
        "device": torch.cuda.get_device_name() if model.device.type == "cuda" else "cpu",
        "precision": str(model.network.dtype).removeprefix("torch."),
        "batch": config.batch,
        "words": len(corpus.vocabulary.words),
        "dim": config.dim,
        "sentences_per_second": {name: round(sentences / seconds, 1) for name, seconds in best.items()},
        "training_by_encoder": round(best["training"] / best["encoder"], 3),
        "memory": _memory(model),
    }
    keep_part(NAME, f"speed-{model.device.type}", result, _head(corpus), kept)
    print(json.dumps(result, indent=2))


def _encoded(training: Training) -> Iterator[int]:
    """What the encoder has to say, and nothing else; batches are made as in training."""
    for number, batch in enumerate(training.coming()):
        model = training.model
        at_once = max(1, model.pieces_a_batch // batch.pieces.shape[1])
        for pieces, mask in zip(torch.split(batch.pieces, at_once), torch.split(batch.mask, at_once), strict=True):
            model.read(pieces, mask, training.config.layers)
        yield number


def _timed(steps: Iterator[int], model: LanguageModel, count: int) -> float:
    for _ in islice(steps, 3):  # the first ones are slower
        pass
    _wait(model)
    started = time.perf_counter()
    for _ in islice(steps, count):
        pass
    _wait(model)
    return time.perf_counter() - started


def _wait(model: LanguageModel) -> None:
    if model.device.type == "cuda":
        torch.cuda.synchronize()


def _memory(model: LanguageModel) -> int | None:
    return torch.cuda.max_memory_allocated() if model.device.type == "cuda" else None


def _head(corpus: Prepared) -> dict[str, Any]:
    counts = corpus.vocabulary.counts
    told = (corpus.record["encoder"], corpus.record["corpus"], sum(corpus.sizes), len(counts), int(counts.sum()))
    return dict(zip(HEAD, told, strict=True))


@main.command()
@prepared_option
@click.option("--tables", type=path, required=True, help="A folder of tables.")
@data_option
@kept_option
@click.option("--task", "tasks", multiple=True, help="Instead of the usual pieces; pos/ud-ewt and others train.")
def scores(prepared: Path, tables: Path, data: Path, kept: Path, tasks: tuple[str, ...]) -> None:
    """Score every table of a folder, and keep what stands beside some words."""
    pieces = choose(list(tasks or PIECES), data)
    for file in sorted(tables.glob("*.npy")):
        way = open_way(str(file), "zero")
        found = [run_piece(way, piece) for piece in pieces]
        result = {
            "dim": way.dim,
            "words": len(way.candidates),
            "scores": {piece.name: round(one.scores[one.main], 2) for piece, one in zip(pieces, found, strict=True)},
            "n": {piece.name: one.n for piece, one in zip(pieces, found, strict=True)},
            "neighbours": _neighbours(way),
            "made_by": _record_of(file),
        }
        part = _part_of(file) + ("-" + "-".join(t.replace("/", "-") for t in tasks) if tasks else "")
        keep_part(NAME, part, result, _head(Prepared.load(prepared)), kept)
        print(file.stem, result["scores"], result["neighbours"])


def _part_of(file: Path) -> str:
    return f"table-{file.stem}"


def _neighbours(way: Way) -> dict[str, list[str]]:
    """The nearest words of those that the table has."""
    found = zip(ASKED, nearest_known(way, ASKED, 6), strict=True)
    return {word: [other for other, _ in nearest] for word, nearest in found if nearest}


@main.command()
@click.option("--tables", type=path, required=True, help="A folder of tables that were scored.")
@kept_option
def neighbours(tables: Path, kept: Path) -> None:
    """Look again for what stands beside some words; the scores stay as they are."""
    known = read(NAME, kept)
    head = {key: known[key] for key in HEAD}
    for file in sorted(tables.glob("*.npy")):
        part = _part_of(file)
        if part not in known["parts"]:
            raise click.UsageError(f"{file.stem} is not scored yet; that keeps its neighbours too.")
        found = _neighbours(open_way(str(file), "zero"))
        keep_part(NAME, part, known["parts"][part] | {"neighbours": found}, head, kept)
        print(file.stem, found)


def _record_of(file: Path) -> dict[str, Any] | None:
    record = file.with_name(file.name + ".record.json")
    if not record.exists():
        return None
    found = json.loads(record.read_text(encoding="utf-8"))
    return {"method": found["method"], "config": found["config"]}


@main.command()
@encoder_option
@prepared_option
@device_option
@data_option
@kept_option
@click.option("--variant", "variants", multiple=True, type=click.Choice([*VARIANTS]), help="Only these.")
@click.option("--points", default=10, show_default=True, help="Points of a curve.")
@click.option("--parts", type=int, help="Only the first parts of the corpus.")
@settings_argument
def curves(
    *,
    encoder: str,
    prepared: Path,
    device: str,
    data: Path,
    kept: Path,
    variants: Sequence[str],
    points: int,
    parts: int | None,
    settings: tuple[str, ...],
) -> None:
    """Scores while a table is trained, for several windows and ways to weigh a context."""
    model, corpus = LanguageModel.load(encoder, device=device), Prepared.load(prepared)
    if parts is not None:
        corpus = replace(corpus, record={**corpus.record, "parts": corpus.sizes[:parts], "cut": parts})
    for name in variants or VARIANTS:
        config = build(SkipgramConfig, override({}, [*settings, *VARIANTS[name]]))
        with tempfile.TemporaryDirectory() as folder:
            training = Training(model, SkipgramRun(corpus, Path(folder), config))
            curve = list(_curve(training, data, points))
        result = {"config": to_dict(config), "parts": len(corpus.sizes), "points": curve}
        keep_part(NAME, f"curve-{name}", result, _head(Prepared.load(prepared)), kept)
        print(name, curve[-1])


def _curve(training: Training, data: Path, points: int) -> Iterator[dict[str, Any]]:
    pieces = choose(list(CURVE_PIECES), data)
    total = training.config.epochs * training.drawing.steps
    wanted = set(np.linspace(0, total, points + 1).round().astype(int).tolist())
    for step in training.steps():
        if step in wanted:
            way = way_of_table(training.table(), "table")
            found = {piece.name: run_piece(way, piece) for piece in pieces}
            sentences = min(step * training.config.batch, training.config.epochs * sum(training.run.prepared.sizes))
            yield {"sentences": sentences, **{name: round(one.scores[one.main], 2) for name, one in found.items()}}


@main.command()
@encoder_option
@prepared_option
@device_option
@kept_option
@click.option("--run-folder", type=path, required=True, help="Of a finished training.")
@click.option("--table", type=path, required=True, help="Its table, for the record of its configuration.")
@click.option("--sentence", default=SENTENCE, show_default=True)
def sentence(
    *, encoder: str, prepared: Path, device: str, kept: Path, run_folder: Path, table: Path, sentence: str
) -> None:
    """What the centres of a sentence attend to, after a training."""
    record = json.loads(table.with_name(table.name + ".record.json").read_text(encoding="utf-8"))
    run = SkipgramRun(Prepared.load(prepared), run_folder, build(SkipgramConfig, record["config"]), resume=True)
    seen = attention_in(Training(LanguageModel.load(encoder, device=device), run), sentence)
    result = {
        "sentence": sentence,
        "centres": list(seen.centres),
        "words": list(seen.words),
        "weights": np.round(seen.weights, 4).tolist(),
    }
    keep_part(NAME, "sentence", result, _head(run.prepared), kept)


if __name__ == "__main__":
    main()
