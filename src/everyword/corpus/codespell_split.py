"""Split misspellings into pairs for evaluation and pairs for training, by a rule that anyone can repeat.

The rule: lower-case all pairs; keep those whose wrong side is ASCII letters only and whose right word is among the
candidate words; sort them by the SHA-256 of "wrong<TAB>right"; the first 2,000 are the evaluation pairs. A model may be
trained on every pair whose right word is not in an evaluation pair: all misspellings of that word stay out.

The order of the file, the number of other pairs and any seed do not matter. The candidates do: training and evaluation
must use the same ones, the 50,000 most frequent words of the model.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.files import fingerprint

Pair = tuple[str, str]
"""A wrong form and the right word."""

CANDIDATES = 50_000
"""How many of a model's most frequent words are candidates."""
EVALUATION_PAIRS = 2_000


@dataclass(frozen=True)
class CodespellSplit:
    """Evaluation and training pairs, which share no right word."""

    evaluation: Sequence[Pair]
    training: Sequence[Pair]


def load_split(path: Path, candidates: Collection[str]) -> CodespellSplit:
    """Read a misspelling set, tab-separated wrong and right with one header line, and split it."""
    rows = read_rows(path, "misspelling set", ("wrong", "right"))
    return split_pairs([(wrong, right) for _, (wrong, right) in rows], candidates)


def split_pairs(pairs: Sequence[Pair], candidates: Collection[str], size: int = EVALUATION_PAIRS) -> CodespellSplit:
    """Draw evaluation pairs and leave their right words out of the training pairs; repeated pairs count once.

    >>> split_pairs([("Teh", "the"), ("hte", "the"), ("adn", "and")], ["the", "and"], size=1).training
    [('adn', 'and')]
    """
    lowered = list(dict.fromkeys((wrong.lower(), right.lower()) for wrong, right in pairs))
    known = frozenset(candidates)
    eligible = [(wrong, right) for wrong, right in lowered if wrong.isascii() and wrong.isalpha() and right in known]
    if not eligible:
        raise InputError(
            f"None of the {len(lowered):,} pairs has its right word among the {len(known):,} candidates; "
            "are they of another language?"
        )
    evaluation = sorted(eligible, key=lambda pair: fingerprint("\t".join(pair)))[:size]
    evaluated = {right for _, right in evaluation}
    return CodespellSplit(evaluation, [pair for pair in lowered if pair[1] not in evaluated])
