"""How specific texts are: the sum of the weights of their words, of which rare words have more than frequent ones.

A word weighs a / (a + frequency), as in the text vectors of Arora et al. (2017), with a smaller a: words among the few
hundred most frequent weigh next to nothing. A misspelling weighs what it is read as, a number as much as a rare word.
On human ratings this is ahead of the norms and entropies of learnt representations (docs/models/word-operators.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import FloatArray
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.sentences.bags import bag_of
from everyword.sentences.encoder import rows_of_tokens
from everyword.sentences.tokens import tokens_of
from everyword.sentences.weights import frequencies_by_rank

SMOOTHING = 1e-4
"""a in a / (a + frequency), chosen on one half of the texts of four sets of ratings."""
TEXTS_AT_ONCE = 1024


def word_weights(known: KnownWords, smoothing: float = SMOOTHING) -> FloatArray:
    """Return how specific each known word is, from 0 to 1; terms of several words and foreign words are 1."""
    weights: FloatArray = (smoothing / (smoothing + frequencies_by_rank(known))).astype(np.float32)
    return weights


def specificities(model: Model, texts: Sequence[str], weights: FloatArray) -> NDArray[np.float64]:
    """Return how specific texts are: 0 for a text without words, about 1 per rare word.

    Args:
        model: Knows the frequencies of words by their order, and reads those that it does not know.
        texts: The texts.
        weights: What `word_weights` gave for the model's words.
    """
    found = np.zeros(len(texts))
    for first in range(0, len(texts), TEXTS_AT_ONCE):
        cut = [tokens_of(text) for text in texts[first : first + TEXTS_AT_ONCE]]
        counts = np.fromiter(map(len, cut), np.int64, len(cut))
        tokens = [token for words in cut for token in words]
        weighed = _weights_of(model, tokens, weights)
        text_of = np.repeat(np.arange(len(cut)), counts)
        found[first : first + len(cut)] = np.bincount(text_of, weighed, minlength=len(cut))
    return found


def _weights_of(model: Model, tokens: Sequence[str], weights: FloatArray) -> NDArray[np.float64]:
    rows = rows_of_tokens(model, tokens)
    number = np.fromiter((any(map(str.isdigit, token)) for token in tokens), np.bool_, len(tokens))
    weighed = np.where(number, 1.0, np.where(rows >= 0, weights[rows], 0.0))
    unknown = np.flatnonzero((rows < 0) & ~number)
    if len(unknown):
        place: dict[str, int] = {}
        which = np.array([place.setdefault(tokens[each], len(place)) for each in unknown.tolist()])
        bag = bag_of(model, list(place))
        read = np.bincount(bag.token, weights[bag.row] * bag.share, minlength=len(place))
        made = np.bincount(bag.made_token, bag.made_share, minlength=len(place))
        weighed[unknown] = (read + made)[which]
    return weighed
