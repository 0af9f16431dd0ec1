"""From a language model and labelled texts to a rarified set: split, fine-tune with hidden words, rarify."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from everyword.arrays import FloatArray
from everyword.evaluation.extrinsic.splits import chosen
from everyword.evaluation.extrinsic.texts import Texts
from everyword.evaluation.rarify.hiding import Hiding
from everyword.evaluation.rarify.substitutes import Substitutes


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
    hiding: Hiding = field(default_factory=Hiding)
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
    able = [place for place in order if any(substitutes.of(data.tokens[place], Random(f"{config.seed}/{place}")))]
    candidates = set(able[: int((1 - config.train_share) * len(data))])
    rest = [place for place in range(len(data)) if place not in candidates]
    return chosen(data, rest, f"{data.name}-train"), chosen(data, sorted(candidates), f"{data.name}-candidates")


class TransformerClassifier:
    """A fine-tuned network as `rarify` asks it."""

    def __init__(self, network: Any, tokenizer: Any, labels: Sequence[str]) -> None:
        self.network, self.tokenizer = network, tokenizer
        self.labels = list(labels)
        self.mask: str | None = tokenizer.mask_token

    def predict_proba(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """The probability of each label."""
        from everyword.evaluation.extrinsic.fine_tuning import predict

        return predict(self.network, self.tokenizer, [" ".join(tokens) for tokens in texts])

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The most probable label of each text."""
        return [self.labels[row] for row in self.predict_proba([text.split() for text in texts]).argmax(axis=1)]


def train_classifier(
    network: Any,
    tokenizer: Any,
    train: Texts,
    dev: Texts,
    *,
    fine_tuning: Any,
    hiding: Hiding,
    tell: Callable[[str], None],
) -> TransformerClassifier:
    """Fine-tune on texts with hidden and doubled words; the embedding layer stays as it is."""
    from everyword.evaluation.extrinsic.fine_tuning import fine_tune
    from everyword.evaluation.rarify.hiding import hide_words

    labels = sorted(set(train.labels))
    parts = [(list(map(" ".join, data.tokens)), list(map(labels.index, data.labels))) for data in (train, dev)]
    network.config.id2label = dict(enumerate(labels))
    network.config.label2id = {label: number for number, label in enumerate(labels)}
    rewrite = hide_words(hiding, tokenizer.mask_token)
    fine_tune(network, tokenizer, *parts[0], *parts[1], fine_tuning, rewrite=rewrite, tell=tell)
    return TransformerClassifier(network, tokenizer, labels)
