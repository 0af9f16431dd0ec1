"""Train a BERTRAM: from an encoder and sentences to targets, masked sentences and the three stages."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from everyword import __version__, config
from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.errors import InputError
from everyword.language_models.input_embeddings import single_pieces
from everyword.language_models.language_model import LanguageModel
from everyword.learning.loop import LOG, RunContext
from everyword.learning.processes import Processes
from everyword.models.model import Model
from everyword.systems.bertram.config import BertramConfig
from everyword.systems.bertram.encoder_input import InputLayout
from everyword.systems.bertram.masking import check_contexts, masked_contexts
from everyword.systems.bertram.model import Bertram
from everyword.systems.bertram.stages import (
    STAGES,
    BertramTraining,
    TrainingData,
    train_combined,
    train_context,
    train_form,
)
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class TrainingRun:
    """Data, settings and run folder of a training."""

    contexts: Mapping[str, Sequence[str]]
    """Words and their sentences; words without a target are not trained on."""
    folder: Path
    """Holds checkpoints and the log."""
    config: BertramConfig = field(default_factory=BertramConfig)
    targets: VectorTable | None = None
    """Input vectors for words of several pieces; see `everyword.language_models.one_token`."""
    form: Model | None = None
    """An everyword model that makes the form vectors; None takes character n-grams."""
    resume: bool = False
    """Whether to continue from the checkpoint in the folder."""
    cache: Path | None = None
    """Holds the cache of context vectors, which several runs may share; None puts it into the run folder."""
    show_progress: bool = False
    processes: Processes = field(default_factory=Processes)
    corpus: Mapping[str, Any] = field(default_factory=dict)
    """The source of the sentences, for the record."""


def train_bertram(encoder: LanguageModel, run: TrainingRun) -> Bertram | None:
    """Train all three stages.

    Args:
        encoder: A masked language model, which is not changed.
        run: Data, settings and run folder.

    Returns:
        The trained model, or None after Ctrl-C; the same call with `resume` then continues.

    Raises:
        ConfigError: If the settings are invalid.
        InputError: If no word has a target and a sentence, or another training is resumed.
    """
    config.check(run.config)
    data = prepare(encoder, run)
    bertram = Bertram.untrained(encoder, data.words, run.config, form=run.form)
    if run.processes.first and not run.resume:
        _clear(run.folder)
    run.processes.wait()
    # What could be resumed by mistake is gone by now, and a later stage must not remove the log of an earlier one.
    context = RunContext(run.folder, resume=True, show_progress=run.show_progress, processes=run.processes)
    training = BertramTraining(bertram, data, context, cache=run.cache)
    for stage in (train_context, train_form, train_combined):
        if not stage(training):
            return None
    bertram.record = _record(run, data)
    return bertram


def prepare(encoder: LanguageModel, run: TrainingRun) -> TrainingData:
    """Return the words that have a target, each with its masked sentences."""
    check_contexts(run.contexts)
    targets = target_table(encoder, list(run.contexts), run.targets)
    mask = InputLayout(encoder, run.config.variant, run.config).mask
    contexts = {word: run.contexts[word] for word in targets.words}
    masked = masked_contexts(contexts, mask, run.config.contexts_a_word, seed=run.config.seed)
    if not any(masked):
        raise InputError("No sentence contains the word it is given for; check that words and sentences belong.")
    return TrainingData(targets.words, targets.matrix, masked)


def target_table(model: LanguageModel, words: Sequence[str], given: VectorTable | None = None) -> VectorTable:
    """Return a target for each word that is one piece, or that has a given input vector; warn of all others."""
    if given is not None and given.dim != model.input_dim:
        raise InputError(
            f"Targets must be input vectors of {model.name}, of dimension {model.input_dim}. Got vectors of dimension "
            f"{given.dim} instead; make them by everyword extract --how one-token."
        )
    listed = unique_words(words)
    matrix = model.input_matrix()
    found = {}
    for word, piece in zip(listed, single_pieces(model, listed), strict=True):
        vector = matrix[piece] if piece is not None else given.get(word) if given is not None else None
        if vector is not None:
            found[word] = vector
    warn_left_out(
        [word for word in listed if word not in found],
        len(listed),
        f"they are not one piece to the tokenizer of {model.name} and have no target",
        "make targets for them by everyword extract --how one-token",
    )
    return VectorTable(list(found), np.stack(list(found.values())))


def _clear(folder: Path) -> None:
    """Remove the state of an earlier run, but not the context vectors, which have a fingerprint in their name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (LOG, *(f"{stage}.safetensors" for stage in STAGES)):
        (folder / name).unlink(missing_ok=True)


def _record(run: TrainingRun, data: TrainingData) -> dict[str, Any]:
    return {
        "config": config.to_dict(run.config),
        "words": len(data.words),
        "contexts": len(data.flat),
        "data": data.fingerprint,
        "corpus": dict(run.corpus),
        "versions": {
            "everyword": __version__,
            "python": platform.python_version(),
            "torch": torch.__version__,
        },
    }
