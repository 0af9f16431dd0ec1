"""Training of a tagger on tagged sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import torch
from torch import Tensor

from everyword import config as configs
from everyword.arrays import IndexArray
from everyword.corpus.labelled.bio import span_scores, to_bioes, token_accuracy
from everyword.corpus.labelled.sets import TaggedSentences
from everyword.errors import InputError
from everyword.files import fingerprint
from everyword.learning.adversarial import AdversarialConfig, AdversarialTraining
from everyword.learning.averaging import WeightAveraging
from everyword.learning.batching import pad, shuffled
from everyword.learning.crf import mask_of
from everyword.learning.hooks import EpochReport, Hook
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.schedules import falling
from everyword.learning.sources import Source
from everyword.learning.techniques import CHOICE, chosen_by, told, weight_hooks
from everyword.learning.word_forms import frequent_words
from everyword.systems.taggers.bilstm import Tagger
from everyword.systems.taggers.config import TaggerConfig
from everyword.systems.taggers.tagger import SequenceTagger


@dataclass(frozen=True)
class TrainedTagger:
    """A trained tagger with its score on dev."""

    tagger: SequenceTagger
    dev: float
    """F1 over spans if tags mark spans, and the share of correct tags otherwise; in percent."""
    epoch: int
    """The epoch of its weights, from 1."""


def train_tagger(
    train: TaggedSentences,
    dev: TaggedSentences,
    sources: Sequence[Source],
    config: TaggerConfig | None = None,
    *,
    device: str = "cpu",
    run: RunContext | None = None,
    report: Callable[[str], None] | None = None,
) -> TrainedTagger | None:
    """Train a tagger, and keep the weights of the epoch that is best on dev.

    Args:
        train: What it learns from.
        dev: What the epoch is chosen by.
        sources: Where the vectors of words come from.
        config: The network and its training.
        device: Where it runs.
        run: Where its state is kept; by default nothing is.
        report: Gets a line of text after each epoch.

    Returns:
        The tagger, or None if Ctrl-C stopped a training that can be resumed.

    Raises:
        InputError: If there is nothing to learn, or no source knows a word.
    """
    config = config or TaggerConfig()
    labels = tags_to_learn(train, dev)
    if train.scheme == "bio" and config.marks == "bioes":
        train = replace(train, tags=tuple(tuple(to_bioes(tags)) for tags in train.tags))
        labels = sorted({tag for tags in train.tags for tag in tags})
    vocabulary = frequent_words(train.tokens, 1 if config.tuned else 2) if config.tuned or config.lookup else []
    alphabet = "".join(sorted({letter for tokens in train.tokens for token in tokens for letter in token}))
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        tagger = SequenceTagger(
            sources, labels, config, device, alphabet=alphabet, scheme=train.scheme, vocabulary=vocabulary
        )
        rows = tagger.words.rows(train.tokens)
        if sources and not tagger.words.vectors.any():
            raise InputError("No source has a vector for any word of the training data; are they of this language?")
        batches, data = _batches(rows, config), _Data(tagger, rows, train)
        hooks, on_gpu = data.hooks(len(batches(0, 0))), torch.device(device).type == "cuda"

        def evaluate() -> dict[str, float]:
            for hook in hooks:
                if isinstance(hook, WeightAveraging):
                    hook.use()
            return chosen_by(score(tagger, dev, beam=1), hooks, loop.progress.epoch)

        loop = TrainingLoop(
            tagger.network,
            TorchOptimiser(torch.optim.Adam(tagger.network.parameters(), lr=config.learning_rate, fused=on_gpu)),
            epochs=config.epochs,
            batches=batches,
            loss=data.loss,
            learning_rate=falling(config.learning_rate, config.epochs, config.schedule, config.decay),
            seed=config.seed,
            evaluate=evaluate,
            best=CHOICE,
            patience=config.patience,
            hooks=[*hooks, EpochReport(told(report))],
            run=run,
            fingerprint=fingerprint([configs.to_dict(config), list(tagger.sources.names), train.tokens, train.tags]),
        )
        if not loop.run():
            return None
    return TrainedTagger(tagger, loop.progress.best_score, loop.progress.best_epoch + 1)


def score(tagger: SequenceTagger, data: TaggedSentences, beam: int | None = None) -> float:
    """Return F1 over spans if tags mark spans, and the share of correct tags otherwise; in percent."""
    predicted = tagger.tag(data.tokens, beam)
    return span_scores(data.tags, predicted)["f1"] if data.scheme == "bio" else token_accuracy(data.tags, predicted)


def tags_to_learn(train: TaggedSentences, dev: TaggedSentences) -> list[str]:
    """Return the tags of train in order; raise InputError if there is nothing to learn or to choose by."""
    for data in (train, dev):
        if not len(data):
            raise InputError(f"There are no sentences in {data.name}; one or more are needed.")
        for number, (tokens, tags) in enumerate(zip(data.tokens, data.tags, strict=True), start=1):
            if not tokens or len(tokens) != len(tags):
                raise InputError(f"Sentence {number} of {data.name} has {len(tokens)} tokens and {len(tags)} tags.")
    labels = sorted({tag for tags in train.tags for tag in tags})
    if len(labels) < 2:
        raise InputError(f"{train.name} has only one tag, {labels[0]!r}; two or more are needed.")
    return labels


def _batches(rows: Sequence[IndexArray], config: TaggerConfig) -> Callable[[int, int], list[IndexArray]]:
    sizes = np.array([len(row) for row in rows], dtype=np.int64)
    return lambda epoch, first: shuffled(sizes, config.batch, np.random.default_rng([config.seed, epoch]))[first:]


class _Data:
    """Sentences as rows and numbers of tags, what is learnt from a batch of them, and the techniques that take part."""

    def __init__(self, tagger: SequenceTagger, rows: Sequence[IndexArray], train: TaggedSentences) -> None:
        number = {label: position for position, label in enumerate(tagger.labels)}
        self.tagger, self.rows = tagger, rows
        self.targets = [np.array([number[tag] for tag in tags], dtype=np.int64) for tags in train.tags]

    def inputs(self, chosen: IndexArray) -> tuple[Tensor, Tensor]:
        padded, lengths = pad([self.rows[index] for index in chosen])
        return padded.to(self.tagger.device), lengths

    def loss(self, chosen: IndexArray) -> Tensor:
        tags, _ = pad([self.targets[index] for index in chosen])
        return self.tagger.network.loss(*self.inputs(chosen), tags.to(self.tagger.device))

    def scores(self, chosen: IndexArray) -> Tensor:
        return cast(Tagger, self.tagger.network).emissions(*self.inputs(chosen))

    def inside(self, chosen: IndexArray) -> Tensor:
        rows, lengths = self.inputs(chosen)
        return mask_of(lengths.to(rows.device), rows.shape[1])

    def hooks(self, steps: int) -> list[Hook]:
        """Return the techniques that the configuration asks for, given the number of steps of an epoch."""
        config, network = self.tagger.config, self.tagger.network
        found: list[Hook] = []
        if config.adversarial:
            settings = AdversarialConfig(eps=config.adversarial)
            found.append(AdversarialTraining(self.tagger.read, self.loss, self.scores, settings, self.inside))
        found += weight_hooks(network, config.clip, config.prune, steps * config.epochs)
        if config.averaged:
            found.append(WeightAveraging(network, config.averaged))
        return found
