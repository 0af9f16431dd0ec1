"""Texts in batches of like length, and the next texts prepared while these are computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def batches_by_length(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Places of texts in batches of at most `budget` pieces, padding counted; the longest first, if memory is short.

    >>> list(batches_by_length([2, 5, 3, 2], budget=6))
    [[1], [2, 0], [3]]
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and lengths[batch[0]] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def prepared_ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items; while one is in use, the next one is made in a thread.

    >>> list(prepared_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        coming = thread.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = thread.submit(next, items, None)
            yield item
