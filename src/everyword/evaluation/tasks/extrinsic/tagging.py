"""Tagging with a BiLSTM: entities, chunks and parts of speech."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.config import to_dict
from everyword.errors import ConfigError
from everyword.evaluation.tasks.extrinsic.data import TaggedSentences
from everyword.evaluation.tasks.extrinsic.learner import Learner, LearnerConfig
from everyword.evaluation.tasks.extrinsic.protocol import LearnerScores, score_test
from everyword.evaluation.tasks.extrinsic.spans import span_scores, token_accuracy
from everyword.learning.batching import pad
from everyword.learning.word_vectors import Encode, WordVectors
from everyword.systems.taggers.bilstm import Tagger, WordInput
from everyword.systems.taggers.characters import CharacterEncoder, fresh_characters
from everyword.systems.taggers.inputs import INPUTS, WITH_VECTORS, Input


@dataclass(frozen=True)
class TagConfig:
    """The tagger. LOVE's paper uses SGD, batches of 768 and 100 epochs; Adam on small batches needs far fewer."""

    input: Input = "frozen"
    hidden: int = 300
    """States of the LSTM, both directions together."""
    dropout: float = 0.5
    crf: bool = True
    lookup: int = 100
    """Length of the trained word vectors of the input "full"."""
    character_states: int = 25
    """States of the character LSTM, each direction, unless an encoder is given."""
    learning: LearnerConfig = field(default_factory=lambda: LearnerConfig(epochs=20, batch=32))


class TagLearner(Learner[TaggedSentences]):
    """Learns the tags of tokens."""

    def __init__(
        self,
        words: WordVectors,
        train: TaggedSentences,
        dev: TaggedSentences,
        config: TagConfig,
        characters: CharacterEncoder | None = None,
    ) -> None:
        if config.input not in INPUTS:
            raise ConfigError(f"The input must be one of {', '.join(INPUTS)}. Got {config.input!r} instead.")
        if config.input in WITH_VECTORS and not words.dim:
            raise ConfigError(f"The input {config.input!r} needs vectors: give a function that encodes words.")
        if characters is not None and config.input == "frozen":
            raise ConfigError("The input 'frozen' reads no characters; choose frozen+char, char, full or full+emb.")
        super().__init__(words, train, dev, config.learning)
        self.main = "f1" if train.scheme == "bio" else "accuracy"
        self.config, self.characters = config, characters
        counts = np.bincount(np.concatenate(self.train_rows), minlength=self.trained_rows)
        self.rare = torch.from_numpy(counts == 1)

    def network(self) -> Tagger:
        config = self.config
        characters = None if self.characters is None else self.characters.copy()
        if characters is None and config.input != "frozen":
            characters = fresh_characters(self.words.tokens[: self.trained_rows], config.character_states)
        read = WordInput(
            config.input,
            self.words,
            trained_rows=self.trained_rows,
            rare=self.rare,
            lookup=config.lookup,
            characters=characters,
        )
        return Tagger(read, len(self.labels), hidden=config.hidden, dropout=config.dropout, crf=config.crf)

    def loss(self, network: nn.Module, rows: Tensor, lengths: Tensor, targets: Sequence[IndexArray]) -> Tensor:
        return cast(Tagger, network).loss(rows, lengths, pad(targets)[0].to(rows.device))

    def predict(self, network: nn.Module, rows: Tensor, lengths: Tensor) -> list[list[int]]:
        return cast(Tagger, network).best(rows, lengths)

    def scores(self, data: TaggedSentences, predicted: Sequence[Sequence[str]]) -> dict[str, float]:
        """Return F1, precision and recall over spans where tags mark spans, and the accuracy over tokens.

        "accuracy_unseen" is the accuracy over tokens that train does not contain, if there are any.
        """
        scores = span_scores(data.tags, predicted) if self.main == "f1" else {}
        scores["accuracy"] = token_accuracy(data.tags, predicted)
        rows = self.words.rows(data.tokens)
        unseen = np.concatenate(rows) >= self.trained_rows
        if unseen.any():
            gold, guessed = (np.concatenate(tags)[unseen] for tags in (data.tags, predicted))
            scores["accuracy_unseen"] = 100 * float(np.mean(gold == guessed))
        return scores

    def describe(self) -> Mapping[str, Any]:
        if self.characters is None:
            return to_dict(self.config)
        return {**to_dict(self.config), "characters": self.characters.fingerprint()}


def tag(
    encode: Encode | None,
    dim: int,
    train: TaggedSentences,
    dev: TaggedSentences,
    test: TaggedSentences,
    *,
    config: TagConfig | None = None,
    known: Callable[[str], bool] | None = None,
    characters: CharacterEncoder | None = None,
    save_to: Path | None = None,
) -> LearnerScores:
    """Train on `train`, choose by `dev`, score on `test`. The inputs full and char need no `encode`."""
    learner = TagLearner(WordVectors(encode, dim, known), train, dev, config or TagConfig(), characters)
    return score_test(learner, test, save_to=save_to)
