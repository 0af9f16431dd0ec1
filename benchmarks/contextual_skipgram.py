"""The contextual skip-gram: cost of training beside the encoder, effect of its options, and attention weights.

    python benchmarks/contextual_skipgram.py speed --encoder MODEL --prepared wiki --device cuda
    python benchmarks/contextual_skipgram.py cached --encoder MODEL --prepared wiki --device cuda
    python benchmarks/contextual_skipgram.py curves --encoder MODEL --prepared wiki --data DATA --device cuda
    python benchmarks/contextual_skipgram.py sentence --encoder MODEL --prepared wiki --run-folder RUN --table words.npy
    python benchmarks/contextual_skipgram.py development --prepared wiki --tables runs/dynamic-static --data DATA

`wiki` is what "everyword train skipgram --prepare-only --prepared wiki" made. Each call keeps parts of a result,
`speed` of one, `cached` of a second and the others of a third; parts of another encoder or corpus are dropped.
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
from record import keep_part
from skipgram_attention import attention_in
from skipgram_record import CACHED, CURVES, NAME, data_option, head_of, kept_option, path, prepared_option

from everyword.config import build, override, to_dict
from everyword.evaluation.benchmark import Benchmark, choose
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_table, open_evaluated
from everyword.evaluation.run import run_benchmark
from everyword.language_models.language_model import LanguageModel
from everyword.learning.device import fast_products
from everyword.studies.config import load_study
from everyword.studies.kinds.tables.study import TableStudy
from everyword.systems.skipgram import PreparedCorpus, SkipgramConfig, SkipgramRun
from everyword.systems.skipgram.config import config_of_record
from everyword.systems.skipgram.state_cache import StateCache
from everyword.systems.skipgram.train import SkipgramTraining

CURVE_PIECES = ("similarity/wordsim353", "similarity/men3000", "similarity/rareword", "similarity/simlex999")
DEVELOPMENT = ("similarity/mturk771", "similarity/simverb3500")
"""The sets that chose the defaults."""
PUBLISHED = ("weighing=attention", "own_word=false", "window=5", "subsample=0", "rule=sgd", "centred=false")
VARIANTS = {
    **{f"window {size}": (*PUBLISHED, f"window={size}") for size in (1, 2, 3, 5, 8)},
    "attention": PUBLISHED,
    "equal parts": (*PUBLISHED, "weighing=equal"),
    "scaled attention": (*PUBLISHED, "weighing=scaled-attention"),
    "raw outputs": (*PUBLISHED, "states=raw"),
    "with its own word": (*PUBLISHED, "own_word=true"),
    "the defaults": (),
    "each word a pair": ("weighing=each",),
    "by adam": ("rule=adam", "learning_rate=0.005"),
}
"""Windows as in figure 4 of the paper and attention as in figure 5, both without the centre's own word; then others."""
SENTENCE = "Football is the most popular sport in Brazil."
encoder_option = click.option("--encoder", required=True)
device_option = click.option("--device", default="auto", show_default=True)
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
@click.option("--result", "name", type=click.Choice([NAME, CACHED]), default=NAME, show_default=True)
@settings_argument
def speed(
    *,
    encoder: str,
    prepared: Path,
    device: str,
    kept: Path,
    steps: int,
    repeats: int,
    name: str,
    settings: tuple[str, ...],
) -> None:
    """Compare the time of training with that of the encoder alone, on the same batches; the best of several rounds."""
    model, corpus = LanguageModel.load(encoder, device=device), PreparedCorpus.load(prepared)
    config = build(SkipgramConfig, override({}, settings))
    with tempfile.TemporaryDirectory() as folder, fast_products(model.device):
        training = SkipgramTraining(model, SkipgramRun(corpus, Path(folder), config))
        times: dict[str, list[float]] = {"encoder": [], "training": []}
        for _ in range(repeats):
            # In turns, because other programs may slow a machine down for a while.
            times["encoder"].append(_timed(_encoded(training), model, steps))
            training.loop.progress.step = 0
            times["training"].append(_timed(training.loop.steps(), model, steps))
            training.loop.progress.step = 0
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
    keep_part(name, f"speed-{model.device.type}", result, head_of(corpus), kept)
    print(json.dumps(result, indent=2))


@main.command()
@encoder_option
@prepared_option
@device_option
@kept_option
@settings_argument
def cached(*, encoder: str, prepared: Path, device: str, kept: Path, settings: tuple[str, ...]) -> None:
    """Compare training on cached outputs, for which the encoder reads once, with the encoder reading in each epoch.

    The encoder reads in large batches here, which is the fastest that it can.
    """
    model, corpus = LanguageModel.load(encoder, device=device), PreparedCorpus.load(prepared)
    if model.device.type == "cpu":
        raise click.UsageError("On a CPU the outputs are in a file, which is read once; measure this on a GPU.")
    config = build(SkipgramConfig, override({}, ["cache_states=true", *settings]))
    reading = []
    for _ in range(2):  # the first one is slower
        started = time.perf_counter()
        StateCache.read(model, corpus, config.layers)
        _wait(model)
        reading.append(time.perf_counter() - started)
    with tempfile.TemporaryDirectory() as folder, fast_products(model.device):
        training = SkipgramTraining(model, SkipgramRun(corpus, Path(folder), config))
        trainer = training.cached_trainer()
        read, epoch = min(reading), min(trainer.epoch(number)["seconds"] for number in range(2))
    result = {
        "device": torch.cuda.get_device_name(),
        "precision": str(model.network.dtype).removeprefix("torch."),
        "centres": config.centres,
        "epochs": config.epochs,
        "sentences_per_second": {"encoder": round(sum(corpus.sizes) / read, 1)},
        "epoch_by_encoder": round(epoch / read, 3),
        "training_by_encoder": round((read + config.epochs * epoch) / (config.epochs * read), 3),
    }
    keep_part(CACHED, "cached-cuda", result, head_of(corpus), kept)
    print(json.dumps(result, indent=2))


def _encoded(training: SkipgramTraining) -> Iterator[int]:
    """Run the encoder alone, on batches made as in training."""
    for number, batch in enumerate(training.batches(0, 0)):
        model = training.model
        at_once = max(1, model.pieces_per_batch // batch.pieces.shape[1])
        for pieces, mask in zip(torch.split(batch.pieces, at_once), torch.split(batch.mask, at_once), strict=True):
            model.forward(pieces, mask, training.config.layers)
        yield number


def _timed(steps: Iterator[object], model: LanguageModel, count: int) -> float:
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
    """Score a table while it is trained, for several windows and weightings of the context."""
    model, corpus = LanguageModel.load(encoder, device=device), PreparedCorpus.load(prepared)
    if parts is not None:
        corpus = replace(corpus, record={**corpus.record, "parts": corpus.sizes[:parts], "cut": parts})
    for name in variants or VARIANTS:
        config = build(SkipgramConfig, override({}, ["cache_states=true", *settings, *VARIANTS[name]]))
        with tempfile.TemporaryDirectory() as folder:
            training = SkipgramTraining(model, SkipgramRun(corpus, Path(folder), config))
            curve = curve_of(training, data, points)
        result = {"config": to_dict(config), "parts": len(corpus.sizes), "points": curve}
        keep_part(CURVES, f"curve-{name}", result, head_of(PreparedCorpus.load(prepared)), kept)
        print(name, curve[-1])


def curve_of(training: SkipgramTraining, data: Path, points: int) -> list[dict[str, Any]]:
    """Train on cached outputs and return scores at some points on the way."""
    benchmarks, trainer, found = choose([*CURVE_PIECES, *DEVELOPMENT], data), training.cached_trainer(), []
    epochs = training.config.epochs
    total = epochs * trainer.steps
    wanted = np.linspace(0, total, points + 1).round().astype(int).tolist()[1:]

    def watch(done: int) -> None:
        if not wanted or done < wanted[0]:
            return
        while wanted and done >= wanted[0]:
            wanted.pop(0)
        model = evaluated_table(training.table(), "table")
        scored = {benchmark.name: run_benchmark(model, benchmark) for benchmark in benchmarks}
        sentences = round(done / total * epochs * sum(training.run.prepared.sizes))
        found.append({"sentences": sentences, **{name: round(one.scores[one.main], 2) for name, one in scored.items()}})

    for number in range(epochs):
        trainer.epoch(number, watch)
    return found


@main.command()
@encoder_option
@prepared_option
@device_option
@kept_option
@click.option("--run-folder", type=path, required=True, help="The run folder of a finished training.")
@click.option("--table", type=path, required=True, help="Its table, for the record of its configuration.")
@click.option("--sentence", default=SENTENCE, show_default=True)
def sentence(
    *, encoder: str, prepared: Path, device: str, kept: Path, run_folder: Path, table: Path, sentence: str
) -> None:
    """Save the attention weights of the centre words of a sentence after training."""
    record = json.loads(table.with_name(table.name + ".record.json").read_text(encoding="utf-8"))
    run = SkipgramRun(PreparedCorpus.load(prepared), run_folder, config_of_record(record["config"]), resume=True)
    seen = attention_in(SkipgramTraining(LanguageModel.load(encoder, device=device), run), sentence)
    result = {
        "sentence": sentence,
        "centres": list(seen.centres),
        "words": list(seen.words),
        "weights": np.round(seen.weights, 4).tolist(),
    }
    keep_part(CURVES, "sentence", result, head_of(run.prepared), kept)


@main.command()
@prepared_option
@click.option("--tables", type=path, required=True, help="The work folder of everyword reproduce dynamic-static.")
@data_option
@kept_option
def development(*, prepared: Path, tables: Path, data: Path, kept: Path) -> None:
    """Score the tables of the study on the sets that chose the defaults, which the study does not show."""
    study, benchmarks = load_study("dynamic-static"), choose(list(DEVELOPMENT), data)
    assert isinstance(study, TableStudy)
    rows: dict[str, Any] = {}
    for variant in study.variants:
        names = dict.fromkeys(variant.file_of(seed) for seed in range(study.seeds))
        models = [open_evaluated(str(tables / name), "zero") for name in names if (tables / name).exists()]
        scores = {one.name: [_main_score(model, one) for model in models] for one in benchmarks}
        if models:
            rows[variant.label] = {name: [round(score, 2) for score in found] for name, found in scores.items()}
            print(variant.label, rows[variant.label])
    keep_part(CURVES, "development", {"scores": rows}, head_of(PreparedCorpus.load(prepared)), kept)


def _main_score(model: EvaluatedModel, benchmark: Benchmark) -> float:
    scored = run_benchmark(model, benchmark)
    return scored.scores[scored.main]


if __name__ == "__main__":
    main()
