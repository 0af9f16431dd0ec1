"""Bags of units: a word as the mean of its unit vectors, as it is or through hidden layers."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property

import numpy as np

from everyword import kernel
from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.base import ForwardPass
from everyword.text.units import Sequences

CHUNK = 512
"""Words whose means are made together: their running sums stay in the cache."""

SAMPLE = 16


class BagPass(ForwardPass):
    """A forward pass that reads only the mean of a word's rows of the table `unit`."""

    @abstractmethod
    def of_means(self, means: FloatArray) -> FloatArray:
        """Return the vectors of words from the means of their units; the means may be overwritten."""

    @cached_property
    def _units(self) -> kernel.Rows | None:
        return self.packed("unit")

    def __call__(self, words: Sequences) -> FloatArray:
        if kernel.compiled and self._units is not None:
            return self._in_chunks(self._units.means(words.flat, words.lengths))
        table = self.tables["unit"]
        if len(words) == 1:
            means: FloatArray = np.add.reduce(table[words.flat], axis=0, keepdims=True)
            means /= len(words.flat)
            return self.of_means(means)
        vectors = np.empty((len(words), self.dim), dtype=np.float32)
        longest_first = np.argsort(-words.lengths, kind="stable")
        for first in range(0, len(words), CHUNK):
            chunk = longest_first[first : first + CHUNK]
            sums = _sums(table, words.flat, words.starts[chunk], words.lengths[chunk])
            sums /= words.lengths[chunk].astype(np.float32)[:, None]
            vectors[chunk] = self.of_means(sums)
        return vectors

    def _in_chunks(self, means: FloatArray) -> FloatArray:
        if len(means) <= CHUNK:
            return self.of_means(means)
        return np.concatenate([self.of_means(means[first : first + CHUNK]) for first in range(0, len(means), CHUNK)])


def _sums(table: FloatArray, flat: IndexArray, starts: IndexArray, lengths: IndexArray) -> FloatArray:
    """Return the sums of rows, for words from the longest to the shortest.

    Position by position, the first units of all words, then the second ones: each step gathers and adds whole blocks,
    which is several times faster in NumPy than a reduction for each word.
    """
    sums: FloatArray = table[flat[starts]]
    gathered = np.empty_like(sums)
    for position in range(1, int(lengths.max(initial=0))):
        long_enough = len(lengths) - int(np.searchsorted(lengths[::-1], position, side="right"))
        rows = gathered[:long_enough]
        # "clip" is the mode in which NumPy writes into `out` without a copy; no id is out of bounds.
        table.take(flat[starts[:long_enough] + position], axis=0, out=rows, mode="clip")
        sums[:long_enough] += rows
    return sums


class BagOfSubstringsPass(BagPass):
    """The mean of the unit vectors, repeats counted: a linear model of the spelling."""

    def of_means(self, means: FloatArray) -> FloatArray:
        return means


class DeepAveragingPass(BagPass):
    """Mean, dense maps around a rectifier, and with two blocks the same once more on top."""

    OUTPUT = "straight"

    @cached_property
    def _dense(self) -> dict[str, kernel.Rows]:
        names = ("inner", "outer", "straight", "second_inner", "second_outer")
        found = {name: self.packed(name) for name in names if name in self.tables}
        return {name: rows for name, rows in found.items() if rows is not None}

    @cached_property
    def _outer(self) -> kernel.Rows | None:
        return kernel.Rows.of(self.tables["outer"], None)

    def of_means(self, means: FloatArray) -> FloatArray:
        if len(means) == 1 and kernel.compiled and len(self._dense) in (3, 5):
            return self._of_one_mean(means)
        tables = self.tables
        hidden: FloatArray = means @ tables["inner"]
        hidden += tables["inner_bias"]
        vectors: FloatArray = means @ tables["straight"]
        vectors += tables["straight_bias"]
        _rectified(hidden)
        if kernel.compiled and self._outer is not None and _is_sparse(hidden):
            self._outer.add_product(hidden, vectors)
        elif len(hidden) == 1:  # only the rows that count are read
            active = hidden[0].nonzero()[0]
            vectors += hidden[0].take(active) @ tables["outer"].take(active, axis=0)
        else:
            vectors += hidden @ tables["outer"]
        if "second_inner" in tables:
            vectors += _rectified(vectors @ tables["second_inner"]) @ tables["second_outer"]
        return vectors

    def _of_one_mean(self, mean: FloatArray) -> FloatArray:
        """Return the same for one word, for which packed tables take less time than floats in BLAS."""
        tables, dense = self.tables, self._dense
        layers = dense["inner"], dense["outer"], dense["straight"]
        vector = kernel.two_layers(mean, layers, (tables["inner_bias"], tables["straight_bias"]))
        if "second_inner" in dense:
            second = np.zeros((1, dense["second_inner"].width), dtype=np.float32)
            dense["second_inner"].add_product(vector, second)
            dense["second_outer"].add_product(_rectified(second), vector)
        return vector


def _is_sparse(hidden: FloatArray) -> bool:
    """Return whether so much is zero, as far as the first words tell, that leaving it out saves time."""
    some = hidden[:SAMPLE]
    return bool(4 * np.count_nonzero(some) < some.size)


def _rectified(values: FloatArray) -> FloatArray:
    return np.maximum(values, 0, out=values)
