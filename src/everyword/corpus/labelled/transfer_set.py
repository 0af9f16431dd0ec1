"""More texts for a student: changed copies of the training texts, whose labels a teacher gives.

As in Tang and others (2019) and Adhikari and others (RepL4NLP 2020): words are hidden or replaced by others of the same
part of speech, sentences change places, and a copy may be a few words of the text only. What a word is, is looked up:
the tag that it has most often in a treebank; a word that is not there keeps its place.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random

import numpy as np

from everyword import config as configs
from everyword.config import Count, Fraction, Natural
from everyword.corpus.labelled.documents import MASK, Documents

LONGEST_NGRAM = 5
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class TransferConfig:
    """How texts are changed."""

    copies: Count = 3
    """Of each text."""
    mask: Fraction = 0.1
    """The share of words that are hidden."""
    swap: Fraction = 0.1
    """The share of words that are replaced by others of the same part of speech."""
    ngram: Fraction = 0.0
    """The share of copies of which only one to five words in a row are left."""
    shuffle: bool = True
    """Whether sentences change places."""
    seed: Natural = 0


def frequent_tags(sentences: Iterable[Sequence[str]], tags: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return the most frequent tag of each word, in lower case; of equally frequent ones the first by name.

    >>> frequent_tags([["The", "run"], ["run", "run"]], [["DET", "NOUN"], ["VERB", "VERB"]])
    {'the': 'DET', 'run': 'VERB'}
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, own in zip(sentences, tags, strict=True):
        for word, tag in zip(words, own, strict=True):
            counts[word.lower()][tag] += 1
    return {word: min(found, key=lambda tag: (-found[tag], tag)) for word, found in counts.items()}


class SamePart:
    """Draws words of the same part of speech, as often as they are in the texts.

    Args:
        texts: Where words are counted.
        tags: The tag of each word in lower case.
    """

    def __init__(self, texts: Iterable[str], tags: Mapping[str, str]) -> None:
        self.tags = tags
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            for word in text.split():
                if tag := self.tag(word):
                    counts[tag][word] += 1
        self._words = {tag: list(found) for tag, found in counts.items()}
        self._sums = {tag: list(accumulate(found.values())) for tag, found in counts.items()}

    def tag(self, word: str) -> str | None:
        """Return the tag of a word, or None if it is not known."""
        return self.tags.get(word.lower())

    def draw(self, word: str, rng: Random) -> str:
        """Return a word with the same tag; one without a tag stays."""
        tag = self.tag(word)
        if tag is None or tag not in self._sums:
            return word
        sums = self._sums[tag]
        return self._words[tag][bisect(sums, rng.randrange(sums[-1]))]


def changed_text(text: str, same_part: SamePart, config: TransferConfig, rng: Random) -> str:
    """Return a changed copy of a text."""
    sentences = SENTENCE_END.split(text)
    if config.shuffle:
        rng.shuffle(sentences)
    words = " ".join(sentences).split()
    if config.ngram and words and rng.random() < config.ngram:
        length = rng.randint(1, min(LONGEST_NGRAM, len(words)))
        start = rng.randrange(len(words) - length + 1)
        words = words[start : start + length]
    found = []
    for word in words:
        drawn = rng.random()
        if drawn < config.mask:
            found.append(MASK)
        else:
            found.append(same_part.draw(word, rng) if drawn < config.mask + config.swap else word)
    return " ".join(found)


def transfer_set(
    train: Documents, tags: Mapping[str, str], config: TransferConfig | None = None, *, labelled: bool = True
) -> Documents:
    """Return the texts and their changed copies, of which a teacher has yet to give probabilities.

    Args:
        train: The texts.
        tags: The part of speech of each word in lower case, such as `frequent_tags` gives.
        config: How texts are changed.
        labelled: Whether a copy has the labels of its text; else only those of the teacher count.
    """
    config = config or TransferConfig()
    configs.check(config)
    same_part, rng = SamePart(train.texts, tags), Random(config.seed)
    copies = [changed_text(text, same_part, config, rng) for _ in range(config.copies) for text in train.texts]
    own = np.ones(len(train), dtype=bool) if train.gold is None else train.gold
    gold = np.concatenate([own, *[own if labelled else np.zeros_like(own)] * config.copies])
    return replace(
        train,
        texts=(*train.texts, *copies),
        labels=train.labels * (config.copies + 1),
        teacher=None,
        gold=None if gold.all() else gold,
    )
