"""Misspellings that people made, for training: lists of pairs, and words of messages with their normal forms.

Both leave out words by a rule that anyone can repeat, so that others can judge what was learnt. Of the SHA-256 of the
right word in lower case, an odd first byte marks words that are never trained on, and a second byte that is a multiple
of five marks words that judge while a model is developed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from everyword.corpus.codespell_split import Pair
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.files import read_lines

JUDGES_ONE_IN = 5


def may_be_trained_on(right: str) -> bool:
    """Return whether misspellings of a word are for training.

    >>> [word for word in ("because", "beautiful", "necessary", "different") if may_be_trained_on(word)]
    ['beautiful', 'necessary']
    """
    digest = hashlib.sha256(right.lower().encode()).digest()
    return digest[0] % 2 == 0 and digest[1] % JUDGES_ONE_IN != 0


def load_human_misspellings(path: Path) -> list[Pair]:
    """Read tab-separated wrong and right with one header line; return the pairs for training, in lower case, once."""
    rows = read_rows(path, "list of human misspellings", ("wrong", "right"))
    return _for_training([(wrong, right) for _, (wrong, right) in rows])


def load_normalisations(path: Path) -> list[Pair]:
    """Read words of messages and their normal forms, a tab between them; return the single words that differ, once."""
    pairs = []
    for number, line in enumerate(read_lines(path, "list of normalisations"), start=1):
        cells = line.split("\t")
        if not line.strip():
            continue
        if len(cells) != 2:
            raise InputError(f"{path}:{number}: needs a word, a tab and its normal form. Got {line[:60]!r}.")
        if cells[0].isalpha() and cells[1].isalpha():
            pairs.append((cells[0], cells[1]))
    return _for_training(pairs)


def _for_training(pairs: list[Pair]) -> list[Pair]:
    lowered = dict.fromkeys((wrong.lower(), right.lower()) for wrong, right in pairs)
    return [(wrong, right) for wrong, right in lowered if wrong != right and may_be_trained_on(right)]
