"""Sentences in which a word stands, with the word taken out."""

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


class Masked(NamedTuple):
    """A sentence whose word is hidden wherever it stands."""

    text: str
    place: int
    """Where the first mask begins."""


def mask_word(sentence: str, mentions: MentionFinder, mask: str) -> Masked | None:
    """The sentence with a mask for each mention, or None if there is no mention.

    >>> mask_word("Cats? A cat, the CAT.", MentionFinder(["cat"]), "_")
    Masked(text='Cats? A _, the _.', place=8)
    """
    spans = list(_apart(mention.letters for mention in mentions.find(sentence)))
    if not spans:
        return None
    borders = [0, *(border for span in spans for border in span), len(sentence)]
    kept = (sentence[start:stop] for start, stop in zip(borders[::2], borders[1::2], strict=True))
    return Masked(mask.join(kept), spans[0].start)


def _apart(spans: Iterator[Span]) -> Iterator[Span]:
    """A phrase of equal words may overlap itself; of such mentions the first one counts."""
    covered = 0
    for span in spans:
        if span.start >= covered:
            covered = span.stop
            yield span


@dataclass
class LeftOut:
    """Sentences that say nothing of their word, counted over many words."""

    lost: dict[tuple[str, str], None] = field(default_factory=dict)
    """Words and sentences, each once, in their order."""
    seen: int = 0

    def tell(self) -> None:
        """One warning for all of them; inside `ToldTogether` they wait for the end of that."""
        gathered = _GATHERED.get()
        if gathered is not None:
            gathered.lost |= self.lost
        elif self.lost:
            named = ", ".join(map(repr, list(dict.fromkeys(word for word, _ in self.lost))[:NAMED_IN_A_WARNING]))
            of_all = f" of {self.seen:,}" if self.seen else ""
            warnings.warn(
                f"{len(self.lost):,}{of_all} sentences are left out, because the word that they are given for does "
                f"not stand in them, as with {named}",
                stacklevel=3,
            )


_GATHERED: ContextVar[LeftOut | None] = ContextVar("gathered", default=None)


class ToldTogether:
    """One warning for a run that asks for the vectors of the same words again and again, when it is left."""

    def __enter__(self) -> None:
        self._gathered = LeftOut()
        self._before = _GATHERED.set(self._gathered)

    def __exit__(self, *error: object) -> None:
        _GATHERED.reset(self._before)
        self._gathered.tell()


def masked_contexts(
    contexts: Mapping[str, Sequence[str]], mask: str, most: int, left_out: LeftOut, seed: int = 0
) -> list[list[Masked]]:
    """At most so many contexts of each word: all in their order, or some drawn by the seed and the word alone.

    A sentence in which the word does not stand is passed over and counted.
    """
    return [
        _masked(word, _in_order(word, sentences, most, seed), mask, most, left_out)
        for word, sentences in contexts.items()
    ]


def _masked(word: str, sentences: Iterable[str], mask: str, most: int, left_out: LeftOut) -> list[Masked]:
    mentions, found = MentionFinder([word]), list[Masked]()
    for sentence in sentences:
        left_out.seen += 1
        masked = mask_word(sentence, mentions, mask)
        if masked is None:
            left_out.lost[word, sentence] = None
            continue
        found.append(masked)
        if len(found) == most:
            break
    return found


def _in_order(word: str, sentences: Sequence[str], most: int, seed: int) -> Iterable[str]:
    """All sentences as they are, or shuffled if some will be left: by the word and the seed, whatever the others."""
    if len(sentences) <= most:
        return sentences
    of_word = int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "little")
    order = np.random.default_rng([seed, of_word]).permutation(len(sentences))
    return (sentences[place] for place in order)


def check_contexts(contexts: Mapping[str, Sequence[str]]) -> None:
    """Refuse what is no mapping from words to lists of sentences."""
    if not isinstance(contexts, Mapping):
        raise InputError(
            "Contexts are a mapping from words to their sentences, such as {'cat': ['The cat sat.']}. "
            f"Got {type(contexts).__name__} instead."
        )
    for word, sentences in contexts.items():
        if not isinstance(word, str):
            raise InputError(f"A word must be text. Got {word!r}, of type {type(word).__name__}, instead.")
        if isinstance(sentences, str) or not all(isinstance(sentence, str) for sentence in sentences):
            raise InputError(f"The contexts of {word!r} must be a list of sentences, such as ['A {word} is here.'].")
