"""The networks of extrinsic tasks over frozen word vectors: a CNN that classifies texts, a BiLSTM that tags sentences.

Tags are entities, chunks or parts of speech.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray, IndexArray
from everyword.config import to_dict
from everyword.corpus.labelled.bio import span_scores, token_accuracy
from everyword.corpus.labelled.sets import D, TaggedSentences, Texts, labels_of
from everyword.errors import ConfigError
from everyword.evaluation.evaluated_model import CHARACTERS, EvaluatedModel
from everyword.evaluation.task import Task
from everyword.evaluation.tasks.extrinsic.inputs import INPUTS, WITH_VECTORS, Input
from everyword.evaluation.tasks.extrinsic.learner import Learner, LearnerConfig
from everyword.evaluation.tasks.extrinsic.occurrences import ContextualInput
from everyword.evaluation.tasks.extrinsic.protocol import LearnerScores, score_test
from everyword.evaluation.tasks.extrinsic.word_input import WordInput
from everyword.learning.batching import pad
from everyword.learning.characters import CharacterEncoder, fresh_characters
from everyword.learning.word_vectors import Encode, WordVectors, scale_to
from everyword.systems.classifiers.text_cnn import TextCnn
from everyword.systems.taggers.bilstm import Tagger


@dataclass(frozen=True)
class ClassifyConfig:
    """The classifier of the LOVE paper."""

    input: Input = "frozen"
    widths: tuple[int, ...] = (3, 4, 5)
    filters: int = 100
    """For each width."""
    dropout: float = 0.5
    lookup: int = 100
    """Length of the trained word vectors of the input "full"."""
    character_states: int = 25
    """States of the character LSTM, each direction, unless an encoder is given."""
    learning: LearnerConfig = field(default_factory=LearnerConfig)


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
    shared: bool = False
    """Whether a trained map of the vectors, tanh(W x), stands before the LSTM."""
    learning: LearnerConfig = field(default_factory=lambda: LearnerConfig(epochs=20, batch=32))


class ReadingCnn(nn.Module):
    """A CNN that reads more of a word than its vector."""

    def __init__(self, read: WordInput, cnn: TextCnn) -> None:
        super().__init__()
        self.read, self.cnn = read, cnn

    def forward(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Rows (texts, positions) → scores (texts, labels)."""
        scores: Tensor = self.cnn(self.read(rows), lengths)
        return scores


class NetworkLearner(Learner[D]):
    """A learner whose network reads vectors, characters or both."""

    config: ClassifyConfig | TagConfig

    def __init__(
        self,
        words: WordVectors,
        train: D,
        dev: D,
        config: ClassifyConfig | TagConfig,
        characters: CharacterEncoder | None = None,
    ) -> None:
        if config.input not in INPUTS:
            raise ConfigError(f"The input must be one of {', '.join(INPUTS)}. Got {config.input!r} instead.")
        if config.input in WITH_VECTORS and not words.dim:
            raise ConfigError(f"The input {config.input!r} needs vectors: give a function that encodes words.")
        if characters is not None and config.input == "frozen":
            raise ConfigError("The input 'frozen' reads no characters; choose frozen+char, char, full or full+emb.")
        super().__init__(words, train, dev, config.learning)
        self.config, self.characters = config, characters
        counts = np.bincount(np.concatenate(self.train_rows), minlength=self.trained_rows)
        self.rare = torch.from_numpy(counts == 1)

    def word_input(self) -> WordInput:
        """Return what reads words, with fresh weights."""
        config = self.config
        characters = None if self.characters is None else self.characters.copy()
        if characters is None and config.input != "frozen":
            characters = fresh_characters(self.words.tokens[: self.trained_rows], config.character_states)
        return WordInput(
            config.input,
            self.words,
            trained_rows=self.trained_rows,
            rare=self.rare,
            lookup=config.lookup,
            characters=characters,
        )

    def describe(self) -> Mapping[str, Any]:
        if self.characters is None:
            return to_dict(self.config)
        return {**to_dict(self.config), "characters": self.characters.fingerprint()}


class Classifier(NetworkLearner[Texts]):
    """Learns the labels of texts."""

    main = "accuracy"
    config: ClassifyConfig

    def network(self) -> TextCnn | ReadingCnn:
        config = self.config
        read = None if config.input == "frozen" else self.word_input()
        cnn = TextCnn(
            self.words.dim if read is None else read.dim,
            len(self.labels),
            widths=config.widths,
            filters=config.filters,
            dropout=config.dropout,
        )
        return cnn if read is None else ReadingCnn(read, cnn)

    def _scores(self, network: nn.Module, rows: Tensor, lengths: Tensor) -> Tensor:
        read = rows if isinstance(network, ReadingCnn) else self.words.look_up(rows)
        scores: Tensor = network(read, lengths)
        return scores

    def loss(self, network: nn.Module, rows: Tensor, lengths: Tensor, targets: Sequence[IndexArray]) -> Tensor:
        labels = torch.from_numpy(np.concatenate(targets)).to(rows.device)
        return F.cross_entropy(self._scores(network, rows, lengths), labels)

    def predict(self, network: nn.Module, rows: Tensor, lengths: Tensor) -> list[list[int]]:
        best: Tensor = self._scores(network, rows, lengths).argmax(dim=1)
        return [[label] for label in best.tolist()]

    def scores(self, data: Texts, predicted: Sequence[Sequence[str]]) -> dict[str, float]:
        return {"accuracy": token_accuracy(labels_of(data), predicted)}


def classify(
    encode: Encode | None,
    dim: int,
    train: Texts,
    dev: Texts,
    test: Texts,
    *,
    config: ClassifyConfig | None = None,
    known: Callable[[str], bool] | None = None,
    save_to: Path | None = None,
) -> LearnerScores:
    """Train on `train`, choose by `dev`, score on `test`. Without `known`, a token with a zero vector is unknown."""
    learner = Classifier(WordVectors(encode, dim, known), train, dev, config or ClassifyConfig())
    return score_test(learner, test, save_to=save_to)


class TagLearner(NetworkLearner[TaggedSentences]):
    """Learns the tags of tokens."""

    config: TagConfig

    def __init__(
        self,
        words: WordVectors,
        train: TaggedSentences,
        dev: TaggedSentences,
        config: TagConfig,
        characters: CharacterEncoder | None = None,
    ) -> None:
        self.main = "f1" if train.scheme == "bio" else "accuracy"
        super().__init__(words, train, dev, config, characters)

    def network(self) -> Tagger:
        config = self.config
        return Tagger(
            self.word_input(),
            len(self.labels),
            hidden=config.hidden,
            dropout=config.dropout,
            crf=config.crf,
            shared=config.shared,
        )

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


@dataclass(frozen=True)
class NetworkInput:
    """What a network reads of a word."""

    model: EvaluatedModel
    input: Input = "frozen"
    characters: CharacterEncoder | None = None
    """The character encoder; a fresh one if none is given."""
    scale: float = 1.0
    """What all vectors are multiplied by."""

    @classmethod
    def by_policy(cls, model: EvaluatedModel) -> NetworkInput:
        """Read the vectors and, under the policy "characters", a fresh character encoder."""
        return cls(model, "frozen+char" if model.policy == CHARACTERS else "frozen")

    def words(self) -> WordVectors:
        """Return the word vectors, if they are read at all."""
        if self.input not in WITH_VECTORS:
            return WordVectors(None, 0)
        return WordVectors(self._encode, self.model.dim, self.model.known)

    def of_size(self, size: float, data: Texts | TaggedSentences) -> NetworkInput:
        """Return the same input, scaled so that the coordinates of the words of some data have a root mean square."""
        if self.input not in WITH_VECTORS:
            return self
        words = list(dict.fromkeys(token for tokens in data.tokens for token in tokens))
        return replace(self, scale=scale_to(self.model.encode(words), size))

    def _encode(self, words: Sequence[str]) -> FloatArray:
        return self.model.encode(words) * np.float32(self.scale)

    def read(self, data: D) -> D:
        """Return data as the networks read it: as it is."""
        return data

    def suits(self, task: Task) -> bool:
        """Whether the network of a task can read this input."""
        return self.input == "frozen" or task.reads_characters


def learner_of(
    given: NetworkInput | ContextualInput, train: Texts | TaggedSentences, dev: Texts | TaggedSentences, **learning: Any
) -> Learner[Any]:
    """Return a classifier for texts or a tagger for tagged sentences; keywords change its `LearnerConfig`."""
    if isinstance(train, Texts) and isinstance(dev, Texts):
        classify = ClassifyConfig(input=given.input)
        classify = replace(classify, learning=replace(classify.learning, **learning))
        return Classifier(given.words(), train, dev, classify, given.characters)
    assert isinstance(train, TaggedSentences)
    assert isinstance(dev, TaggedSentences)
    tag = TagConfig(input=given.input, crf=train.scheme == "bio")
    tag = replace(tag, learning=replace(tag.learning, **learning))
    return TagLearner(given.words(), train, dev, tag, given.characters)
