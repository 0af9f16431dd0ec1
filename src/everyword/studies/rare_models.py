"""The sources of vectors for rare words in a study: each is trained once, on the same words and sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias, TypeVar

from everyword import config
from everyword.corpus.contexts.sentences import read_sentences
from everyword.errors import InputError
from everyword.evaluation.context_models import Infer, evaluated_inputs, form_only, input_pieces, mean_of_context_words
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.rare_texts.making import RarifyConfig
from everyword.files import fingerprint
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.adapt.adapting import adapt
from everyword.models.load import load
from everyword.models.model import Model
from everyword.studies.config import RareWordStudy, RareWordVariant
from everyword.studies.job import Job
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
STATIC, MIMICK, RARIFY = PREFIXES = ("static.", "mimick.", "rarify.")
"""Prefixes of overrides for BERTRAM's predecessors, for Mimick and for rarified sets; all others are for BERTRAM."""


@dataclass(frozen=True, kw_only=True)
class RareWordJob(Job):
    """A study about rare words to run on a language model."""

    study: RareWordStudy
    encoder: str
    contexts: Path
    """Frequent words with sentences, to learn from."""
    put_in: PutIn
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
        return self.settings(RarifyConfig, RARIFY, [f"seed={seed}"])

    @cached_property
    def rare_sentences(self) -> dict[str, list[str]]:
        """The sentences of rare words."""
        return {} if self.rare is None else read_sentences(self.rare)

    def check(self) -> None:
        """Raise an error if the study cannot be run, before anything is."""
        for variant in self.study.variants:
            if variant.vectors == "bertram":
                self.settings(BertramConfig, own=variant.overrides)
        self.rarify_settings(0)
        needed = {"rarified": {"counts": self.counts}, "probe": {"probe": self.probe}}
        for name, path in needed.get(self.study.judged_by, {}).items():
            if path is None:
                raise InputError(f"The study {self.study.name} needs --{name}; see 'everyword cloze --help'.")
            if not path.exists():
                raise InputError(f"There is no file {path}; check --{name}.")


class RareModels:
    """The sources of vectors of a study, each made when it is first used."""

    def __init__(self, job: RareWordJob) -> None:
        self.job = job
        self.encoder = LanguageModel.load(job.encoder, device=job.device)
        self.contexts = read_sentences(job.contexts)
        self._inference: dict[str, Infer] = {}

    @cached_property
    def table(self) -> VectorTable:
        """The input vectors of all words that are one piece."""
        return input_table(self.encoder)

    @cached_property
    def inputs(self) -> EvaluatedModel:
        """The input vectors as a model to evaluate."""
        return evaluated_inputs(self.encoder)

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the encoder and of the sentences."""
        return fingerprint([self.encoder.weights_fingerprint(), self.contexts])

    @cached_property
    def everyword(self) -> AdaptedModel:
        """The default model in the space of the input vectors."""
        return adapt(self.table)

    def infer(self, variant: RareWordVariant) -> Infer:
        """Return the function of a variant from words with sentences to vectors; zeros where it has none."""
        key = json.dumps([variant.vectors, variant.overrides, variant.form])
        if key not in self._inference:
            started = perf_counter()
            self._inference[key] = MAKERS[variant.vectors](self, variant)
            self.job.report(f"{variant.label}: ready after {perf_counter() - started:.0f} s")
        infer = self._inference[key]
        return infer if variant.sentences != "none" else lambda words: infer(dict.fromkeys(words, ()))


def _bertram(models: RareModels, variant: RareWordVariant) -> Infer:
    job, settings = models.job, models.job.settings(BertramConfig, own=variant.overrides)
    content = [config.to_dict(settings), variant.form, models.fingerprint]
    folder = job.work / "bertram" / fingerprint(content, sort_keys=False)[:16]
    if not folder.exists():
        run = TrainingRun(
            models.contexts,
            job.work / "bertram-run",  # of all, because what the encoder says of a sentence is kept there
            settings,
            form=None if variant.form == "ngrams" else load(variant.form),
        )
        trained = train_bertram(models.encoder, run)
        if trained is None:
            raise KeyboardInterrupt
        trained.save(folder)
    return CachingBertram(Bertram.load(folder, models.encoder)).infer


def _predecessor(kind: type[AttentiveMimicking]) -> Callable[[RareModels, RareWordVariant], Infer]:
    def make(models: RareModels, variant: RareWordVariant) -> Infer:
        settings = models.job.settings(StaticConfig, STATIC, variant.overrides)
        trained = kind.train(models.table, models.contexts, settings, device=str(models.encoder.device))
        if trained is None:
            raise KeyboardInterrupt
        return trained.infer

    return make


def _a_la_carte(models: RareModels, variant: RareWordVariant) -> Infer:
    return ALaCarte.train(models.table, models.contexts).infer


def _mimick(models: RareModels, variant: RareWordVariant) -> Infer:
    job = models.job
    recipe = load_recipe("mimick", job.overrides_for(MIMICK, variant.overrides))
    folder = job.work / "mimick"
    folder.mkdir(parents=True, exist_ok=True)
    taught = models.table.select([word for word in models.contexts if word in models.table])
    taught.save(folder / "teacher.npy")
    run = spelling.SpellingRun(
        recipe, folder, folder / "teacher.npy", device=str(models.encoder.device), show_progress=False
    )
    trained = spelling.train(run)
    if trained is None:
        raise KeyboardInterrupt
    return form_only(trained.infer)


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
