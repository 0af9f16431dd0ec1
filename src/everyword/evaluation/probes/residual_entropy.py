"""Residual entropy: is each attribute readable from its own part of a discrete code?

Gupta, Resnick, Foerster, Dai and Cho, "Compositionality and Capacity in Emergent Languages" (RepL4NLP 2020). The slots
of a code (bits, or the bytes of a product quantisation) are divided among attributes, and what remains unknown of an
attribute when its own slots are seen is measured:

    re(p) = 1/N Σ_i H(C_i | z[p_i]) / H(C_i),        re = min over partitions p

0 is a code that is put together of codes of the attributes, 1 one whose slots say nothing of any attribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import AnyArray, IndexArray
from everyword.errors import InputError

Search = Literal["auto", "exact", "greedy"]
MOST_EXACT = 12
"""Slots up to which all partitions are searched: 3^slots steps per attribute."""
AUTO_EXACT = 8
LEAST_ROOM = 0.1
"""Slots with so many different codes that chance alone explains all but this share of an entropy are not looked at."""
NOISE, ROUNDING = 1e-3, 1e-12
"""A change of a partition must gain more than this, with and without a correction for chance."""

Doubles = NDArray[np.float64]
Slots = tuple[int, ...]


@dataclass(frozen=True)
class ResidualEntropy:
    """The best partition that was found, and what remains unknown with it."""

    value: float
    """Between 0, every attribute is readable from its own slots, and 1; an upper bound unless `exact`."""
    partition: tuple[Slots, ...]
    """The slots of each attribute. Slots that help none are left out."""
    per_attribute: tuple[float, ...]
    exact: bool
    """Whether all partitions were searched."""


class CodeTable:
    """Attributes and codes of the same rows, and what remains unknown of an attribute when some slots are seen."""

    def __init__(
        self, attributes: AnyArray, codes: AnyArray, *, correct: bool = True, seed: int = 0, shuffles: int = 1
    ) -> None:
        self.attributes, self.codes = _checked(attributes, "attribute"), _checked(codes, "slot")
        self.rows, self.correct = len(self.codes), correct
        self.least = NOISE if correct else ROUNDING
        if len(self.attributes) != self.rows or self.rows < 2:
            raise InputError(
                "Attributes and codes need the same two or more rows. "
                f"Got {len(self.attributes)} rows of attributes and {self.rows} of codes."
            )
        self.entropies = [self._entropy(column) for column in self.attributes.T]
        if constant := [number for number, entropy in enumerate(self.entropies) if entropy <= 0]:
            raise InputError(f"Attribute {constant[0]} has the same value in all rows; leave it out.")
        self._known: dict[tuple[int, Slots], float] = {}
        self._cells: dict[Slots, IndexArray] = {(): np.zeros(self.rows, dtype=np.int64)}
        rng = np.random.default_rng(seed)
        self._shuffled = [self.attributes[rng.permutation(self.rows)] for _ in range(shuffles if correct else 0)]

    def remaining(self, attribute: int, slots: Iterable[int]) -> float:
        """Return H(attribute | slots) / H(attribute), between 0 and 1, corrected for chance."""
        chosen = tuple(sorted(slots))
        if (attribute, chosen) not in self._known:
            self._known[attribute, chosen] = self._remaining(attribute, chosen) if chosen else 1.0
        return self._known[attribute, chosen]

    def mean(self, partition: Sequence[Iterable[int]]) -> float:
        """Return the mean over the attributes."""
        return float(np.mean([self.remaining(number, slots) for number, slots in enumerate(partition)]))

    def _remaining(self, attribute: int, slots: Slots) -> float:
        cells, whole = self._cell_of(slots), self.entropies[attribute]
        told = self._told(cells, self.attributes[:, attribute], whole)
        room = whole - self._by_chance(cells, attribute)
        return 1.0 if room < LEAST_ROOM * whole else float(min(max((whole - told) / room, 0.0), 1.0))

    def _by_chance(self, cells: IndexArray, attribute: int) -> float:
        """Return what the same cells tell of shuffled rows: two deviations more than the mean, if there are several."""
        told = [self._told(cells, rows[:, attribute], self.entropies[attribute]) for rows in self._shuffled]
        return float(np.mean(told) + 2 * np.std(told)) if told else 0.0

    def _told(self, cells: IndexArray, column: IndexArray, entropy: float) -> float:
        """Return the mutual information of cells and a column in the rows at hand."""
        joint = cells * (int(column.max()) + 1) + column
        return entropy + self._entropy(cells) - self._entropy(joint)

    def _cell_of(self, slots: Slots) -> IndexArray:
        """Return a number per row that is the same for rows with the same codes."""
        if slots not in self._cells:
            last = self.codes[:, slots[-1]]
            self._cells[slots] = _numbered(self._cell_of(slots[:-1]) * (int(last.max()) + 1) + last)
        return self._cells[slots]

    def _entropy(self, cells: IndexArray) -> float:
        """Return the entropy of the empirical distribution, in nats."""
        counts = np.bincount(cells) if int(cells.max()) < 16 * self.rows else np.unique(cells, return_counts=True)[1]
        shares = counts[counts > 0] / self.rows
        return float(-(shares * np.log(shares)).sum())


def residual_entropy(
    attributes: AnyArray,
    codes: AnyArray,
    *,
    search: Search = "auto",
    restarts: int = 3,
    seed: int = 0,
    correct: bool = True,
    shuffles: int = 1,
) -> ResidualEntropy:
    """Measure how far a discrete code is from one that is put together of codes of the attributes.

    Args:
        attributes: Whole numbers, (rows, attributes): the value of each attribute.
        codes: Whole numbers, (rows, slots): bits, bytes or cluster numbers.
        search: All partitions ("exact", up to 12 slots), or the best that a greedy choice and moves and exchanges of
            single slots find ("greedy"); "auto" is exact up to 8 slots.
        restarts: How many random partitions are improved besides the greedy one.
        seed: Of the random partitions, and of the rows that are exchanged for the correction.
        correct: Subtract what the same slots tell of an attribute whose rows are shuffled. Without it, codes that tell
            all rows apart seem to be perfect.
        shuffles: How many times rows are shuffled. With few rows and many values, several are needed: the search would
            else find the slots that chance favours.

    Returns:
        The value, the partition and the part of each attribute.

    Raises:
        InputError: If the arrays do not go together, an attribute is constant, or an exact search would not end.
    """
    table = CodeTable(attributes, codes, correct=correct, seed=seed, shuffles=shuffles)
    count = table.codes.shape[1]
    exact = search == "exact" or (search == "auto" and count <= AUTO_EXACT)
    if exact and count > MOST_EXACT:
        raise InputError(f"All partitions can be searched of at most {MOST_EXACT} slots. Got {count}; search greedily.")
    found = _exact(table) if exact else _best_of(table, restarts, np.random.default_rng(seed))
    parts = [table.remaining(number, slots) for number, slots in enumerate(found)]
    return ResidualEntropy(float(np.mean(parts)), tuple(map(tuple, found)), tuple(parts), exact)


def _exact(table: CodeTable) -> list[list[int]]:
    """Return the best partition: for each set of slots, the best way to divide it among the first attributes."""
    attributes, count = table.attributes.shape[1], table.codes.shape[1]
    sets = [[slot for slot in range(count) if number >> slot & 1] for number in range(1 << count)]
    best: Doubles = np.array([table.remaining(0, slots) for slots in sets])
    taken = [list(range(1 << count))]
    for attribute in range(1, attributes):
        own: Doubles = np.array([table.remaining(attribute, slots) for slots in sets])
        new, choice = np.empty_like(best), []
        for number in range(1 << count):
            parts = _subsets(number)
            sums = own[parts] + best[number ^ parts]
            choice.append(int(parts[sums.argmin()]))
            new[number] = sums.min()
        best = new
        taken.append(choice)
    rest, partition = (1 << count) - 1, []
    for choice in reversed(taken):
        partition.append(sets[choice[rest]])
        rest ^= choice[rest]
    return [_needed(table, number, slots) for number, slots in enumerate(reversed(partition))]


def _subsets(number: int) -> IndexArray:
    """Return all sets of bits inside a set of bits, both as numbers."""
    found = np.zeros(1, dtype=np.int64)
    for bit in range(number.bit_length()):
        if number >> bit & 1:
            found = np.concatenate([found, found | 1 << bit])
    return found


def _needed(table: CodeTable, attribute: int, slots: Sequence[int]) -> list[int]:
    """Return the slots without those that say nothing more."""
    kept = list(slots)
    for slot in slots:
        fewer = [one for one in kept if one != slot]
        if table.remaining(attribute, fewer) <= table.remaining(attribute, kept) + table.least:
            kept = fewer
    return kept


def _best_of(table: CodeTable, restarts: int, rng: np.random.Generator) -> list[list[int]]:
    attributes, count = table.attributes.shape[1], table.codes.shape[1]
    found = [_improved(table, _greedy(table))]
    for _ in range(restarts):
        owner = rng.integers(attributes, size=count)
        found.append(_improved(table, [np.flatnonzero(owner == number).tolist() for number in range(attributes)]))
    best = min(found, key=table.mean)
    return [_needed(table, number, slots) for number, slots in enumerate(best)]


def _greedy(table: CodeTable) -> list[list[int]]:
    """Give one slot at a time to the attribute that learns most from it, as long as one learns anything."""
    partition: list[list[int]] = [[] for _ in range(table.attributes.shape[1])]
    free = set(range(table.codes.shape[1]))
    while free:
        gain, owner, slot = max(
            (table.remaining(number, slots) - table.remaining(number, [*slots, slot]), -number, -slot)
            for number, slots in enumerate(partition)
            for slot in free
        )
        if gain <= table.least:
            break
        partition[-owner].append(-slot)
        free.remove(-slot)
    return partition


def _improved(table: CodeTable, partition: list[list[int]]) -> list[list[int]]:
    """Move single slots, or exchange two, as long as the mean falls."""
    attributes, count = len(partition), table.codes.shape[1]
    owner = [next((number for number, slots in enumerate(partition) if slot in slots), -1) for slot in range(count)]
    moves = [(slot, new) for slot in range(count) for new in range(-1, attributes)]
    exchanges = [(one, other) for one in range(count) for other in range(one)]
    value, before = _cost(table, owner, attributes), float("inf")
    while value < before:
        before = value
        for kind, pairs in enumerate((moves, exchanges)):
            for slot, other in pairs:
                changed = owner.copy()
                changed[slot] = owner[other] if kind else other
                if kind:
                    changed[other] = owner[slot]
                if changed != owner and (cost := _cost(table, changed, attributes)) < value - table.least / attributes:
                    owner, value = changed, cost
    return _slots_of(owner, attributes)


def _slots_of(owner: Sequence[int], attributes: int) -> list[list[int]]:
    slots: list[list[int]] = [[] for _ in range(attributes)]
    for slot, number in enumerate(owner):
        if number >= 0:
            slots[number].append(slot)
    return slots


def _cost(table: CodeTable, owner: Sequence[int], attributes: int) -> float:
    return table.mean(_slots_of(owner, attributes))


def _checked(rows: AnyArray, what: str) -> IndexArray:
    """Return columns of numbers from 0 up, whatever the values of each were."""
    found = np.asarray(rows)
    if found.ndim != 2 or not found.shape[1] or found.dtype.kind not in "iub":
        raise InputError(
            f"There must be a column of whole numbers per {what}. "
            f"Got an array of shape {found.shape} and type {found.dtype}."
        )
    return np.stack([_numbered(column) for column in found.T], axis=1)


def _numbered(column: AnyArray) -> IndexArray:
    """Return the values as numbers from 0 up, in the same order."""
    low, high = int(column.min()), int(column.max())
    if high - low > 4 * len(column):
        numbers: IndexArray = np.unique(column, return_inverse=True)[1].reshape(-1).astype(np.int64)
        return numbers
    shifted = column.astype(np.int64) - low
    return (np.cumsum(np.bincount(shifted) > 0) - 1)[shifted]
