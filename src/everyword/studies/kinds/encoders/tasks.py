"""What an encoder is fine-tuned for in a study: classes of texts, or tags of words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic

from everyword.corpus.labelled.bio import repair_bio, span_scores
from everyword.corpus.labelled.sets import D, TaggedSentences, Texts
from everyword.language_models.fine_tuning import FineTuning, accuracy, fine_tune, new_classifier
from everyword.language_models.token_tuning import fine_tune_tagger, new_tagger, tag_words

OUTSIDE = "O"


class EncoderTask(ABC, Generic[D]):
    """A task with its data sets, under the name that they have as benchmarks."""

    benchmark: str

    @abstractmethod
    def labels(self, train: D) -> list[str]:
        """Return the labels, in the order of the network's outputs."""

    @abstractmethod
    def new_network(self, encoder: str, labels: list[str], device: str, seed: int) -> tuple[Any, Any]:
        """Return the encoder with a fresh head, and its tokenizer."""

    @abstractmethod
    def tune(  # noqa: PLR0917
        self, network: Any, tokenizer: Any, train: D, dev: D, labels: list[str], config: FineTuning
    ) -> None:
        """Fine-tune a network in place."""

    @abstractmethod
    def score(self, network: Any, tokenizer: Any, data: D, labels: list[str], longest: int) -> float:
        """Return the score of a network, in percent."""


class TextTask(EncoderTask[Texts]):
    """Classes of texts, by accuracy."""

    benchmark = "classification"

    def labels(self, train: Texts) -> list[str]:
        return sorted(set(train.labels))

    def new_network(self, encoder: str, labels: list[str], device: str, seed: int) -> tuple[Any, Any]:
        return new_classifier(encoder, len(labels), device=device, seed=seed)

    def tune(  # noqa: PLR0917
        self, network: Any, tokenizer: Any, train: Texts, dev: Texts, labels: list[str], config: FineTuning
    ) -> None:
        fine_tune(network, tokenizer, *_shown(train, labels), *_shown(dev, labels), config)

    def score(self, network: Any, tokenizer: Any, data: Texts, labels: list[str], longest: int) -> float:
        return accuracy(network, tokenizer, *_shown(data, labels), longest=longest)


def _shown(texts: Texts, labels: list[str]) -> tuple[list[str], list[int]]:
    return [" ".join(tokens) for tokens in texts.tokens], [labels.index(label) for label in texts.labels]


class TagTask(EncoderTask[TaggedSentences]):
    """Tags of names, by F1 of spans."""

    benchmark = "tagging"

    def labels(self, train: TaggedSentences) -> list[str]:
        return [OUTSIDE, *sorted({tag for tags in train.tags for tag in tags} - {OUTSIDE})]

    def new_network(self, encoder: str, labels: list[str], device: str, seed: int) -> tuple[Any, Any]:
        return new_tagger(encoder, len(labels), device=device, seed=seed)

    def tune(  # noqa: PLR0917
        self,
        network: Any,
        tokenizer: Any,
        train: TaggedSentences,
        dev: TaggedSentences,
        labels: list[str],
        config: FineTuning,
    ) -> None:
        number = {label: place for place, label in enumerate(labels)}
        tags = [[number[tag] for tag in own] for own in train.tags]

        def on_dev() -> float:
            return self.score(network, tokenizer, dev, labels, config.longest)

        fine_tune_tagger(network, tokenizer, train.tokens, tags, on_dev, config)

    def score(self, network: Any, tokenizer: Any, data: TaggedSentences, labels: list[str], longest: int) -> float:
        found = tag_words(network, tokenizer, data.tokens, cut_off=0, longest=longest)
        return span_scores(data.tags, [repair_bio([labels[number] for number in own]) for own in found])["f1"]


TASKS: dict[str, EncoderTask[Any]] = {"texts": TextTask(), "tags": TagTask()}
"""By the first part of a column."""
