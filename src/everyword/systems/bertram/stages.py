"""The three stages of training a BERTRAM: contexts, form, and both together."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import torch
from torch import Tensor

from everyword import config
from everyword.arrays import FloatArray
from everyword.systems.bertram.batches import Batch, ContextSampler, word_batches
from everyword.systems.bertram.config import ContextStage, Variant
from everyword.systems.bertram.context_cache import CachedVectors, cache_vectors
from everyword.systems.bertram.encoder_input import InputLayout
from everyword.systems.bertram.loop import Draws, Loop, Measure, Measured
from everyword.systems.bertram.network import CONTEXT, FORM, GATE, Contexts, owners_of
from everyword.systems.bertram.start import start_with_ridge
from everyword.systems.bertram.training import Training, stamp_of

CONTEXT_STAGE, FORM_STAGE, COMBINED_STAGE = STAGES = ("context", "form", "combined")


def train_context(training: Training) -> bool:
    """First stage: the weights over contexts and the map learn alone. False if Ctrl-C came first."""
    bertram, settings = training.bertram, training.bertram.config
    kept = _kept(training, "shallow")
    if kept is None:
        return False
    bertram.network.train_only({CONTEXT})
    _start(training, kept)

    def measure(batch: Batch, draws: Draws) -> Measured:
        return _measured(training, batch, _shown(training, batch, kept), None)

    decisive = (settings.weights, settings.start, settings.max_length, settings.seed, settings.contexts_a_word)
    mark = training.stamp(*decisive, config.to_dict(settings.context))
    return _context_loop(CONTEXT_STAGE, training, settings.context, measure, mark)


def train_form(training: Training) -> bool:
    """Second stage: the form part learns alone, without the encoder. False if Ctrl-C came first."""
    bertram, settings, stage = training.bertram, training.bertram.config, training.bertram.config.form
    bertram.network.train_only({FORM})

    def measure(batch: Batch, draws: Draws) -> Measured:
        forms = bertram.network.form(training.words(batch.rows), draws)
        return Measured(training.distance(forms, batch.rows))

    return Loop(
        FORM_STAGE,
        bertram.network,
        stage,
        batches=lambda epoch: word_batches(len(training.data.words), stage.words_a_batch, settings.seed, epoch),
        measure=measure,
        place=training.place,
        stamp=training.stamp(config.to_dict(settings)),
        seed=settings.seed,
    ).run()


def train_combined(training: Training) -> bool:
    """Third stage: form and contexts together, as the variant has it. False if Ctrl-C came first.

    The form part stays as it is where its vector is added to the input: the encoder then says the same at every
    step, and what it says is kept. Where the form vector replaces the mask, the encoder is run at each step.
    """
    network, settings = training.bertram.network, training.bertram.config
    network.train_only({CONTEXT} if settings.variant == "add" else {CONTEXT, FORM, GATE})
    kept = None
    if settings.variant != "replace":
        kept = _kept(training, settings.variant)
        if kept is None:
            return False
        if settings.variant == "add":  # the encoder speaks otherwise of a context behind a form vector
            _start(training, kept)

    def measure(batch: Batch, draws: Draws) -> Measured:
        forms = None if settings.variant == "add" else network.form(training.words(batch.rows), draws)
        contexts = _read(training, batch, forms) if kept is None else _shown(training, batch, kept)
        return _measured(training, batch, contexts, forms)

    mark = training.stamp(config.to_dict(settings))
    return _context_loop(COMBINED_STAGE, training, settings.combined, measure, mark)


def _context_loop(name: str, training: Training, stage: ContextStage, measure: Measure, stamp: str) -> bool:
    sampler = ContextSampler(stage.fewest_contexts, stage.most_contexts, contexts_a_batch=stage.contexts_a_batch)
    seed = training.bertram.config.seed
    return Loop(
        name,
        training.bertram.network,
        stage,
        batches=lambda epoch: sampler.epoch(training.data.counts, seed, epoch),
        measure=measure,
        place=training.place,
        stamp=stamp,
        seed=seed,
    ).run()


def _start(training: Training, kept: CachedVectors) -> None:
    if training.bertram.config.start == "ridge":
        data = training.data
        start_with_ridge(
            training.bertram.network, lambda batch: _shown(training, batch, kept), data.counts, data.targets
        )


def _measured(training: Training, batch: Batch, contexts: Contexts, forms: Tensor | None) -> Measured:
    vectors, weights = training.bertram.network(contexts, forms)
    return Measured(training.distance(vectors, batch.rows), int((weights < 0).sum()), len(weights))


def _shown(training: Training, batch: Batch, kept: CachedVectors) -> Contexts:
    """The kept vectors of a batch."""
    device = training.targets.device
    vectors = torch.from_numpy(kept.rows(batch.flat)).to(device)
    return Contexts(vectors, owners_of(batch.counts, device), len(batch.rows))


def _read(training: Training, batch: Batch, forms: Tensor | None) -> Contexts:
    """The vectors of a batch fresh from the encoder, through which gradients reach the form part."""
    assert forms is not None  # only the form vector makes them change
    bertram = training.bertram
    owners = owners_of(batch.counts, forms.device)
    flat = [training.data.flat[place] for place in batch.flat]
    vectors = bertram.context_vectors(bertram.layout, flat, forms[owners])
    return Contexts(vectors, owners, len(batch.rows))


def _kept(training: Training, variant: Variant) -> CachedVectors | None:
    """The vectors of all contexts, laid out for a variant."""
    bertram, data = training.bertram, training.data
    layout = InputLayout(bertram.encoder, variant, bertram.config)
    form_weights = bertram.network.form.state_dict() if variant == "add" else {}
    form_mark = [hashlib.sha256(weights.cpu().numpy().tobytes()).hexdigest() for weights in form_weights.values()]
    decisive: list[Any] = [variant, bertram.config.max_length, str(bertram.encoder.network.dtype)]
    if variant == "add":
        decisive += [bertram.config.prefix, bertram.config.ngrams.dropout, bertram.config.seed, training.form_mark]

    @torch.no_grad()
    def compute(start: int, stop: int) -> FloatArray:
        forms = None
        if variant == "add":
            # Some n-grams are hidden, anew in each context: spelling must not seem to tell all of a trained word.
            draws = [np.random.default_rng([bertram.config.seed, place]) for place in range(start, stop)]
            forms = bertram.network.form(training.words(data.owners[start:stop]), draws)
        vectors: FloatArray = bertram.context_vectors(layout, data.flat[start:stop], forms).cpu().numpy()
        return vectors

    return cache_vectors(
        compute,
        len(data.flat),
        run_folder=training.folder,
        fingerprint=stamp_of(training.encoder_fingerprint, data.stamp, *decisive, form_mark),
        processes=training.place.processes,
        show_progress=training.place.show_progress,
    )
