"""The three training stages of a BERTRAM: contexts, form, and both together; and the data that they share."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from everyword import config
from everyword.arrays import FloatArray, IndexArray
from everyword.atomic import write_atomic
from everyword.extras import require
from everyword.files import fingerprint
from everyword.learning.interrupt import Interrupt
from everyword.learning.loop import RunContext
from everyword.learning.processes import Processes
from everyword.space.linear_map import HELD_OUT_EVERY, ridge_regression
from everyword.systems.bertram.config import ContextStage, FormStage, Variant
from everyword.systems.bertram.encoder_input import InputLayout
from everyword.systems.bertram.loop import Batch, BatchLoss, ContextSampler, Generators, train_stage, word_batches
from everyword.systems.bertram.masking import MaskedSentence
from everyword.systems.bertram.model import Bertram
from everyword.systems.bertram.network import CONTEXT, FORM, GATE, Contexts, owners_of

CONTEXT_STAGE, FORM_STAGE, COMBINED_STAGE = STAGES = ("context", "form", "combined")
WORDS_AT_ONCE = 512
VECTORS_PER_FILE = 4096
CACHE_FOLDER = "contexts-{}"


@dataclass(frozen=True)
class TrainingData:
    """Words, their target vectors and their masked sentences."""

    words: Sequence[str]
    targets: FloatArray
    contexts: Sequence[Sequence[MaskedSentence]]

    @cached_property
    def flat(self) -> list[MaskedSentence]:
        """The contexts of all words, concatenated."""
        return [context for of_word in self.contexts for context in of_word]

    @cached_property
    def counts(self) -> IndexArray:
        """The number of contexts per word."""
        return np.array([len(of_word) for of_word in self.contexts], dtype=np.int64)

    @cached_property
    def owners(self) -> IndexArray:
        """The row of the word of each context."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of words, contexts and targets."""
        digest = hashlib.sha256(json.dumps([list(self.words), self.flat, self.counts.tolist()]).encode())
        digest.update(np.ascontiguousarray(self.targets).tobytes())
        return digest.hexdigest()


class CachedVectors:
    """A cache of context vectors in files, read as one matrix: the encoder is frozen, so each is computed once."""

    def __init__(self, parts: Sequence[FloatArray]) -> None:
        self._parts = parts

    def rows(self, indices: IndexArray) -> FloatArray:
        """Return some of the vectors."""
        found = np.empty((len(indices), self._parts[0].shape[1]), dtype=np.float32)
        part_of = indices // VECTORS_PER_FILE
        for part in np.unique(part_of):
            mine = part_of == part
            found[mine] = self._parts[part][indices[mine] % VECTORS_PER_FILE]
        return found


def cache_vectors(
    compute: Callable[[int, int], FloatArray],
    count: int,
    *,
    home: Path,
    fingerprint: str,
    processes: Processes,
    show_progress: bool,
) -> CachedVectors | None:
    """Compute `count` vectors, file by file, and skip files that an earlier run has written.

    Several processes write different files at the same time. Returns None after Ctrl-C; finished files stay.
    """
    folder = home / CACHE_FOLDER.format(fingerprint[:16])
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:06}.npy" for number in range(-(-count // VECTORS_PER_FILE))]
    tqdm = require("tqdm", "The progress bar").tqdm
    with tqdm(total=count, desc="contexts", disable=not show_progress, unit="context") as bar, Interrupt() as interrupt:
        for first in range(0, len(paths), processes.count):
            number = first + processes.rank
            if number < len(paths) and not paths[number].exists():
                _write(paths[number], compute(number * VECTORS_PER_FILE, min(count, (number + 1) * VECTORS_PER_FILE)))
            bar.update(min(count, (first + processes.count) * VECTORS_PER_FILE) - first * VECTORS_PER_FILE)
            if processes.any(interrupt.requested):
                return None
    processes.wait()
    return CachedVectors([np.load(path, mmap_mode="r") for path in paths])


def _write(path: Path, vectors: FloatArray) -> None:
    content = io.BytesIO()
    np.save(content, vectors)
    write_atomic(path, content.getvalue())


class BertramTraining:
    """A BERTRAM, its data, and the run folder."""

    def __init__(self, bertram: Bertram, data: TrainingData, run: RunContext, cache: Path | None = None) -> None:
        self.bertram, self.data, self.run = bertram, data, run
        self.cache = cache or run.folder
        self.targets = torch.from_numpy(data.targets).to(bertram.encoder.device)
        self.encoder_fingerprint = bertram.encoder.weights_fingerprint()
        self.form_fingerprint = bertram.network.form.fingerprint(data.words)

    def train(
        self,
        name: str,
        stage: ContextStage | FormStage,
        batches: Callable[[int], Iterable[Batch]],
        batch_loss: Callable[[Batch, Generators], BatchLoss],
        *decisive: Any,
    ) -> bool:
        """Train one stage; `decisive` is what decides its numbers besides encoder, form part and data."""
        return train_stage(
            name,
            self.bertram.network,
            stage,
            batches=batches,
            batch_loss=batch_loss,
            run=self.run,
            fingerprint=fingerprint(
                [self.encoder_fingerprint, self.form_fingerprint, self.data.fingerprint, *decisive]
            ),
            seed=self.bertram.config.seed,
        )

    def context_batches(self, stage: ContextStage) -> Callable[[int], Iterable[Batch]]:
        """Return a function from epochs to their batches."""
        sampler = ContextSampler(stage.fewest_contexts, stage.most_contexts, contexts_a_batch=stage.contexts_a_batch)
        return lambda epoch: sampler.epoch(self.data.counts, self.bertram.config.seed, epoch)

    def forms(self, rows: IndexArray, generators: Generators) -> Tensor:
        """Return the form vectors of some words."""
        forms: Tensor = self.bertram.network.form([self.data.words[row] for row in rows], generators)
        return forms

    def targets_of(self, batch: Batch) -> Tensor:
        """Return the target vectors of a batch."""
        return self.targets[torch.from_numpy(batch.rows).to(self.targets.device)]

    def from_cache(self, cached: CachedVectors, batch: Batch) -> Contexts:
        """Return the cached context vectors of a batch."""
        device = self.targets.device
        vectors = torch.from_numpy(cached.rows(batch.flat)).to(device)
        return Contexts(vectors, owners_of(batch.counts, device), len(batch.rows))

    def from_encoder(self, batch: Batch, forms: Tensor) -> Contexts:
        """Return the context vectors of a batch from the encoder, through which gradients reach the form part."""
        owners = owners_of(batch.counts, forms.device)
        flat = [self.data.flat[index] for index in batch.flat]
        vectors = self.bertram.context_vectors(self.bertram.layout, flat, forms[owners])
        return Contexts(vectors, owners, len(batch.rows))


def train_context(training: BertramTraining) -> bool:
    """Train the weights of contexts and the map alone, the first stage; return False after Ctrl-C."""
    network, settings = training.bertram.network, training.bertram.config
    cached = _cached(training, "shallow")
    if cached is None:
        return False
    network.train_only({CONTEXT})
    _start(training, cached)

    def batch_loss(batch: Batch, generators: Generators) -> BatchLoss:
        vectors, weights = network(training.from_cache(cached, batch))
        return BatchLoss.of(vectors, training.targets_of(batch), weights)

    decisive = (settings.weights, settings.start, settings.max_length, settings.seed, settings.contexts_a_word)
    batches = training.context_batches(settings.context)
    return training.train(
        CONTEXT_STAGE, settings.context, batches, batch_loss, *decisive, config.to_dict(settings.context)
    )


def train_form(training: BertramTraining) -> bool:
    """Train the form part alone, without the encoder, the second stage; return False after Ctrl-C."""
    settings, words = training.bertram.config, len(training.data.words)
    training.bertram.network.train_only({FORM})
    return training.train(
        FORM_STAGE,
        settings.form,
        lambda epoch: word_batches(words, settings.form.words_a_batch, settings.seed, epoch),
        lambda batch, generators: BatchLoss.of(training.forms(batch.rows, generators), training.targets_of(batch)),
        config.to_dict(settings),
    )


def train_combined(training: BertramTraining) -> bool:
    """Train form and contexts together, the third stage; return False after Ctrl-C.

    Where the form vector is added to the input, the form part is frozen: the encoder's outputs are then the same at
    every step, and are cached. Where the form vector replaces the mask, the encoder runs at each step.
    """
    network, settings = training.bertram.network, training.bertram.config
    network.train_only({CONTEXT} if settings.variant == "add" else {CONTEXT, FORM, GATE})
    cached = None
    if settings.variant != "replace":
        cached = _cached(training, settings.variant)
        if cached is None:
            return False
        if settings.variant == "add":  # the encoder speaks otherwise of a context behind a form vector
            _start(training, cached)

    def batch_loss(batch: Batch, generators: Generators) -> BatchLoss:
        forms = None if settings.variant == "add" else training.forms(batch.rows, generators)
        if cached is not None:
            contexts = training.from_cache(cached, batch)
        else:
            assert forms is not None  # without a cache the variant is "replace"
            contexts = training.from_encoder(batch, forms)
        vectors, weights = network(contexts, forms)
        return BatchLoss.of(vectors, training.targets_of(batch), weights)

    batches = training.context_batches(settings.combined)
    return training.train(COMBINED_STAGE, settings.combined, batches, batch_loss, config.to_dict(settings))


@torch.no_grad()
def _start(training: BertramTraining, cached: CachedVectors) -> None:
    """Set the map by ridge regression from the weighted contexts of all words to their targets."""
    network, counts = training.bertram.network, training.data.counts
    rows = np.flatnonzero(counts)
    # Fewer words are too few to choose the strength of the ridge by.
    if training.bertram.config.start != "ridge" or len(rows) < 2 * HELD_OUT_EVERY:
        return
    starts = np.cumsum(counts) - counts
    pooled = []
    for first in range(0, len(rows), WORDS_AT_ONCE):
        some = rows[first : first + WORDS_AT_ONCE]
        batch = Batch(some, [np.arange(starts[row], starts[row] + counts[row]) for row in some])
        pooled.append(network.pooled(training.from_cache(cached, batch))[0].cpu().numpy())
    matrix, offset, _ = ridge_regression(np.concatenate(pooled), training.data.targets[rows])
    network.to_space.weight.copy_(torch.from_numpy(matrix.T))
    network.to_space.bias.copy_(torch.from_numpy(offset))


def _cached(training: BertramTraining, variant: Variant) -> CachedVectors | None:
    """Compute the context vectors of a variant, or read those of an earlier run; None after Ctrl-C."""
    bertram, data, settings = training.bertram, training.data, training.bertram.config
    layout = InputLayout(bertram.encoder, variant, settings)
    form_weights = bertram.network.form.state_dict() if variant == "add" else {}
    weights = [fingerprint(weights.cpu().numpy().tobytes()) for weights in form_weights.values()]
    decisive: list[Any] = [variant, settings.max_length, str(bertram.encoder.network.dtype)]
    if variant == "add":
        decisive += [settings.prefix, settings.ngrams.dropout, settings.seed, training.form_fingerprint]

    @torch.no_grad()
    def compute(start: int, stop: int) -> FloatArray:
        forms = None
        if variant == "add":
            # Some n-grams are hidden, anew in each context: spelling must not seem to tell all of a trained word.
            generators = [np.random.default_rng([settings.seed, index]) for index in range(start, stop)]
            forms = training.forms(data.owners[start:stop], generators)
        vectors: FloatArray = bertram.context_vectors(layout, data.flat[start:stop], forms).cpu().numpy()
        return vectors

    assert training.cache is not None  # a BERTRAM is always trained in a folder
    return cache_vectors(
        compute,
        len(data.flat),
        home=training.cache,
        fingerprint=fingerprint([training.encoder_fingerprint, data.fingerprint, *decisive, weights]),
        processes=training.run.processes,
        show_progress=training.run.show_progress,
    )
