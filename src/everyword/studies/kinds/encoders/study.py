"""Run a study about word vectors inside an encoder: it is fine-tuned with them and scored as typos are added.

The scores of every row and seed stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import Count, Positive
from everyword.corpus.labelled.sets import Splits, cut_to
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.tasks.extrinsic.tasks import changed_share
from everyword.files import fingerprint, read_kept
from everyword.language_models.corpus_pooling import CHECKPOINT, CorpusRun, pool_corpus
from everyword.language_models.fine_tuning import FineTuning
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.models.load import load
from everyword.models.saved.layout import CONFIG
from everyword.studies.benchmarks import find_benchmark
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.encoders.noisy_texts import noise_problem, noisy
from everyword.studies.kinds.encoders.tasks import TASKS
from everyword.systems.spelling import train as spelling
from everyword.systems.spelling.recipe import load_recipe
from everyword.vectors.table import VectorTable

Targets = Literal["none", "input", "distilled", "everyword"]
LEARNT: tuple[Targets, ...] = ("input", "distilled")
TUNING = "tuning."
"""The prefix of overrides for fine-tuning; all others are for the model of spelling."""


@dataclass(frozen=True, kw_only=True)
class EncoderVariant(Variant):
    """A row: what gives a word that the tokenizer splits its vector, and how that enters the input."""

    vectors: Targets = "none"
    """Nothing; a model that learnt the encoder's input vectors, or its outputs pooled over a corpus ("distilled"), from
    spelling; or everyword's default model, adapted to the input vectors."""
    strategy: Literal["replace", "linear", "add"] = "replace"
    words: Literal["misspelt", "unknown", "split"] = "split"
    """Which split words get a vector."""


@dataclass(frozen=True)
class EncoderSize:
    """The sizes of a study."""

    items: Count | None = None
    """How many texts train and dev are cut to; test is always whole."""
    rates: tuple[Positive, ...] = (5e-5,)
    """The learning rates of fine-tuning, of which dev chooses one."""
    tuning: tuple[str, ...] = ()
    """Overrides of fine-tuning."""
    spelling: tuple[str, ...] = ()
    """Overrides of the recipe."""
    occurrences: Count = 100
    """How many occurrences of a word are pooled."""


@dataclass(frozen=True, kw_only=True)
class EncoderStudy(Study):
    """A table about vectors of words inside an encoder; columns are "texts/SET", "tags/SET" and "texts/SET@NOISE".

    Noise is as in other studies, such as published-10 and typo-50, or typos-N: errors in N words of each text. A seed
    is that of the model of spelling and of fine-tuning.
    """

    kind: Literal["encoders"] = "encoders"
    variants: tuple[EncoderVariant, ...]
    recipe: str = "love"
    small: EncoderSize = field(default_factory=EncoderSize)
    full: EncoderSize = field(default_factory=EncoderSize)

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "encoder"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for name in self.benchmarks:
            if name.partition("/")[0] not in TASKS:
                yield f"{name!r} is not texts/SET or tags/SET, with or without @NOISE"
            elif problem := noise_problem(name.partition("@")[2]):
                yield f"{name!r} cannot be read: {problem}"


PutIn: TypeAlias = Callable[[Any, Any, Any, EncoderVariant], Any]
"""Puts vectors into a network with its tokenizer, as a variant wants it; None stands for the adapted default model."""


@dataclass(frozen=True, kw_only=True)
class EncoderJob(Job):
    """A study about word vectors inside an encoder to run."""

    study: EncoderStudy
    encoder: str
    put_in: PutIn
    corpus: tuple[Path, ...] = ()
    """Texts over which outputs are pooled; without any, rows about them are skipped."""
    device: str = "auto"

    @property
    def sizes(self) -> EncoderSize:
        """The sizes of this run."""
        return self.study.small if self.size == "small" else self.study.full

    @cached_property
    def model(self) -> LanguageModel:
        """The encoder as it is before fine-tuning, in full precision."""
        return LanguageModel.load(self.encoder, device=self.device, precision="float32")

    def tuning(self, rate: float, seed: int) -> FineTuning:
        """Return how the encoder is fine-tuned."""
        own = [given.removeprefix(TUNING) for given in self.overrides if given.startswith(TUNING)]
        values = configs.override({}, [*self.sizes.tuning, *own]) | {"rate": rate, "seed": seed}
        return configs.build(FineTuning, values, "the fine-tuning")

    def recipe(self, targets: Targets, seed: int) -> Any:
        """Return the recipe of a model of spelling."""
        own = [given for given in self.overrides if not given.startswith(TUNING)]
        name = f"name={self.study.name}-{targets}"
        return load_recipe(self.study.recipe, [name, *self.sizes.spelling, *own, f"training.seed={seed}"])

    @cached_property
    def sets(self) -> dict[str, Splits[Any]]:
        """The sets by the columns of clean data; those whose data is missing are reported and left out."""
        found: dict[str, Splits[Any]] = {}
        for column in dict.fromkeys(name.partition("@")[0] for name in self.study.benchmarks):
            task, _, name = column.partition("/")
            benchmark = find_benchmark(f"{TASKS[task].benchmark}/{name}", self.folder)
            if isinstance(benchmark, MissingData):
                self.report(f"{name}: skipped. {benchmark.reason}")
            else:
                found[column] = _read(benchmark, self.sizes.items)
        return found


def _read(benchmark: Benchmark, items: int | None) -> Splits[Any]:
    splits: Splits[Any] = benchmark.task.load(*benchmark.files)
    return replace(splits, train=cut_to(splits.train, items), dev=cut_to(splits.dev, items))


def run_encoders(job: EncoderJob) -> Findings:
    """Fine-tune and score the encoder for all variants of a study.

    Args:
        job: The study, the encoder, the corpus, the folders and the size.

    Raises:
        ConfigError: If a setting has mistakes.
        InputError: If there is no data folder.
    """
    job.check_share()
    job.tuning(job.sizes.rates[0], 0)
    job.recipe("input", 0)
    rows: dict[str, Row] = {}
    for variant in job.study.variants:
        runs = [score_seed(job, variant, seed) for seed in job.seeds] if job.makes(variant.label) else []
        rows[variant.label] = mean_row(runs or [dict.fromkeys(job.study.benchmarks)], job.study.columns)
    named = Path(job.encoder)
    teacher = f"{named.name if named.is_dir() else named} {job.model.weights_fingerprint()}"
    return Findings(job.study, job.size, rows, teacher, job.overrides)


def score_seed(job: EncoderJob, variant: EncoderVariant, seed: int) -> Row:
    """Return the scores of a seed of a variant; what an earlier run has saved is not made again."""
    row: dict[str, Score | None] = dict.fromkeys(job.study.benchmarks)
    if variant.vectors == "distilled" and not job.corpus:
        job.report(f"{variant.label}: skipped. Distilled vectors need --corpus.")
        return row
    for clean, splits in job.sets.items():
        name = clean.partition("/")[2]
        columns = [column for column in job.study.benchmarks if column.partition("@")[0] == clean]
        path = job.work / variant.folder / f"{name}-seed-{seed}-{_mark(job, variant, columns)}.json"
        if not path.exists():
            found = _tuned_scores(job, variant, seed, columns, splits)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, json.dumps(found, indent=2) + "\n")
        job.report(f"{variant.label}, {name}, seed {seed}: scored")
        saved = read_kept(path)
        shares = saved["changed"]
        row |= {
            column: Score(value, changed=shares.get(column), n=len(splits.test))
            for column, value in saved["scores"].items()
        }
    return row


def _mark(job: EncoderJob, variant: EncoderVariant, columns: list[str]) -> str:
    """Return a fingerprint of all that decides the scores of a row but its seed."""
    how = {key: value for key, value in asdict(variant).items() if key not in ("label", "paper")}
    recipe = configs.to_dict(job.recipe(variant.vectors, 0)) if variant.vectors in LEARNT else None
    corpus = [path.name for path in job.corpus] if variant.vectors == "distilled" else []
    sizes = replace(job.sizes, spelling=(), tuning=())
    tuning = asdict(job.tuning(1.0, 0))
    return fingerprint([how, columns, recipe, corpus, asdict(sizes), tuning, Path(job.encoder).name])[:12]


def _tuned_scores(
    job: EncoderJob, variant: EncoderVariant, seed: int, columns: list[str], splits: Splits[Any]
) -> dict[str, Any]:
    """Fine-tune at each rate, and score the network that is best on dev."""
    task, vectors = TASKS[columns[0].partition("/")[0]], _vectors(job, variant, seed)
    labels, longest = task.labels(splits.train), job.tuning(1.0, seed).longest
    best: tuple[float, float, Any, Any] | None = None
    tried = {}
    for rate in job.sizes.rates:
        network, tokenizer = task.new_network(job.encoder, labels, job.device, seed)
        if variant.vectors != "none":
            job.put_in(network, tokenizer, vectors, variant)
        task.tune(network, tokenizer, splits.train, splits.dev, labels, job.tuning(rate, seed))
        reached = task.score(network, tokenizer, splits.dev, labels, longest)
        tried[f"{rate:g}"] = reached
        if best is None or reached > best[0]:
            best = (reached, rate, network, tokenizer)
    assert best is not None  # a study has a rate
    _, rate, network, tokenizer = best
    scores, shares = {}, {}
    for column in columns:
        test = noisy(splits, column.partition("@")[2])
        shares[column] = changed_share(splits.test, test)
        scores[column] = task.score(network, tokenizer, test, labels, longest)
    shares = {column: share for column, share in shares.items() if share}
    return {"scores": scores, "changed": shares, "dev": tried, "rate": rate}


def _vectors(job: EncoderJob, variant: EncoderVariant, seed: int) -> Any:
    """Return the model that gives split words their vectors; None for everyword's own."""
    return _spelling_model(job, variant.vectors, seed) if variant.vectors in LEARNT else None


def _spelling_model(job: EncoderJob, targets: Targets, seed: int) -> Any:
    """Return a model that learnt targets from spelling; a finished one is not trained again."""
    recipe, table = job.recipe(targets, seed), _table_of(job, targets)
    mark = fingerprint([configs.to_dict(recipe), Path(job.encoder).name, table.name])[:12]
    folder = job.work / "spelling" / f"{targets}-{seed}-{mark}"
    if not (folder / "model" / CONFIG).exists():
        if not table.exists():
            _make_table(job, targets, table)
        job.report(f"{targets}: training, seed {seed}")
        run = spelling.SpellingRun(
            recipe, folder / "run", table, device=job.device, show_progress=False, cache=job.work / "shared"
        )
        model = spelling.train(run)
        if model is None:
            raise KeyboardInterrupt
        model.save_pretrained(folder / "model")
    return load(folder / "model")


def _table_of(job: EncoderJob, targets: Targets) -> Path:
    """Return the file of the table that is learnt, which is named after all that decides it."""
    read = [[path.name for path in job.corpus], job.sizes.occurrences] if targets == "distilled" else []
    return job.work / f"{targets}-{fingerprint([job.model.weights_fingerprint(), read])[:12]}.npy"


def _make_table(job: EncoderJob, targets: Targets, path: Path) -> None:
    """Save the table that is learnt: of the same words, their input vectors or their pooled outputs."""
    inputs = input_table(job.model)
    table = inputs if targets == "input" else _pooled(job, inputs, path.with_suffix(""))
    job.work.mkdir(parents=True, exist_ok=True)
    table.save(path)


def _pooled(job: EncoderJob, inputs: VectorTable, folder: Path) -> VectorTable:
    """Return the mean output of each word over its occurrences, all scaled to the mean length of input vectors."""
    job.report("distilled: reading the corpus")
    run = CorpusRun(
        inputs.words,
        job.corpus,
        occurrences=job.sizes.occurrences,
        run_folder=folder,
        resume=(folder / CHECKPOINT).exists(),
        show_progress=True,
    )
    pooled = pool_corpus(job.model, run)
    if pooled is None:
        raise KeyboardInterrupt
    outputs = pooled.word_table()
    lengths = [np.linalg.norm(table.matrix, axis=1).mean() for table in (inputs, outputs)]
    return VectorTable(outputs.words, outputs.matrix * np.float32(lengths[0] / lengths[1]))
