"""Make a rarified set from a language model and labelled texts: split, fine-tune with hidden words, rarify, save."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.atomic import write_atomic
from everyword.config import Count, Fraction, Share, to_dict
from everyword.corpus.labelled.sets import Splits, Texts, chosen, text_splits
from everyword.errors import InputError
from everyword.evaluation.probes.cloze.counts import read_counts
from everyword.evaluation.robustness.rare_texts.items import CLASSIFIER, RECORD, TEXTS, RareText, write_rare_texts
from everyword.evaluation.robustness.rare_texts.rarify import rarify
from everyword.evaluation.robustness.rare_texts.substitutes import (
    Substitutes,
    make_misspellings,
    read_misspellings,
    read_synonyms,
)
from everyword.language_models.fine_tuning import FineTuning, accuracy, fine_tune, new_classifier, predict

SLASH = "/"


@dataclass(frozen=True)
class HidingConfig:
    """How often words are hidden or doubled in training texts.

    The classifier learns to do without words, and to read "word / word".
    """

    masked: Fraction = 0.05
    """The share of words that are hidden."""
    doubled: Fraction = 0.1
    """The share of words that are written twice, with a slash between them."""
    doubled_masked: Fraction = 0.25
    """The share of those copies that are hidden."""


def hide_words(hiding: HidingConfig, mask: str) -> Callable[[str, Random], str]:
    """Return a function that rewrites a text for one epoch."""

    def rewrite(text: str, rng: Random) -> str:
        return " ".join(word for token in text.split() for word in _shown(token, hiding, mask, rng))

    return rewrite


def _shown(token: str, hiding: HidingConfig, mask: str, rng: Random) -> list[str]:
    if rng.random() < hiding.doubled:
        first, second = (mask if rng.random() < hiding.doubled_masked else token for _ in range(2))
        return [first, SLASH, second]
    return [mask if rng.random() < hiding.masked else token]


@dataclass(frozen=True)
class RarifyConfig:
    """How a rarified set is made."""

    max_words: Count = 5
    """The maximum number of words of a text to replace."""
    misspelt_share: Share = 0.1
    """The share of words of a text that may be misspelt."""
    rare_below: int = 100
    """Words with fewer occurrences in the corpus are rare."""
    ambiguous: bool = False
    """Whether words with several parts of speech get synonyms too."""
    train_share: Share = 1 / 3
    """The minimum share of texts to train on."""
    hiding: HidingConfig = field(default_factory=HidingConfig)
    training: FineTuning = field(default_factory=FineTuning)
    freeze_embeddings: bool = True
    """Whether the vectors of pieces stay fixed, so that other vectors of their space can replace them."""
    seed: int = 0


@dataclass(frozen=True)
class Sources:
    """The files that rare words come from."""

    counts: Path
    """Word counts of the corpus that defines what is rare."""
    synonyms: Path | None = None
    misspellings: Path | None = None
    """Without a list, typos are generated."""

    def substitutes(self, config: RarifyConfig, texts: Texts) -> Substitutes:
        """Return the rare words that may replace words of texts."""
        counted, below = read_counts(self.counts), config.rare_below
        words = [token.lower() for tokens in texts.tokens for token in tokens]
        return Substitutes(
            {} if self.synonyms is None else read_synonyms(self.synonyms, counted, below, ambiguous=config.ambiguous),
            make_misspellings(words, counted, below, config.seed)
            if self.misspellings is None
            else read_misspellings(self.misspellings, counted, below),
            config.misspelt_share,
        )


def split_candidates(data: Texts, substitutes: Substitutes, config: RarifyConfig) -> tuple[Texts, Texts]:
    """Split texts into those to train on and those to rarify, which have a word with a substitute, by seed."""
    rng = Random(config.seed)
    order = list(range(len(data)))
    rng.shuffle(order)
    able = [row for row in order if any(substitutes.of(data.tokens[row], config.seed))]
    candidates = set(able[: int((1 - config.train_share) * len(data))])
    rest = [row for row in range(len(data)) if row not in candidates]
    return chosen(data, rest, f"{data.name}-train"), chosen(data, sorted(candidates), f"{data.name}-candidates")


class TransformerClassifier:
    """A fine-tuned network with the interface that `rarify` needs."""

    def __init__(self, network: Any, tokenizer: Any, labels: Sequence[str]) -> None:
        self.network, self.tokenizer = network, tokenizer
        self.labels: Sequence[str] = labels
        self.mask: str | None = tokenizer.mask_token

    def predict_proba(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """Return the probability of each label."""
        return predict(self.network, self.tokenizer, [" ".join(tokens) for tokens in texts])

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Return the most probable label of each text."""
        return [self.labels[row] for row in self.predict_proba([text.split() for text in texts]).argmax(axis=1)]


@dataclass(frozen=True)
class RareTextSet:
    """A rarified set, with the numbers of its making."""

    texts: list[RareText]
    trained: int
    candidates: int
    dev_accuracy: float

    def numbers(self) -> dict[str, float]:
        """Return the numbers for the record."""
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
    report: Callable[[str], None],
) -> RareTextSet:
    """Fine-tune the network, in place, on texts with hidden and doubled words, then rarify the others."""
    if tokenizer.mask_token is None:
        raise InputError("The tokenizer has no mask token; rarifying needs a model that predicts masked words.")
    train, candidates = split_candidates(texts, substitutes, config)
    labels = sorted(set(texts.labels))
    report(f"{len(train):,} texts to train on, {len(candidates):,} candidates")
    network.config.id2label = dict(enumerate(labels))
    network.config.label2id = {label: number for number, label in enumerate(labels)}
    known, held = ((list(map(" ".join, data.tokens)), list(map(labels.index, data.labels))) for data in (train, dev))
    rewrite = hide_words(config.hiding, tokenizer.mask_token)
    training = replace(config.training, freeze_embeddings=config.freeze_embeddings, seed=config.seed)
    fine_tune(network, tokenizer, *known, *held, training, rewrite=rewrite, report=report)
    classifier = TransformerClassifier(network, tokenizer, labels)
    rare = rarify(classifier, candidates, substitutes, max_words=config.max_words, seed=config.seed)
    return RareTextSet(rare, len(train), len(candidates), accuracy(network, tokenizer, *held))


def all_texts(splits: Splits[Texts]) -> Texts:
    """Return train and test together, because the rarified set is its own test set."""
    both = splits.train, splits.test
    return Texts(
        splits.train.name,
        tuple(tokens for data in both for tokens in data.tokens),
        tuple(label for data in both for label in data.labels),
    )


def load_classifier(folder: Path, device: str = "auto") -> TransformerClassifier:
    """Load the classifier that a set was made for."""
    from everyword.language_models.heads import load_with_head

    network, tokenizer = load_with_head(folder, "SequenceClassification", device=device)
    labels = [network.config.id2label[number] for number in range(network.config.num_labels)]
    return TransformerClassifier(network, tokenizer, labels)


def make_set(
    model: str,
    data: Path,
    sources: Sources,
    config: RarifyConfig,
    folder: Path,
    *,
    device: str = "auto",
    report: Callable[[str], None],
) -> RareTextSet:
    """Fine-tune a classifier on a data set, rarify texts for it, and save both; the record is written last."""
    from everyword.language_models.heads import save_for_transformers

    splits = text_splits(data)
    texts = all_texts(splits)
    substitutes = sources.substitutes(config, texts)
    network, tokenizer = new_classifier(model, len(set(texts.labels)), device=device, seed=config.seed)
    made = make_rare_texts(network, tokenizer, texts, splits.dev, substitutes=substitutes, config=config, report=report)
    save_for_transformers(network, tokenizer, folder / CLASSIFIER)
    write_rare_texts(folder / TEXTS, made.texts)
    record = {"config": to_dict(config), "data": data.name, "model": Path(model).name, **made.numbers()}
    write_atomic(folder / RECORD, json.dumps(record, indent=2) + "\n")
    return made
