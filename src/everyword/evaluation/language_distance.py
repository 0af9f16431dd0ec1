"""How far languages are from each other, by their texts and words: which could help a tagger of another one.

Four measures (Lange, Adel and Strötgen 2020) and their vote:

- perplexity: of a character model of one language on text of another; lower is closer, and it has a direction;
- smoothed perplexity: the same with a longer memory and Kneser-Ney smoothing, in place of a neural character model;
- shared words: how many of the words that a language shares with any other it shares with this one; higher is closer;
- shared task words: the same for the words of the data that a tagger learns from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import IndexArray
from everyword.errors import InputError

Smoothing = Literal["add-k", "kneser-ney"]
Values = NDArray[np.float64]
PERPLEXITY, SMOOTHED, SHARED, SHARED_TASK, VOTE = (
    "perplexity",
    "smoothed perplexity",
    "shared words",
    "shared task words",
    "majority vote",
)
HIGHER_IS_CLOSER = {SHARED, SHARED_TASK}
BOUNDARY = "\n"
"""Stands before and after every line."""
DISCOUNT = 0.75
MOST_CHARACTERS = 400
"""Rarer characters are one unknown character, so that contexts fit into whole numbers of 64 bits."""
LONGEST_MEMORY = 7


class CharacterModel:
    """A language model of characters.

    Args:
        lines: Text to learn from.
        order: How many characters an n-gram has; 1 knows nothing of the characters before.
        smoothing: add-k, or interpolated Kneser-Ney.
        characters: The alphabet. Perplexities of models with the same one can be compared; by default that of the text.
        k: What add-k adds to each count.
    """

    def __init__(
        self,
        lines: Iterable[str],
        *,
        order: int = 3,
        smoothing: Smoothing = "add-k",
        characters: Collection[str] | None = None,
        k: float = 0.1,
    ) -> None:
        if not 1 <= order <= LONGEST_MEMORY:
            raise InputError(f"The order of a character model must be 1 to {LONGEST_MEMORY}. Got {order} instead.")
        text = _text(lines)
        if not text:
            raise InputError("A character model needs text to learn from. Got none.")
        self.order, self.smoothing, self.k = order, smoothing, k
        self.characters = sorted(set(alphabet([text]) if characters is None else characters))
        self._id_of = {character: number for number, character in enumerate(self.characters, start=1)}
        self._size = len(self.characters) + 1
        ids = self._ids(text)
        grams = [_grams(ids, length, self._size) for length in range(1, order + 1)]
        self._tables = [_Table.of(gram, self._size) for gram in grams]
        if smoothing == "kneser-ney":
            # A shorter n-gram counts the different characters before it, not how often it occurs.
            for length in range(1, order):
                longer = np.unique(grams[length])
                self._tables[length - 1] = _Table.of(longer % self._size**length, self._size)

    def perplexity(self, lines: Iterable[str]) -> float:
        """Return two to the mean number of bits that a character of the text needs; 1 for a text known by heart."""
        ids = self._ids(_text(lines))
        if not len(ids):
            raise InputError("The perplexity of an empty text is not defined; give text to judge.")
        return float(np.exp(-np.log(self._probabilities(ids)).mean()))

    def _ids(self, text: str) -> IndexArray:
        """Return characters as numbers, with boundaries before the text as memory of the first ones."""
        padded = BOUNDARY * (self.order - 1) + text if text else ""
        return np.array([self._id_of.get(character, 0) for character in padded], dtype=np.int64)

    def _probabilities(self, ids: IndexArray) -> Values:
        """Return the probability of each character after the first `order - 1`."""
        first = self.order - 1
        if self.smoothing == "add-k":
            gram = _grams(ids, self.order, self._size)
            count, total, _ = self._tables[-1].look_up(gram, self._size)
            probabilities: Values = (count + self.k) / (total + self.k * self._size)
            return probabilities
        found: Values = np.full(len(ids) - first, 1 / self._size)
        for length in range(1, self.order + 1):
            gram = _grams(ids, length, self._size)[first - length + 1 :]
            count, total, kinds = self._tables[length - 1].look_up(gram, self._size)
            seen = total > 0
            divided = np.where(seen, total, 1.0)
            mixed = (np.maximum(count - DISCOUNT, 0) + DISCOUNT * kinds * found) / divided
            found = np.where(seen, mixed, found)
        return found


@dataclass(frozen=True)
class _Table:
    """Counts of n-grams of one length, and for each memory the sum of them and how many different ones there are."""

    grams: IndexArray
    counts: Values
    memories: IndexArray
    totals: Values
    kinds: Values

    @classmethod
    def of(cls, occurrences: IndexArray, size: int) -> _Table:
        grams, counts = np.unique(occurrences, return_counts=True)
        memories, index = np.unique(grams // size, return_inverse=True)
        totals = np.bincount(index, weights=counts, minlength=len(memories)).astype(np.float64)
        kinds = np.bincount(index, minlength=len(memories)).astype(np.float64)
        return cls(grams, counts.astype(np.float64), memories, totals, kinds)

    def look_up(self, grams: IndexArray, size: int) -> tuple[Values, Values, Values]:
        """Return count, total of the memory and different n-grams of the memory; zeros for what was never seen."""
        memories = grams // size
        return (
            _found(self.grams, grams, self.counts),
            _found(self.memories, memories, self.totals),
            _found(self.memories, memories, self.kinds),
        )


def _found(keys: IndexArray, wanted: IndexArray, values: Values) -> Values:
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0.0)


def _grams(ids: IndexArray, length: int, size: int) -> IndexArray:
    """Return each n-gram as one number.

    >>> _grams(np.array([1, 2, 3]), 2, 10).tolist()
    [12, 23]
    """
    found = np.zeros(max(len(ids) - length + 1, 0), dtype=np.int64)
    for place in range(length):
        found = found * size + ids[place : len(ids) - length + 1 + place]
    return found


def _text(lines: Iterable[str]) -> str:
    return "".join(line.lower() + BOUNDARY for line in lines if line.strip())


def alphabet(lines: Iterable[str]) -> list[str]:
    """Return the most frequent characters of texts, in lower case, with the end of a line."""
    ids, counts = np.unique(np.array([*_text(lines)]), return_counts=True)
    return [str(character) for character in ids[np.argsort(-counts, kind="stable")][:MOST_CHARACTERS]]


def perplexities(
    texts: Mapping[str, Sequence[str]], *, order: int = 3, smoothing: Smoothing = "add-k", held_out: float = 0.2
) -> dict[tuple[str, str], float]:
    """Return the perplexity of each language's model on the text of each language, itself included.

    Args:
        texts: Lines by language; the last part of them is judged, and the rest is learnt from.
        order: How many characters an n-gram has.
        smoothing: add-k or kneser-ney.
        held_out: The share of lines that is judged.

    Returns:
        By (language of the model, language of the text).
    """
    for name, lines in texts.items():
        if len(lines) < 2:
            raise InputError(
                f"The text of {name!r} has {len(lines)} lines; one to learn from and one to judge are needed."
            )
    characters = alphabet(line for lines in texts.values() for line in lines)
    found = {}
    cuts = {name: max(1, round(len(lines) * (1 - held_out))) for name, lines in texts.items()}
    for name, lines in texts.items():
        model = CharacterModel(lines[: cuts[name]], order=order, smoothing=smoothing, characters=characters)
        for other, judged in texts.items():
            found[name, other] = model.perplexity(judged[cuts[other] :])
    return found


def shared_words(vocabularies: Mapping[str, Collection[str]]) -> dict[tuple[str, str], float]:
    """Return for each pair how much of what the poorer one shares with anyone it shares with the other; symmetric.

    >>> shared_words({"a": {"x", "y"}, "b": {"x"}, "c": {"y", "z"}})["a", "b"]
    1.0
    """
    sets = {name: set(words) for name, words in vocabularies.items()}
    with_anyone = {
        name: len(words & set().union(*(others for other, others in sets.items() if other != name)))
        for name, words in sets.items()
    }
    found = {}
    for one, words in sets.items():
        for other, others in sets.items():
            if one != other:
                poorer = min(with_anyone[one], with_anyone[other])
                # As many words of one are in the other as the other way round, since both are sets.
                found[one, other] = len(words & others) / poorer if poorer else 0.0
    return found


def ranks(measure: str, values: Mapping[str, float]) -> dict[str, int]:
    """Return the rank of each language, 1 for the closest; equal values share a rank.

    >>> ranks("perplexity", {"nl": 5.0, "fi": 9.0, "da": 5.0})
    {'nl': 1, 'fi': 3, 'da': 1}
    """
    sign = -1 if measure in HIGHER_IS_CLOSER else 1
    return {name: 1 + sum(sign * other < sign * value for other in values.values()) for name, value in values.items()}


def majority_vote(rankings: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return a rank for each language from the rank that most measures give it, then from its mean rank.

    >>> majority_vote([{"nl": 1, "fi": 2}, {"nl": 1, "fi": 2}, {"nl": 2, "fi": 1}])
    {'nl': 1, 'fi': 2}
    """
    if not rankings:
        raise InputError("A vote needs one ranking or more. Got none.")
    keys = {}
    for name in rankings[0]:
        given = [ranking[name] for ranking in rankings]
        counts = {rank: given.count(rank) for rank in given}
        most = [rank for rank, count in counts.items() if count == max(counts.values())]
        # Two ranks with as many votes: the one nearer to what all say on average.
        mean = sum(given) / len(given)
        keys[name] = (min(most, key=lambda rank: (abs(rank - mean), rank)), round(mean, 9))
    order = sorted(keys.values())
    return {name: 1 + order.index(key) for name, key in keys.items()}


def distances(
    texts: Mapping[str, Sequence[str]],
    vocabularies: Mapping[str, Collection[str]],
    task_words: Mapping[str, Collection[str]] | None = None,
) -> dict[str, dict[tuple[str, str], float]]:
    """Return all measures by name, each by (helping language, language to be helped).

    Args:
        texts: Lines of text by language.
        vocabularies: Words by language.
        task_words: Words of the training data by language; without them, three measures are left.
    """
    found = {
        PERPLEXITY: perplexities(texts, order=3),
        SMOOTHED: perplexities(texts, order=6, smoothing="kneser-ney"),
        SHARED: shared_words(vocabularies),
    }
    if task_words is not None:
        found[SHARED_TASK] = shared_words(task_words)
    return found


def rankings_for(target: str, measures: Mapping[str, Mapping[tuple[str, str], float]]) -> dict[str, dict[str, int]]:
    """Return by measure the ranks of the languages that could help a target, and their majority vote.

    Languages that a measure does not know are left out of all rankings.
    """
    sets = [{one for one, other in pairs if other == target and one != target} for pairs in measures.values()]
    helpers = sorted(set.intersection(*sets)) if sets else []
    if not helpers:
        raise InputError(f"There is no other language to compare {target!r} with.")
    found = {
        name: ranks(name, {helper: pairs[helper, target] for helper in helpers}) for name, pairs in measures.items()
    }
    return {**found, VOTE: majority_vote(list(found.values()))}
