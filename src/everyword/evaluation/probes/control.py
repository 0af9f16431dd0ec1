"""Control labels: how much of a probe's score is memory of words (Hewitt and Liang, 2019).

Every word gets one label for all its occurrences, drawn by chance as often as labels really occur. Nothing in a vector
says which; a probe that finds them all the same has learnt its words by heart. The score with the real labels minus the
score with these is the probe's selectivity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import accumulate
from random import Random
from typing import TypeVar

from everyword.errors import InputError

Label = TypeVar("Label", bound=Hashable)


def control_labels(types: Sequence[str], labels: Sequence[Label], seed: int = 0) -> list[Label]:
    """Return a label for each item that depends on nothing but its type.

    Args:
        types: What each item is, such as its word; items of one type get one label, in all splits.
        labels: The real labels, from which the others are drawn.
        seed: Of the draw.

    Returns:
        One label per item.

    Raises:
        InputError: If there are not as many labels as types.

    >>> control_labels(["the", "cat", "the", "mat"], ["D", "N", "D", "N"])
    ['D', 'N', 'D', 'D']
    """
    if len(types) != len(labels):
        raise InputError(f"Each item needs a type and a label. Got {len(types)} and {len(labels)}.")
    counts = Counter(labels)
    names = sorted(counts, key=repr)
    bounds = list(accumulate(counts[name] for name in names))
    # A generator per type: the label of a word does not depend on which other words there are.
    drawn = {one: Random(f"{seed}/{one}").choices(names, cum_weights=bounds)[0] for one in dict.fromkeys(types)}
    return [drawn[one] for one in types]
