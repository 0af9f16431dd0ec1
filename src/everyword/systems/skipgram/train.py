"""From an encoder and a prepared corpus to a table of vectors."""

from __future__ import annotations

from everyword.language_models.language_model import LanguageModel
from everyword.learning.interrupt import Interrupt
from everyword.systems.skipgram.training import SkipgramRun, Training
from everyword.vectors.table import VectorTable


def train_skipgram(model: LanguageModel, run: SkipgramRun) -> VectorTable | None:
    """Train to the end; None if Ctrl-C came first, with the state kept, so that a resumed run ends with the same."""
    training = Training(model, run)
    with Interrupt() as interrupt:
        for _ in training.steps():
            # All processes stop after the same step, or none of them would go on.
            if run.processes.any(interrupt.requested):
                training.save()
                return None
    return training.table()
