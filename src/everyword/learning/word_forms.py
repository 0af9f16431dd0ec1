"""What a network learns of single words beside their vectors: how they are written, and a vector for each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from everyword.learning.word_vectors import PADDING, WordVectors

SHAPES = ("lower", "title", "upper", "initial", "mixed", "number", "digits", "mark")
_DIGIT = re.compile(r"\d")


def shape_of(word: str) -> str:
    """Return how a word is written: its case, and whether it has digits.

    >>> [shape_of(word) for word in ("us", "Us", "US", "U.", "iPhone", "1,200", "B2B", "--")]
    ['lower', 'title', 'upper', 'initial', 'mixed', 'number', 'digits', 'mark']
    """
    letters = [letter for letter in word if letter.isalpha()]
    if any(letter.isdigit() for letter in word):
        return "digits" if letters else "number"
    if not letters:
        return "mark"
    if len(letters) == 1 and letters[0].isupper():
        return "initial"
    if word == word.lower():
        return "lower"
    if word == word.upper():
        return "upper"
    return "title" if letters[0].isupper() and all(letter == letter.lower() for letter in letters[1:]) else "mixed"


def without_digits(word: str) -> str:
    """Return a word with zeros for its digits: what is learnt of one year serves all of them.

    >>> without_digits("1996-08-22")
    '0000-00-00'
    """
    return _DIGIT.sub("0", word)


def frequent_words(sentences: Iterable[Sequence[str]], least: int) -> list[str]:
    """Return the words that stand in sentences this often, zeros for their digits, in order."""
    counts = Counter(without_digits(token) for tokens in sentences for token in tokens)
    return sorted(word for word, count in counts.items() if count >= least)


class RowNumbers:
    """A number for each row of a table of words, made once; row 0, padding, has 0."""

    def __init__(self, words: WordVectors, number: Callable[[str], int]) -> None:
        self.words, self._number = words, number
        self._numbers = torch.zeros(1, dtype=torch.int64)

    def __call__(self, rows: Tensor) -> Tensor:
        """Return the numbers of rows, on their device."""
        if new := self.words.tokens[len(self._numbers) :]:
            found = np.array([self._number(token) for token in new], dtype=np.int64)
            self._numbers = torch.cat([self._numbers.cpu(), torch.from_numpy(found)])
        self._numbers = self._numbers.to(rows.device)
        return self._numbers[rows]


class WordForms(nn.Module):
    """Vectors that are learnt of the words and shapes of the training text. A word that it does not have gets zeros.

    Args:
        vocabulary: The words of the training text that have vectors of their own.
        lookup: The length of such a vector, beside the word vector; 0 for none.
        shapes: The length of the vector of a word's shape; 0 for none.
        tuned: The length of the word vectors, if what is added to them is learnt; 0 for vectors that stay.
        hidden: In training, the share of words that are taken as unknown here.
    """

    def __init__(
        self, vocabulary: Sequence[str], *, lookup: int = 0, shapes: int = 0, tuned: int = 0, hidden: float = 0.0
    ) -> None:
        super().__init__()
        self.hidden, self.dim = hidden, lookup + shapes
        self._number = {word: number for number, word in enumerate(vocabulary, start=1)}
        count = len(vocabulary) + 1
        self.lookup = nn.Embedding(count, lookup, padding_idx=PADDING) if lookup else None
        if self.lookup is not None:
            nn.init.normal_(self.lookup.weight[1:].detach(), std=0.1)
        self.shapes = nn.Embedding(len(SHAPES) + 1, shapes, padding_idx=PADDING) if shapes else None
        self.offsets = nn.Embedding(count, tuned, padding_idx=PADDING) if tuned else None
        if self.offsets is not None:
            nn.init.zeros_(self.offsets.weight)

    def use(self, words: WordVectors) -> None:
        """Read these rows from now on."""
        self._known = RowNumbers(words, lambda word: self._number.get(without_digits(word), PADDING))
        self._shape = RowNumbers(words, lambda word: SHAPES.index(shape_of(word)) + 1)

    def beside(self, rows: Tensor) -> list[Tensor]:
        """Return what is learnt beside the vectors of words: a list of (..., length)."""
        found = []
        if self.lookup is not None:
            numbers = self._known(rows)
            if self.training and self.hidden:
                numbers = numbers.masked_fill(torch.rand(rows.shape, device=rows.device) < self.hidden, PADDING)
            found.append(self.lookup(numbers))
        if self.shapes is not None:
            found.append(self.shapes(self._shape(rows)))
        return found

    def tune(self, rows: Tensor, vectors: Tensor) -> Tensor:
        """Return vectors with what is learnt to be added to them."""
        return vectors if self.offsets is None else vectors + self.offsets(self._known(rows))
