"""A text classifier: its configuration, the labels of texts, saving and loading; without torch if the network allows.

Linear and convolutional networks and tf-idf are computed in NumPy; an LSTM, with attention or without, needs torch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from everyword import config as configs
from everyword import registry
from everyword.arrays import AnyArray, FloatArray
from everyword.config import Count, Natural, NonNegative, Positive, Share
from everyword.corpus.labelled.documents import MASK
from everyword.errors import InputError, did_you_mean
from everyword.extras import require
from everyword.learning.sources import Sources, open_sources
from everyword.models.saved.network_file import read_network, write_network
from everyword.sentences.text_features import NUMPY_PASSES
from everyword.sentences.tokens import tokens_of

Network = Literal["linear", "cnn", "lstm", "attention", "tfidf"]
"""What reads a text.

- linear: the mean of its word vectors;
- cnn: the strongest answers of filters over windows of words;
- lstm: the largest value of each state of a bidirectional LSTM;
- attention: these states, weighted by attention;
- tfidf: its words by themselves, without vectors.
"""
RATES = {"linear": 5e-3, "tfidf": 5e-2}
"""Networks that learn best at another rate than 0.001."""
FORMAT = "classifier.v1"
WEIGHTS = "classifier.safetensors"
SAMPLE = "sample.vectors"
AT_ONCE = 512
Pass = Callable[[Sequence[Sequence[str]]], FloatArray]
"""Texts as tokens → scores of labels, (texts, labels)."""


@dataclass(frozen=True)
class ClassifierConfig:
    """A classifier over sources of vectors, and how it is trained."""

    network: Network = "cnn"
    length: Positive = 10.0
    """All word vectors are scaled to this length."""
    widths: tuple[Count, ...] = (3, 4, 5)
    """Of the windows of a CNN, in words."""
    filters: Count = 100
    """For each width."""
    states: Count = 150
    """Of an LSTM, in each direction."""
    layers: Count = 1
    attention: Literal["additive", "dot"] = "additive"
    sums: Literal["base", "concat", "residual"] = "base"
    """What attention sums: the states of the LSTM, these beside the word vectors, or the sum of both."""
    dropout: Share = 0.4
    """Of what the output layer reads."""
    input_dropout: Share = 0.1
    """Of the word vectors."""
    longest: Count = 400
    """Texts are read up to this many words."""
    rarest: Count = 2
    """With tfidf: how many texts must have a word for it to be read."""
    loss: str = "cross-entropy"
    margin: NonNegative | None = None
    """Of the losses aam and contrastive; None for their own."""
    scale: Positive | None = None
    """Of the losses aam, coco and triplet; None for their own."""
    center: NonNegative = 1.0
    """How much the centres of the loss center count."""
    word_objective: str = "none"
    """What the states of words are to learn besides."""
    word_weight: NonNegative = 1.0
    """How much that counts."""
    adversarial: NonNegative = 0.0
    """Learn under the worst change of the word vectors, this large beside their coordinates; 0 for none."""
    prune: Share = 0.0
    """The share of each weight matrix that becomes zero during the first half of training."""
    teacher_weight: NonNegative = 1.0
    """How much a teacher's probabilities count beside the labels."""
    divergence: Literal["student||teacher", "teacher||student"] = "student||teacher"
    """KL of the student's from the teacher's probabilities, or the other way round."""
    temperature: Positive = 1.0
    """What the scores of both are divided by before they are compared."""
    epochs: Count = 20
    patience: Count | None = 4
    """Training stops after this many epochs without a better score on dev."""
    batch: Count = 32
    learning_rate: Positive | None = None
    """By default that of the network, in `RATES`."""
    weight_decay: NonNegative = 0.0
    clip: Positive = 5.0
    """The largest norm of a gradient."""
    seed: Natural = 0

    def problems(self) -> list[str]:
        found = []
        if self.network == "tfidf" and self.adversarial:
            found.append("adversarial needs a network that reads word vectors, and tfidf reads none")
        if self.network not in ("lstm", "attention") and self.word_objective != "none":
            found.append(f"word_objective needs network = lstm or attention. Got {self.network} instead")
        if self.loss not in registry.classification_losses:
            found.append(f"there is no loss {self.loss!r}: {did_you_mean(self.loss, registry.classification_losses)}")
        if self.word_objective not in registry.word_objectives:
            known = did_you_mean(self.word_objective, registry.word_objectives)
            found.append(f"there is no word_objective {self.word_objective!r}: {known}")
        return found


@dataclass(frozen=True)
class Classified:
    """A text with its labels."""

    text: str
    labels: list[tuple[str, float]]
    """Each with its probability, the most probable first; none if a text may have several and has none."""
    probabilities: dict[str, float]
    """Of all labels."""
    cut: bool = False
    """Whether the text is longer than the classifier reads."""

    def to_dict(self, *, all_labels: bool = False) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        found: dict[str, Any] = {
            "text": self.text,
            "labels": [{"label": label, "confidence": round(chance, 4)} for label, chance in self.labels],
        }
        if all_labels:
            found["probabilities"] = {label: round(chance, 4) for label, chance in self.probabilities.items()}
        return found


def words_read(text: str, config: ClassifierConfig) -> list[str]:
    """Return the words of a text that a classifier reads."""
    found = tokens_of(text.replace(MASK, " "))[: config.longest]
    return [word.lower() for word in found] if config.network == "tfidf" else found


class TextClassifier:
    """Gives texts labels.

    Args:
        labels: All labels.
        config: What it was made with.
        run: The network: tokens of texts → scores of labels.
        several: Whether a text may have several labels, or none.
    """

    def __init__(self, labels: Sequence[str], config: ClassifierConfig, run: Pass, *, several: bool = False) -> None:
        self.labels, self.config, self.run, self.several = list(labels), config, run, several

    def probabilities(self, texts: Sequence[str]) -> FloatArray:
        """Return the probability of each label, (texts, labels)."""
        found: FloatArray = np.zeros((len(texts), len(self.labels)), dtype=np.float32)
        for start in range(0, len(texts), AT_ONCE):
            tokens = [words_read(text, self.config) for text in texts[start : start + AT_ONCE]]
            found[start : start + AT_ONCE] = self.shares(self.run(tokens))
        return found

    def shares(self, scores: FloatArray) -> FloatArray:
        """Turn scores into probabilities."""
        if self.several:
            chances: FloatArray = (0.5 + 0.5 * np.tanh(scores / 2)).astype(np.float32)
            return chances
        shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: FloatArray = shifted / shifted.sum(axis=1, keepdims=True)
        return shares

    def chosen(self, probabilities: FloatArray) -> list[list[int]]:
        """Return the numbers of the labels that texts get, the most probable first."""
        if not self.several:
            return [[int(best)] for best in probabilities.argmax(axis=1)]
        return [[int(label) for label in np.argsort(-row) if row[label] >= 0.5] for row in probabilities]

    def classify(self, texts: Sequence[str]) -> list[Classified]:
        """Return the labels of texts, with how probable they are."""
        chances = self.probabilities(texts)
        found = []
        for text, row, numbers in zip(texts, chances, self.chosen(chances), strict=True):
            named = [(self.labels[number], float(row[number])) for number in numbers]
            chance_of = dict(zip(self.labels, (float(chance) for chance in row), strict=True))
            found.append(Classified(text, named, chance_of, len(tokens_of(text)) > self.config.longest))
        return found


def save_classifier(
    folder: Path,
    classifier: TextClassifier,
    weights: dict[str, AnyArray],
    *,
    vectors: Sequence[str],
    sources: Sources | None,
    words: Sequence[str],
    unit: bool = False,
    **notes: Any,
) -> None:
    """Save a classifier to a folder.

    Args:
        folder: Where it goes; made if it is not there.
        classifier: What is saved.
        weights: Those of the network.
        vectors: The sources of vectors as `open_source` finds them again.
        sources: These sources, opened; None if it reads no vectors.
        words: With tfidf the words that it reads; else a few words whose vectors tell whether sources are the same.
        unit: Whether features are scaled to length 1.
        **notes: What else is to be told, as plain values.
    """
    record = {
        "config": configs.to_dict(classifier.config),
        "labels": classifier.labels,
        "several": classifier.several,
        "unit": unit,
        "sources": [[name, dim] for name, dim in zip(sources.names, sources.dims, strict=True)] if sources else [],
        "vectors": list(vectors) if sources else [],
        "words": list(words),
        "notes": notes,
    }
    folder.mkdir(parents=True, exist_ok=True)
    sample = {SAMPLE: sources.encode(words)} if sources and words else {}
    write_network(folder / WEIGHTS, FORMAT, weights | sample, record)


def load_classifier(folder: Path, vectors: Sequence[str] | None = None, device: str = "cpu") -> TextClassifier:
    """Load a classifier from a folder.

    Args:
        folder: The folder.
        vectors: Where the sources of its vectors are now, if not where they were.
        device: Where it runs, if it needs torch.
    """
    path = folder / WEIGHTS
    if not path.is_file():
        raise InputError(f"There is no classifier in {folder}: it has no {WEIGHTS}.")
    keys = ("config", "labels", "several", "unit", "sources", "vectors", "words")
    weights, record = read_network(path, FORMAT, "a classifier", keys)
    if not _is_sound(record):
        raise InputError(f"{path} cannot be read as a classifier: its record is damaged. Train or copy it again.")
    config = configs.build(ClassifierConfig, record["config"], str(path))
    sources = _sources(path, record, config, weights.pop(SAMPLE, None), vectors)
    options: dict[str, Any] = {"unit": bool(record["unit"])}
    encode = sources.encode if sources else None
    try:
        run: Pass
        if config.network in NUMPY_PASSES:
            options |= {"widths": config.widths, "words": record["words"]}
            run = NUMPY_PASSES[config.network](weights, encode, **options)
        else:
            require("torch", f"A classifier with network = {config.network}")
            from everyword.systems.classifiers.networks import loaded_pass

            run = loaded_pass(weights, config, sources, device=device, **options)
        words = ["a", *record["words"][-1:]]  # of words that are read by themselves, the last has the highest number
        fits = run([words]).shape == (1, len(record["labels"]))
    except (KeyError, ValueError, IndexError, RuntimeError, TypeError, AttributeError, AssertionError):
        fits = False
    if not fits:
        raise InputError(f"The weights in {path} do not fit its configuration. Train or copy it again.")
    return TextClassifier(record["labels"], config, run, several=bool(record["several"]))


def _is_sound(record: dict[str, Any]) -> bool:
    lists = [record[name] for name in ("labels", "vectors", "words")]
    texts = all(isinstance(one, list) and all(isinstance(item, str) for item in one) for one in lists)
    sources = isinstance(record["sources"], list) and all(
        isinstance(one, list) and [type(part) for part in one] == [str, int] for one in record["sources"]
    )
    return texts and sources and isinstance(record["config"], dict) and len(set(record["labels"])) > 0


def _sources(
    path: Path,
    record: dict[str, Any],
    config: ClassifierConfig,
    sample: FloatArray | None,
    vectors: Sequence[str] | None,
) -> Sources | None:
    """Open the sources of vectors, and check that they are those of the training."""
    if not record["sources"]:
        return None
    sources = Sources(open_sources(vectors or record["vectors"]), config.length)
    named = ", ".join(f"{name} ({dim} dimensions)" for name, dim in record["sources"])
    if list(sources.dims) != [dim for _, dim in record["sources"]]:
        given = ", ".join(f"{name} ({dim} dimensions)" for name, dim in zip(sources.names, sources.dims, strict=True))
        raise InputError(f"{path} needs the vectors of {named}. Got {given}.")
    if sample is not None and not np.allclose(sources.encode(record["words"]), sample, atol=0.02 * config.length):
        raise InputError(f"{path} was trained on other vectors of {named} than these; name those by --vectors.")
    return sources
