"""The sources of vectors for rare words in a study: with each seed, all learn from the same words and sentences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias, TypeVar

import numpy as np
import torch

from everyword import config
from everyword.corpus.contexts.sentences import read_sentences
from everyword.errors import InputError
from everyword.evaluation.context_models import Infer, evaluated_inputs, form_only, input_pieces, mean_of_context_words
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.rare_texts.making import RarifyConfig
from everyword.files import fingerprint
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.one_token import OneTokenConfig
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.adapt.adapting import adapt
from everyword.models.load import load
from everyword.models.model import Model
from everyword.studies.job import Job
from everyword.studies.kinds.rare_words.study import RareWordStudy, RareWordVariant
from everyword.studies.kinds.rare_words.training import TrainingWords, draw_training, one_token_targets
from everyword.systems.bertram.config import BertramConfig, StaticConfig
from everyword.systems.bertram.model import Bertram, CachingBertram
from everyword.systems.bertram.static import ALaCarte, AttentiveMimicking, FormContextModel
from everyword.systems.bertram.train import TrainingRun, train_bertram
from everyword.systems.spelling import train as spelling
from everyword.systems.spelling.recipe import load_recipe
from everyword.vectors.table import VectorTable

C = TypeVar("C")
PutIn: TypeAlias = Callable[[Any, Any, Model | VectorTable, RareWordVariant], Any]
"""Puts vectors into a network with its tokenizer, as a variant wants it."""
STATIC, MIMICK, RARIFY, ONE_TOKEN = PREFIXES = ("static.", "mimick.", "rarify.", "one_token.")
"""Prefixes of overrides for BERTRAM's predecessors, for Mimick, for rarified sets and for one-token approximation; all
others are for BERTRAM."""
SEED, SENTENCES = "seed", "contexts_a_word"
SEEDS = (SEED, "static.seed", "mimick.training.seed", "rarify.seed", "one_token.seed")


@dataclass(frozen=True, kw_only=True)
class RareWordJob(Job):
    """A study about rare words to run on a language model."""

    study: RareWordStudy
    encoder: str
    contexts: Path
    """Frequent words with sentences, to learn from."""
    put_in: PutIn
    targets: Path | None = None
    """Input vectors of frequent words of several pieces; by default they are learnt by one-token approximation."""
    rare: Path | None = None
    """Rare words with sentences."""
    counts: Path | None = None
    """How often words occur in the corpus; decides what is rare."""
    probe: Path | None = None
    device: str = "auto"

    def overrides_for(self, prefix: str = "", own: Iterable[str] = ()) -> list[str]:
        """Return the overrides of one configuration: those of the size, the given ones and a variant's own."""
        every = (*(self.study.small if self.size == "small" else ()), *self.overrides)
        if not prefix:
            return [*(given for given in every if not given.startswith(PREFIXES)), *own]
        return [*(given.removeprefix(prefix) for given in every if given.startswith(prefix)), *own]

    def settings(self, kind: type[C], prefix: str = "", own: Iterable[str] = ()) -> C:
        """Return the configuration of BERTRAM, or of what overrides with a prefix are for."""
        values = config.override({}, self.overrides_for(prefix, own))
        return config.build(kind, values, f"the configuration of {prefix.rstrip('.') or 'BERTRAM'}")

    def rarify_settings(self, seed: int) -> RarifyConfig:
        """Return how a set is rarified."""
        return self.settings(RarifyConfig, RARIFY, [f"{SEED}={seed}"])

    @property
    def sentences_a_word(self) -> int:
        """How many sentences of a word all models learn from, at most."""
        return self.settings(BertramConfig).contexts_a_word

    @cached_property
    def rare_sentences(self) -> dict[str, list[str]]:
        """The sentences of rare words."""
        return {} if self.rare is None else read_sentences(self.rare)

    def check(self) -> None:
        """Raise an error if the study cannot be run, before anything is."""
        self._check_overrides(self.overrides)
        for variant in self.study.variants:
            self._check_overrides(variant.overrides)
            if variant.vectors == "bertram":
                self.settings(BertramConfig, own=variant.overrides)
        self.settings(StaticConfig, STATIC)
        self.settings(OneTokenConfig, ONE_TOKEN)
        self.rarify_settings(0)
        self.check_share()
        needed = {"rarified": {"counts": self.counts}, "probe": {"probe": self.probe}}
        for name, path in needed.get(self.study.judged_by, {}).items():
            if path is None:
                raise InputError(f"The study {self.study.name} needs --{name}; see 'everyword cloze --help'.")
            if not path.exists():
                raise InputError(f"There is no file {path}; check --{name}.")

    def _check_overrides(self, overrides: Iterable[str]) -> None:
        """Raise an error for settings that would make the rows of a study unequal."""
        for key in (given.partition("=")[0].strip() for given in overrides):
            if key in SEEDS:
                raise InputError(f"{key} is set by the study, which repeats every row; give --seeds instead.")
            if key == STATIC + SENTENCES:
                raise InputError(f"All models learn from equally many sentences; give {SENTENCES} instead of {key}.")


class RareModels:
    """The sources of vectors of a study with one seed, each made when it is first used."""

    def __init__(self, job: RareWordJob, encoder: LanguageModel, training: TrainingWords, seed: int) -> None:
        self.job, self.encoder, self.training, self.seed = job, encoder, training, seed
        self._inference: dict[str, Infer] = {}

    @cached_property
    def table(self) -> VectorTable:
        """The input vectors of all words that are one piece, and the targets of all others that are trained on."""
        own, targets = input_table(self.encoder), self.training.targets
        added = targets.select([word for word in targets.words if word not in own])
        return VectorTable([*own.words, *added.words], np.concatenate([own.matrix, added.matrix]))

    @cached_property
    def inputs(self) -> EvaluatedModel:
        """The input vectors as a model to evaluate."""
        return evaluated_inputs(self.encoder)

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the encoder, of the sentences and of the targets."""
        targets = hashlib.sha256(np.ascontiguousarray(self.training.targets.matrix).tobytes()).hexdigest()
        return fingerprint([self.encoder.weights_fingerprint(), dict(self.training.sentences), targets, self.seed])

    @cached_property
    def everyword(self) -> AdaptedModel:
        """The default model in the space of the input vectors."""
        return adapt(self.training.targets)

    def infer(self, variant: RareWordVariant) -> Infer:
        """Return the function of a variant from words with sentences to vectors; zeros where it has none."""
        key = json.dumps([variant.vectors, variant.overrides, variant.form])
        if key not in self._inference:
            started = perf_counter()
            self._inference[key] = MAKERS[variant.vectors](self, variant)
            self.job.report(f"{variant.label}, seed {self.seed}: ready after {perf_counter() - started:.0f} s")
        infer = self._inference[key]
        return infer if variant.sentences != "none" else lambda words: infer(dict.fromkeys(words, ()))


def load_training(job: RareWordJob, encoder: LanguageModel, seeds: Iterable[int]) -> dict[int, TrainingWords]:
    """Return what the models of each seed learn from, the same whatever the precision of the encoder.

    So what one machine has scored on a GPU, another one can put together.
    """
    contexts, exact = read_sentences(job.contexts), encoder
    if encoder.network.dtype != torch.float32:
        exact = LanguageModel.load(job.encoder, device=job.device, precision="float32")
    if job.targets is not None:
        one_token: VectorTable | None = VectorTable.load(job.targets)
    else:
        one_token = one_token_targets(exact, list(contexts), job.settings(OneTokenConfig, ONE_TOKEN), job.work)
    if one_token is not None and one_token.dim != encoder.input_dim:
        raise InputError(
            f"Targets must be input vectors of {encoder.name}, of dimension {encoder.input_dim}. Got dimension "
            f"{one_token.dim} instead; make them by everyword extract --how one-token."
        )
    table, most = input_table(exact), job.sentences_a_word
    words = job.study.words if job.size == "small" else None
    return {seed: draw_training(table, contexts, one_token, words=words, sentences=most, seed=seed) for seed in seeds}


def _bertram(models: RareModels, variant: RareWordVariant) -> Infer:
    job = models.job
    settings = job.settings(BertramConfig, own=[*variant.overrides, f"{SEED}={models.seed}"])
    content = [config.to_dict(settings), variant.form, models.fingerprint]
    folder = job.work / "bertram" / fingerprint(content, sort_keys=False)[:16]
    if not folder.exists():
        run = TrainingRun(
            models.training.sentences,
            job.work
            / f"bertram-run-{models.seed}",  # of all, because what the encoder says of a sentence is kept there
            settings,
            targets=models.training.targets,
            form=None if variant.form == "ngrams" else load(variant.form),
        )
        trained = train_bertram(models.encoder, run)
        if trained is None:
            raise KeyboardInterrupt
        trained.save(folder)
    return CachingBertram(Bertram.load(folder, models.encoder)).infer


def _predecessor(kind: type[AttentiveMimicking]) -> Callable[[RareModels, RareWordVariant], Infer]:
    def make(models: RareModels, variant: RareWordVariant) -> Infer:
        job = models.job
        fixed = [f"{SENTENCES}={job.sentences_a_word}", f"{SEED}={models.seed}"]
        settings = job.settings(StaticConfig, STATIC, [*variant.overrides, *fixed])
        trained = kind.train(models.table, models.training.sentences, settings, device=str(models.encoder.device))
        if trained is None:
            raise KeyboardInterrupt
        return trained.infer

    return make


def _a_la_carte(models: RareModels, variant: RareWordVariant) -> Infer:
    return ALaCarte.train(models.table, models.training.sentences, seed=models.seed).infer


def _mimick(models: RareModels, variant: RareWordVariant) -> Infer:
    job = models.job
    recipe = load_recipe("mimick", job.overrides_for(MIMICK, [*variant.overrides, f"training.{SEED}={models.seed}"]))
    folder = job.work / "mimick" / fingerprint([config.to_dict(recipe), models.fingerprint])[:16]
    if not (folder / "model").exists():
        folder.mkdir(parents=True, exist_ok=True)
        models.training.targets.save(folder / "teacher.npy")
        run = spelling.SpellingRun(
            recipe, folder, folder / "teacher.npy", device=str(models.encoder.device), show_progress=False
        )
        trained = spelling.train(run)
        if trained is None:
            raise KeyboardInterrupt
        trained.save_pretrained(folder / "model")
    return form_only(load(folder / "model").infer)


MAKERS: dict[str, Callable[[RareModels, RareWordVariant], Infer]] = {
    "pieces": lambda models, variant: input_pieces(models.encoder),
    "words-around": lambda models, variant: mean_of_context_words(models.inputs),
    "mimick": _mimick,
    "a-la-carte": _a_la_carte,
    "form-context-model": _predecessor(FormContextModel),
    "attentive-mimicking": _predecessor(AttentiveMimicking),
    "bertram": _bertram,
    "everyword": lambda models, variant: form_only(models.everyword.moved_base.encode),
}
