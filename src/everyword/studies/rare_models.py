"""What gives rare words their vectors in a study: each trained once, on the same words and sentences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cached_property
from time import perf_counter

from everyword import config
from everyword.corpus.contexts.sentences import read_sentences
from everyword.evaluation.context_models import Infer, evaluated_inputs, form_only, input_pieces, mean_of_context_words
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.adapt.adapting import adapt
from everyword.models.load import load
from everyword.studies.rare_config import RareVariant
from everyword.studies.rare_job import MIMICK, RareReproduction
from everyword.systems.bertram.model import Bertram, CachingBertram
from everyword.systems.bertram.static import ALaCarte, AttentiveMimicking, FormContextModel
from everyword.systems.bertram.train import TrainingRun, train_bertram
from everyword.systems.spelling import train as spelling
from everyword.systems.spelling.recipe import load_recipe
from everyword.vectors.table import VectorTable

NGRAMS = "ngrams"


class RareModels:
    """The models of a study, made when they are asked for."""

    def __init__(self, job: RareReproduction) -> None:
        self.job = job
        self.encoder = LanguageModel.load(job.encoder, device=job.device)
        self.contexts = read_sentences(job.contexts)
        self._made: dict[str, Infer] = {}

    @cached_property
    def table(self) -> VectorTable:
        """The input vectors of all words that are one piece."""
        return input_table(self.encoder)

    @cached_property
    def way(self) -> EvaluatedModel:
        """These vectors as a way to be judged."""
        return evaluated_inputs(self.encoder)

    @cached_property
    def stamp(self) -> str:
        """A mark of the encoder and of what is learnt from."""
        known = json.dumps([self.encoder.weights_fingerprint(), self.contexts], sort_keys=True)
        return hashlib.sha256(known.encode()).hexdigest()

    @cached_property
    def everyword(self) -> AdaptedModel:
        """The default model in the space of the input vectors."""
        return adapt(self.table)

    def infer(self, variant: RareVariant) -> Infer:
        """Words and sentences to vectors, as a variant does it; zeros where it has nothing to say."""
        key = json.dumps([variant.vectors, variant.overrides, variant.form])
        if key not in self._made:
            started = perf_counter()
            self._made[key] = MAKERS[variant.vectors](self, variant)
            self.job.tell(f"{variant.label}: ready after {perf_counter() - started:.0f} s")
        infer = self._made[key]
        return infer if variant.sentences != "none" else lambda words: infer(dict.fromkeys(words, ()))


def _bertram(models: RareModels, variant: RareVariant) -> Infer:
    job, settings = models.job, models.job.bertram_config(variant)
    mark = hashlib.sha256(json.dumps([config.to_dict(settings), variant.form, models.stamp]).encode()).hexdigest()
    folder = job.work / "bertram" / mark[:16]
    if not folder.exists():
        run = TrainingRun(
            models.contexts,
            job.work / "bertram-run",  # of all, because what the encoder says of a sentence is kept there
            settings,
            form=None if variant.form == NGRAMS else load(variant.form),
            show_progress=job.show_progress,
        )
        trained = train_bertram(models.encoder, run)
        if trained is None:
            raise KeyboardInterrupt
        trained.save(folder)
    return CachingBertram(Bertram.load(folder, models.encoder)).infer


def _ancestor(kind: type[AttentiveMimicking]) -> Callable[[RareModels, RareVariant], Infer]:
    def make(models: RareModels, variant: RareVariant) -> Infer:
        settings, device = models.job.static_config(variant), str(models.encoder.device)
        trained = kind.train(models.table, models.contexts, settings, device=device)
        if trained is None:
            raise KeyboardInterrupt
        return trained.infer

    return make


def _a_la_carte(models: RareModels, variant: RareVariant) -> Infer:
    return ALaCarte.train(models.table, models.contexts).infer


def _mimick(models: RareModels, variant: RareVariant) -> Infer:
    job = models.job
    recipe = load_recipe("mimick", job.overrides_for(MIMICK, variant.overrides))
    folder = job.work / "mimick"
    folder.mkdir(parents=True, exist_ok=True)
    taught = models.table.select([word for word in models.contexts if word in models.table])
    taught.save(folder / "teacher.npy")
    run = spelling.SpellingRun(
        recipe, folder, folder / "teacher.npy", device=str(models.encoder.device), show_progress=job.show_progress
    )
    trained = spelling.train(run)
    if trained is None:
        raise KeyboardInterrupt
    return form_only(trained.infer)


MAKERS: dict[str, Callable[[RareModels, RareVariant], Infer]] = {
    "pieces": lambda models, variant: input_pieces(models.encoder),
    "words-around": lambda models, variant: mean_of_context_words(models.way),
    "mimick": _mimick,
    "a-la-carte": _a_la_carte,
    "form-context-model": _ancestor(FormContextModel),
    "attentive-mimicking": _ancestor(AttentiveMimicking),
    "bertram": _bertram,
    "everyword": lambda models, variant: form_only(models.everyword.moved_base.encode),
}
