"""A small BERT of one's own: trained on a corpus to guess masked words, saved so that transformers loads it.

Small enough for minutes on a GPU; what it does not know of rare words is the reason for it. Once the corpus is prepared
it needs torch, transformers and NumPy only.
"""

from __future__ import annotations

from pathlib import Path

from everyword.learning.interrupt import Interrupt
from everyword.systems.tiny_bert.config import Run
from everyword.systems.tiny_bert.masked_corpus import MaskedCorpus, load_corpus, prepare_corpus
from everyword.systems.tiny_bert.training import CHECKPOINT, Training


def prepare(run: Run) -> MaskedCorpus:
    """The corpus of a run, made from its texts, or as it lies in its folder."""
    if not run.texts:
        return load_corpus(run.folder)
    (run.folder / CHECKPOINT).unlink(missing_ok=True)  # of a run that this one replaces
    chosen = run.config
    return prepare_corpus(
        run.texts,
        run.folder,
        vocabulary=chosen.vocabulary,
        vocabulary_sentences=chosen.vocabulary_sentences,
        length=chosen.length,
        tell=run.tell,
    )


def train(run: Run, output: Path) -> bool:
    """Train and save; False if Ctrl-C came first, and the run can be resumed."""
    corpus = load_corpus(run.folder) if run.resume else prepare(run)
    training = Training(run, corpus)
    if run.resume and (run.folder / CHECKPOINT).exists():
        training.load()
    with Interrupt() as interrupt:
        for _ in training.steps():
            if interrupt.requested:
                training.save()
                return False
    training.finish(output)
    return True
