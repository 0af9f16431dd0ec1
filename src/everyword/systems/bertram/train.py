"""From an encoder and sentences to a trained BERTRAM: targets, contexts, three stages."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from everyword import __version__, config
from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.learning.processes import Processes
from everyword.models.model import Model
from everyword.systems.bertram.config import BertramConfig
from everyword.systems.bertram.encoder_input import InputLayout
from everyword.systems.bertram.loop import LOG, checkpoint_path
from everyword.systems.bertram.masking import UnusedSentences, check_contexts, masked_contexts
from everyword.systems.bertram.model import Bertram
from everyword.systems.bertram.stages import STAGES, train_combined, train_context, train_form
from everyword.systems.bertram.targets import target_table
from everyword.systems.bertram.training import Training, TrainingData
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class TrainingRun:
    """What to train, from what, and where its state is kept."""

    contexts: Mapping[str, Sequence[str]]
    """Words and sentences in which they stand; the words that have a target are trained on."""
    folder: Path
    """Holds checkpoints, the log and the vectors of contexts."""
    config: BertramConfig = field(default_factory=BertramConfig)
    targets: VectorTable | None = None
    """Input vectors for words that are several pieces; see `everyword.language_models.one_token`."""
    form: Model | None = None
    """An everyword model whose vectors make the form part; None takes character n-grams."""
    resume: bool = False
    show_progress: bool = False
    processes: Processes = field(default_factory=Processes)
    corpus: Mapping[str, Any] = field(default_factory=dict)
    """What the sentences come from, for the record."""


def train_bertram(encoder: LanguageModel, run: TrainingRun) -> Bertram | None:
    """Train all three stages; None if Ctrl-C came first (the same call with `resume` then goes on)."""
    config.check(run.config)
    data = prepare(encoder, run)
    bertram = Bertram.untrained(encoder, data.words, run.config, form=run.form)
    if run.processes.first and not run.resume:
        _clear(run.folder)
    run.processes.wait()
    training = Training(
        bertram,
        data,
        run.folder,
        resume=run.resume,
        show_progress=run.show_progress and run.processes.first,
        processes=run.processes,
    )
    for stage in (train_context, train_form, train_combined):
        if not stage(training):
            return None
    bertram.record = _record(run, data)
    return bertram


def prepare(encoder: LanguageModel, run: TrainingRun) -> TrainingData:
    """The words that have a target and at least one sentence, each with its masked sentences."""
    check_contexts(run.contexts)
    targets = target_table(encoder, list(run.contexts), run.targets)
    mask = InputLayout(encoder, run.config.variant, run.config).mask
    unused = UnusedSentences()
    wanted = {word: run.contexts[word] for word in targets.words}
    masked = masked_contexts(wanted, mask, run.config.contexts_a_word, unused, run.config.seed)
    unused.warn()
    if not any(masked):
        raise InputError("None of the words stands in any of its sentences; check that words and sentences belong.")
    return TrainingData(targets.words, targets.matrix, masked)


def _clear(folder: Path) -> None:
    """Remove the state of an earlier run; vectors of contexts stay, because they are found by what they belong to."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (folder / LOG, *(checkpoint_path(folder, stage) for stage in STAGES)):
        path.unlink(missing_ok=True)


def _record(run: TrainingRun, data: TrainingData) -> dict[str, Any]:
    return {
        "config": config.to_dict(run.config),
        "words": len(data.words),
        "contexts": len(data.flat),
        "data": data.stamp,
        "corpus": dict(run.corpus),
        "versions": {
            "everyword": __version__,
            "python": platform.python_version(),
            "torch": torch.__version__,
        },
    }
