"""From a language model and labelled texts to a rarified set: split, fine-tune with hidden words, rarify."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.evaluation.robustness.rare_texts.hiding import HidingConfig, hide_words
from everyword.evaluation.robustness.rare_texts.items import RareText
from everyword.evaluation.robustness.rare_texts.rarify import rarify
from everyword.evaluation.robustness.rare_texts.substitutes import Substitutes
from everyword.evaluation.tasks.extrinsic.splits import Splits, chosen
from everyword.evaluation.tasks.extrinsic.texts import Texts
from everyword.systems.classifiers.fine_tuning import FineTuning, accuracy, fine_tune, predict


@dataclass(frozen=True)
class RarifyConfig:
    """How a set is made."""

    max_words: int = 5
    """Words of a text that are replaced at most."""
    misspelt_share: float = 0.1
    """The share of words of a text that may be misspelt."""
    rare_below: int = 100
    """A word that stands less often in the corpus is rare."""
    ambiguous: bool = False
    """Whether words of several parts of speech get synonyms too."""
    train_share: float = 1 / 3
    """What is left to train on at least."""
    hiding: HidingConfig = field(default_factory=HidingConfig)
    training: FineTuning = field(default_factory=FineTuning)
    freeze_embeddings: bool = True
    """Whether the vectors of pieces stay as they are, so that others of their space can take their places."""
    seed: int = 0

    def problems(self) -> list[str]:
        """Values that cannot be."""
        wrong = [] if self.max_words > 0 else [f"max_words must be 1 or more. Got {self.max_words} instead"]
        shares = {"misspelt_share": self.misspelt_share, "train_share": self.train_share}
        return wrong + [
            f"{name} must lie between 0 and 1. Got {value:g} instead"
            for name, value in shares.items()
            if not 0 <= value < 1
        ]


def split_candidates(data: Texts, substitutes: Substitutes, config: RarifyConfig) -> tuple[Texts, Texts]:
    """What is trained on, and what may be rarified: texts with a word that has a substitute, drawn by seed."""
    rng = Random(config.seed)
    order = list(range(len(data)))
    rng.shuffle(order)
    able = [place for place in order if any(substitutes.of(data.tokens[place], config.seed))]
    candidates = set(able[: int((1 - config.train_share) * len(data))])
    rest = [place for place in range(len(data)) if place not in candidates]
    return chosen(data, rest, f"{data.name}-train"), chosen(data, sorted(candidates), f"{data.name}-candidates")


class TransformerClassifier:
    """A fine-tuned network as `rarify` asks it."""

    def __init__(self, network: Any, tokenizer: Any, labels: Sequence[str]) -> None:
        self.network, self.tokenizer = network, tokenizer
        self.labels: Sequence[str] = labels
        self.mask: str | None = tokenizer.mask_token

    def predict_proba(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """The probability of each label."""
        return predict(self.network, self.tokenizer, [" ".join(tokens) for tokens in texts])

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The most probable label of each text."""
        return [self.labels[row] for row in self.predict_proba([text.split() for text in texts]).argmax(axis=1)]


@dataclass(frozen=True)
class RareTextSet:
    """A rarified set, and the sizes on the way to it."""

    texts: list[RareText]
    trained: int
    candidates: int
    dev_accuracy: float

    def numbers(self) -> dict[str, float]:
        """For the record."""
        replaced = [len(text.replaced) for text in self.texts]
        return {
            "trained_on": self.trained,
            "candidates": self.candidates,
            "dev_accuracy": round(self.dev_accuracy, 4),
            "rarified": len(self.texts),
            "replaced_words": round(float(np.mean(replaced)), 4) if replaced else 0.0,
        }


def make_rare_texts(
    network: Any,
    tokenizer: Any,
    texts: Texts,
    dev: Texts,
    *,
    substitutes: Substitutes,
    config: RarifyConfig,
    tell: Callable[[str], None],
) -> RareTextSet:
    """Fine-tune the network on texts with hidden and doubled words, then rarify the others; the network is changed."""
    if tokenizer.mask_token is None:
        raise InputError("The tokenizer has no mask; rarifying needs a model that guesses masked words.")
    train, candidates = split_candidates(texts, substitutes, config)
    labels = sorted(set(texts.labels))
    tell(f"{len(train):,} texts to train on, {len(candidates):,} candidates")
    network.config.id2label = dict(enumerate(labels))
    network.config.label2id = {label: number for number, label in enumerate(labels)}
    known, told = ((list(map(" ".join, data.tokens)), list(map(labels.index, data.labels))) for data in (train, dev))
    rewrite = hide_words(config.hiding, tokenizer.mask_token)
    training = replace(config.training, freeze_embeddings=config.freeze_embeddings, seed=config.seed)
    fine_tune(network, tokenizer, *known, *told, training, rewrite=rewrite, tell=tell)
    classifier = TransformerClassifier(network, tokenizer, labels)
    rare = rarify(classifier, candidates, substitutes, max_words=config.max_words, seed=config.seed)
    return RareTextSet(rare, len(train), len(candidates), accuracy(network, tokenizer, *told))


def all_texts(splits: Splits[Texts]) -> Texts:
    """Train and test together: the rarified set is a test set of its own."""
    both = splits.train, splits.test
    return Texts(
        splits.train.name,
        tuple(tokens for data in both for tokens in data.tokens),
        tuple(label for data in both for label in data.labels),
    )


def load_classifier(folder: Path, device: str = "auto") -> TransformerClassifier:
    """The classifier that a set was made for."""
    from everyword.language_models.heads import load_with_head

    network, tokenizer = load_with_head(folder, "SequenceClassification", device=device)
    labels = [network.config.id2label[number] for number in range(network.config.num_labels)]
    return TransformerClassifier(network, tokenizer, labels)
