"""The network of a task: a classifier for texts, a tagger for tagged sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from everyword.evaluation.evaluated_model import CHARACTERS, EvaluatedModel
from everyword.evaluation.task import Task
from everyword.evaluation.tasks.extrinsic.classification import Classifier, ClassifyConfig
from everyword.evaluation.tasks.extrinsic.data import TaggedSentences, Texts
from everyword.evaluation.tasks.extrinsic.learner import Learner
from everyword.evaluation.tasks.extrinsic.tagging import TagConfig, TagLearner
from everyword.learning.word_vectors import WordVectors
from everyword.systems.taggers.characters import CharacterEncoder
from everyword.systems.taggers.inputs import WITH_VECTORS, Input


@dataclass(frozen=True)
class NetworkInput:
    """What a network reads of a word."""

    model: EvaluatedModel
    input: Input = "frozen"
    characters: CharacterEncoder | None = None
    """The character encoder; a fresh one if none is given."""

    @classmethod
    def by_policy(cls, model: EvaluatedModel) -> NetworkInput:
        """Read the vectors and, under the policy "characters", a fresh character encoder."""
        return cls(model, "frozen+char" if model.policy == CHARACTERS else "frozen")

    def words(self) -> WordVectors:
        """Return the word vectors, if they are read at all."""
        if self.input not in WITH_VECTORS:
            return WordVectors(None, 0)
        return WordVectors(self.model.encode, self.model.dim, self.model.known)

    def suits(self, task: Task) -> bool:
        """Whether the network of a task can read this input."""
        return self.input == "frozen" or task.reads_characters


def learner_of(
    given: NetworkInput, train: Texts | TaggedSentences, dev: Texts | TaggedSentences, **learning: Any
) -> Learner[Any]:
    """Return a classifier for texts or a tagger for tagged sentences; keywords change its `LearnerConfig`."""
    if isinstance(train, Texts) and isinstance(dev, Texts):
        classify = ClassifyConfig()
        classify = replace(classify, learning=replace(classify.learning, **learning))
        return Classifier(given.words(), train, dev, classify)
    assert isinstance(train, TaggedSentences)
    assert isinstance(dev, TaggedSentences)
    tag = TagConfig(input=given.input, crf=train.scheme == "bio")
    tag = replace(tag, learning=replace(tag.learning, **learning))
    return TagLearner(given.words(), train, dev, tag, given.characters)
