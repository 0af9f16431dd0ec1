"""Misspellings as an attack: a few words of a text, or a share of them, each misspelt wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from everyword import registry
from everyword.config import Count
from everyword.evaluation.robustness.attack import Text, words_replaced
from everyword.sentences.tokens import tokens_of
from everyword.text.corruption import TYPOS, Corruption

SHORTEST = 4
"""Shorter words are mostly function words and stay as they are."""
TRIES = 10


@dataclass(frozen=True)
class TypoReplacer:
    """Misspells words of a text."""

    words: Count = 1
    """How many different words are misspelt."""
    share: float | None = None
    """The share of words that are misspelt instead."""
    kinds: Sequence[Corruption] = field(default_factory=lambda: [registry.corruptions.get(name) for name in TYPOS])

    def rewritten(self, text: Text, budget: int, rng: Random) -> list[Text]:
        """Return texts with misspellings; none if there is no word that is long enough."""
        able = sorted(
            {token for part in text for token in tokens_of(part) if len(token) >= SHORTEST and token.isalpha()}
        )
        if not able:
            return []
        count = self.words if self.share is None else max(1, round(self.share * len(able)))
        return [self._misspelt(text, rng.sample(able, min(count, len(able))), rng) for _ in range(budget)]

    def _misspelt(self, text: Text, words: Sequence[str], rng: Random) -> Text:
        return words_replaced(text, {word: self.typo(word, rng) for word in words})

    def typo(self, word: str, rng: Random) -> str:
        """Return a misspelling that is not the word itself, if one is found."""
        for _ in range(TRIES):
            if (typo := rng.choice(list(self.kinds))(word, rng)) != word:
                return typo
        return word
