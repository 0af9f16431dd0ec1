"""The second gate: which known word an unknown one is a misspelling of, or whether it is new, and what it is like then.

A small network over how a candidate aligns with the word gives it two scores: as the word that was meant, and as a
relative. Another one, over how the best candidate aligns, tells how likely the word is misspelt, and scores its own
spelling. If it is misspelt, a softmax over the first scores weighs the candidates; if it is new, one over the second
scores and that of its spelling does. The shares are the mean of both, by how likely each case is. Trained by
`everyword.systems.spelling.gate_network`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.blend.alignment import FEATURES, INPUTS, LETTER_PAIRS, LETTER_TABLES, Alignment
from everyword.models.blend.gate import SIGNS, Confidence, Weights, is_table
from everyword.models.retrieval.letter_rows import LETTERS
from everyword.models.retrieval.similar_words import MOST, Pairs
from everyword.models.retrieval.spelt_words import SpeltWords
from everyword.models.saved.layout import under

NO_CANDIDATE = np.float32(-1e9)
"""The score of a place without a candidate."""
LOWEST = -20.0
"""Scores of the best candidates below this one are all the same to the second network."""
SCORES_TOLD = 2
"""How many of the best scores it is told, beside the best score of a relative."""
OF_THE_WORD = ("number of candidates", "likeliness of its letters", "likeliness of the strangest", "length")
"""What is told of the word itself."""
BEST = (*FEATURES, *(f"score {nth}" for nth in range(SCORES_TOLD)), "score of a relative", *OF_THE_WORD)
"""Features of the best candidate, the best scores, and what is told of the word."""
BEST_FEATURES = len(BEST)
READING_SIGNS = (*SIGNS, "second share", *BEST, "misspelt")
"""What tells a sure reading from a guess: the signs of every blend, the second share, how the best aligns, and how
likely the word is misspelt."""
TRIGRAMS = LETTERS**3
LARGEST_EXPONENT = np.float32(80)
"""Larger ones overflow in single precision, and change nothing."""
SOFTNESS = 0.65
"""What the scores of readings are multiplied by: with shares as unequal as they are likely, hardly anything but the
first reading would be near the blend."""
MOST_CERTAIN = 0.99
"""Whatever is read is never as certain as a known word."""
REACH = 120_000
"""How many of the most frequent words are candidates."""


class ReadingGate:
    """The trained gate on arrays, and how sure its blends are."""

    NAME = "gate.v2"
    LEAST_SHARE = LEAST_OF_FORM = 0.03
    """Candidates with a smaller share are left out, and so is a form: fetching and making vectors takes time."""

    def __init__(self, tables: Mapping[str, FloatArray], reach: int = REACH) -> None:
        self.tables = dict(tables)
        self.reach = reach
        self.confidence = Confidence(under("confidence.", tables), MOST_CERTAIN)

    def described(self) -> dict[str, str | int]:
        """Return what is saved of the gate besides its tables."""
        return {"name": self.NAME, "reach": self.reach}

    def weigh(self, alignment: Alignment, pairs: Pairs, words: SpeltWords) -> tuple[Weights, FloatArray]:
        """Return the shares of all candidates and of the form, and of each word `BEST` and whether it is misspelt."""
        if len(words) == 1:
            return self._weigh_one(alignment, words)
        scores: FloatArray = np.full((2, len(words), MOST), NO_CANDIDATE, dtype=np.float32)
        scores[:, pairs.query, pairs.nth] = self._candidate_scores(alignment)
        best = best_of_each(alignment, pairs, scores)
        best[:, BEST_FEATURES - len(OF_THE_WORD) + 1 : -1] = likeliness(words, self.tables["trigrams"])
        misspelt, form = self._of_best(best[:, :-1])
        misspelt *= scores[0].max(axis=1) > NO_CANDIDATE
        best[:, -1] = misspelt
        shares = softmax(np.concatenate([scores[1], form[:, None]], axis=1))
        shares *= (1 - misspelt)[:, None]
        shares[:, :-1] += softmax(scores[0] * SOFTNESS) * misspelt[:, None]
        return Weights(shares[pairs.query, pairs.nth], shares[:, -1]), best

    def _weigh_one(self, alignment: Alignment, words: SpeltWords) -> tuple[Weights, FloatArray]:
        """Return the same for one word, which should not pay for the bookkeeping of many."""
        scores = self._candidate_scores(alignment)
        meant, relative = scores.tolist()
        best = np.zeros((1, BEST_FEATURES + 1), dtype=np.float32)
        if meant:
            best[0, : len(FEATURES)] = alignment.features[: len(FEATURES), meant.index(max(meant))]
        told = [*sorted([*meant, LOWEST, LOWEST], reverse=True)[:SCORES_TOLD], max([*relative, LOWEST])]
        about = (len(meant) / MOST, *likeliness_of_one(words, self.tables["trigrams"]))
        best[0, len(FEATURES) : -1] = [*(score / 8 for score in told), *about]
        misspelt, form = self._of_best(best[:, :-1])[:, 0].tolist()
        shares = softmax(np.array([[*relative, form]], dtype=np.float32))[0]
        if meant:
            best[0, -1] = misspelt
            shares *= np.float32(1 - misspelt)
            shares[:-1] += softmax(scores[:1] * np.float32(SOFTNESS))[0] * np.float32(misspelt)
        return Weights(shares[:-1], shares[-1:]), best

    def _candidate_scores(self, alignment: Alignment) -> FloatArray:
        tables = self.tables
        hidden: FloatArray = alignment.features.T @ tables["features"]
        hidden += tables["bias"]
        for which, name in zip(alignment.letter_pairs, LETTER_TABLES, strict=True):
            hidden += tables[name].take(which, axis=0)
        scores: FloatArray = (np.maximum(hidden, 0, out=hidden) @ tables["score"]).T
        return scores

    def _of_best(self, best: FloatArray) -> FloatArray:
        """Return how likely each word is misspelt, and the scores of forms."""
        tables = self.tables
        hidden: FloatArray = np.maximum(best @ tables["form.features"] + tables["form.bias"], 0)
        scores: FloatArray = (hidden @ tables["form.score"] + tables["form.score_bias"]).T
        scores[0] = 1 / (1 + np.exp(np.minimum(-scores[0], LARGEST_EXPONENT)))
        return scores


def softmax(scores: FloatArray) -> FloatArray:
    """Return the shares of each row of scores."""
    shares: FloatArray = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def best_of_each(alignment: Alignment, pairs: Pairs, scores: FloatArray) -> FloatArray:
    """Return for each word the features of its best candidate, the best scores and the number of candidates.

    Room is left for the likeliness of its letters, and for one more number.
    """
    best = np.zeros((scores.shape[1], BEST_FEATURES + 1), dtype=np.float32)
    counts = np.bincount(pairs.query, minlength=len(best))
    found = counts.nonzero()[0]
    top = scores[0].argmax(axis=1)
    place = (np.cumsum(counts) - counts)[found] + top[found]
    best[found, : len(FEATURES)] = alignment.features[: len(FEATURES)].T[place]
    highest, told = np.sort(scores[0], axis=1)[:, : -SCORES_TOLD - 1 : -1], len(FEATURES) + SCORES_TOLD
    best[:, len(FEATURES) : told] = np.maximum(highest, LOWEST) / 8
    best[:, told] = np.maximum(scores[1].max(axis=1), LOWEST) / 8
    best[:, told + 1] = counts / MOST
    return best


def likeliness(words: SpeltWords, trigrams: FloatArray) -> FloatArray:
    """Return how likely the letters of words are, on the average and at the strangest place, and how many there are.

    `trigrams` holds the logarithm of the probability of a letter after two others; none is before the first letter
    and after the last.
    """
    width = max(1, int(words.lengths.max(initial=1)))
    letters = np.zeros((len(words), width + 2), dtype=np.int64)
    letters[:, 1:-1] = words.letters[:, :width]
    place = (letters[:, :-2] * LETTERS + letters[:, 1:-1]) * LETTERS + letters[:, 2:]
    logarithms = trigrams.take(place)
    logarithms *= letters[:, 1:-1] != 0
    told = np.empty((len(words), 3), dtype=np.float32)
    told[:, 0] = logarithms.sum(axis=1) / np.maximum(words.lengths, 1)
    told[:, 1] = logarithms.min(axis=1, initial=0) / 4
    told[:, 2] = words.lengths / 10
    return told


def likeliness_of_one(words: SpeltWords, trigrams: FloatArray) -> tuple[float, float, float]:
    """Return the same for one word."""
    length = int(words.lengths[0])
    letters = [0, *words.letters[0, :length].tolist(), 0]
    around = zip(letters, letters[1:], letters[2:], strict=False)
    places = [(before * LETTERS + letter) * LETTERS + after for before, letter, after in around if letter]
    logarithms = trigrams.take(places).tolist() if places else []
    return sum(logarithms) / max(length, 1), min([0.0, *logarithms]) / 4, length / 10


def misfits(tables: Mapping[str, FloatArray]) -> list[str]:
    """Return the names of a gate's tables that are missing or of the wrong size."""
    sizes = {name: tables[name].size if name in tables else 0 for name in ("bias", "form.bias", "confidence.bias")}
    hidden, form_hidden, confidence_hidden = sizes.values()
    shapes = {
        **{name: (LETTER_PAIRS, hidden) for name in LETTER_TABLES},
        "features": (INPUTS, hidden),
        "bias": (hidden,),
        "score": (hidden, 2),
        "form.features": (BEST_FEATURES, form_hidden),
        "form.bias": (form_hidden,),
        "form.score": (form_hidden, 2),
        "form.score_bias": (2,),
        "trigrams": (TRIGRAMS,),
        "confidence.signs": (len(READING_SIGNS), confidence_hidden),
        "confidence.bias": (confidence_hidden,),
        "confidence.score": (confidence_hidden,),
        "confidence.score_bias": (1,),
    }
    return [name for name, shape in shapes.items() if name not in tables or not is_table(tables[name], shape)]
