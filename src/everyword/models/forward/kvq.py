"""Key, value and query of an n-gram from one shared table, by three hashes."""

from __future__ import annotations

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.forward.arithmetic import softmax
from everyword.models.forward.base import GroupedPass
from everyword.text.hashing import PRIME, fnv1a_of_numbers
from everyword.text.units import UNK

ROLES = {"key": PRIME, "value": PRIME + 2, "query": PRIME + 4}
"""The multiplier of each role's hash. All are odd: the published second one, PRIME + 1, is a multiple of four, so that
its hashes are too, and three quarters of a table whose length is one never hold a value."""


def shared_rows(ids: IndexArray, role: str, rows: int) -> IndexArray:
    """Return the row of the shared table for a unit in a role; padding and the unknown unit keep their own."""
    hashed = UNK + 1 + fnv1a_of_numbers(ids, ROLES[role]) % rows
    return np.where(ids > UNK, hashed, ids)


class KeyValueQueryPass(GroupedPass):
    """Attention over n-grams, one softmax for each dimension, from a table that all n-grams share."""

    OUTPUT = "shared"

    def encode_equal_lengths(self, ids: IndexArray) -> FloatArray:
        shared = self.tables["shared"]
        key, value, query = (shared[shared_rows(ids, role, len(shared) - UNK - 1)] for role in ROLES)
        wanted = query.sum(axis=1, keepdims=True)
        vectors: FloatArray = (softmax(self.dim**0.5 * wanted * key, axis=1) * value).sum(axis=1)
        return vectors
