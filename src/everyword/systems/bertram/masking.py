"""Sentences with the word that they are given for replaced by a mask."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from everyword.errors import InputError
from everyword.language_models.mentions import MentionFinder
from everyword.language_models.pieces import Span

NAMED_IN_A_WARNING = 3


class MaskedSentence(NamedTuple):
    """A sentence with a mask for each mention of its word."""

    text: str
    start: int
    """Where the first mask begins."""


def mask_word(sentence: str, mentions: MentionFinder, mask: str) -> MaskedSentence | None:
    """Return the sentence with a mask for each mention, or None if there is no mention.

    >>> mask_word("Cats? A cat, the CAT.", MentionFinder(["cat"]), "_")
    MaskedSentence(text='Cats? A _, the _.', start=8)
    """
    spans = list(_without_overlaps(mention.letters for mention in mentions.find(sentence)))
    if not spans:
        return None
    borders = [0, *(border for span in spans for border in span), len(sentence)]
    between = (sentence[start:stop] for start, stop in zip(borders[::2], borders[1::2], strict=True))
    return MaskedSentence(mask.join(between), spans[0].start)


def _without_overlaps(spans: Iterator[Span]) -> Iterator[Span]:
    """Skip mentions that overlap the one before, as a phrase of equal words may."""
    covered = 0
    for span in spans:
        if span.start >= covered:
            covered = span.stop
            yield span


@dataclass
class UnusedSentences:
    """Sentences without the word that they are given for, counted over many words."""

    pairs: dict[tuple[str, str], None] = field(default_factory=dict)
    """Words and sentences, each pair once, in order."""
    total: int = 0
    """The number of sentences read, with and without their word."""

    def warn(self) -> None:
        """Issue one warning for all of them; inside `OneWarning` it is issued at the end of the block."""
        collected = _COLLECTED.get()
        if collected is not None:
            collected.pairs |= self.pairs
        elif self.pairs:
            named = ", ".join(map(repr, list(dict.fromkeys(word for word, _ in self.pairs))[:NAMED_IN_A_WARNING]))
            of_all = f" of {self.total:,}" if self.total else ""
            warnings.warn(
                f"Skipped {len(self.pairs):,}{of_all} sentences that do not contain the word they are given for, "
                f"such as those of {named}",
                stacklevel=4,
            )


_COLLECTED: ContextVar[UnusedSentences | None] = ContextVar("collected", default=None)


class OneWarning:
    """A block in which the warnings of `UnusedSentences` become one: runs often use the same sentences many times."""

    def __enter__(self) -> None:
        self._collected = UnusedSentences()
        self._before = _COLLECTED.set(self._collected)

    def __exit__(self, *error: object) -> None:
        _COLLECTED.reset(self._before)
        self._collected.warn()


def masked_contexts(
    contexts: Mapping[str, Sequence[str]], mask: str, most: int, unused: UnusedSentences | None = None, seed: int = 0
) -> list[list[MaskedSentence]]:
    """Return at most `most` contexts per word: all in their order, or a sample that depends on seed and word alone.

    Sentences without their word are skipped, and counted in `unused` or, without it, warned of.
    """
    skipped = UnusedSentences() if unused is None else unused
    masked = [
        _masked(word, _in_order(word, sentences, most, seed), mask, most, skipped)
        for word, sentences in contexts.items()
    ]
    if unused is None:
        skipped.warn()
    return masked


def _masked(word: str, sentences: Iterable[str], mask: str, most: int, unused: UnusedSentences) -> list[MaskedSentence]:
    mentions, found = MentionFinder([word]), list[MaskedSentence]()
    for sentence in sentences:
        unused.total += 1
        masked = mask_word(sentence, mentions, mask)
        if masked is None:
            unused.pairs[word, sentence] = None
            continue
        found.append(masked)
        if len(found) == most:
            break
    return found


def _in_order(word: str, sentences: Sequence[str], most: int, seed: int) -> Iterable[str]:
    """Return all sentences as they are, or shuffled by word and seed if there are more than needed."""
    if len(sentences) <= most:
        return sentences
    of_word = int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "little")
    order = np.random.default_rng([seed, of_word]).permutation(len(sentences))
    return (sentences[index] for index in order)


def check_contexts(contexts: Mapping[str, Sequence[str]]) -> None:
    """Raise `InputError` unless the contexts are a mapping from words to lists of sentences."""
    if not isinstance(contexts, Mapping):
        raise InputError(
            "Contexts must be a mapping from words to their sentences, such as {'cat': ['The cat sat.']}. "
            f"Got {type(contexts).__name__} instead."
        )
    for word, sentences in contexts.items():
        if not isinstance(word, str):
            raise InputError(f"A word must be text. Got {word!r}, of type {type(word).__name__}, instead.")
        if isinstance(sentences, str) or not all(isinstance(sentence, str) for sentence in sentences):
            raise InputError(f"The contexts of {word!r} must be a list of sentences, such as ['A {word} is here.'].")
