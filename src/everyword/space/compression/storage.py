"""Ways to store the numbers of a table in fewer bytes; each packs a matrix as `vectors/storage` has it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from everyword.arrays import FloatArray
from everyword.config import Count, Natural, Range
from everyword.space.compression.pruning import Scope, magnitude_mask, random_mask
from everyword.vectors.formats.compact import Packed
from everyword.vectors.storage.quantising import Quantisation, quantise
from everyword.vectors.storage.sparse import SparseMatrix
from everyword.vectors.storage.stored import Precision, StoredMatrix


class Storage(ABC):
    """A frozen dataclass of options."""

    NAME: ClassVar[str]

    @abstractmethod
    def pack(self, matrix: FloatArray) -> Packed:
        """Store a matrix."""


class _AtPrecision(Storage):
    PRECISION: ClassVar[Precision]

    def pack(self, matrix: FloatArray) -> Packed:
        return StoredMatrix.pack(matrix, self.PRECISION)


@dataclass(frozen=True)
class Float32(_AtPrecision):
    """Four bytes a number: nothing is lost."""

    NAME: ClassVar[str] = "float32.v1"
    PRECISION: ClassVar[Precision] = "float32"


@dataclass(frozen=True)
class Float16(_AtPrecision):
    """Two bytes a number."""

    NAME: ClassVar[str] = "float16.v1"
    PRECISION: ClassVar[Precision] = "float16"


@dataclass(frozen=True)
class Int8(_AtPrecision):
    """A byte a number, and a scale for each vector."""

    NAME: ClassVar[str] = "int8.v1"
    PRECISION: ClassVar[Precision] = "int8"


@dataclass(frozen=True)
class Int4(_AtPrecision):
    """Half a byte a number, and a scale for each vector."""

    NAME: ClassVar[str] = "int4.v1"
    PRECISION: ClassVar[Precision] = "int4"


@dataclass(frozen=True)
class Codes(Storage):
    """Product quantisation: so many bytes a vector, each of which names one of 256 learnt pieces."""

    NAME: ClassVar[str] = "pq.v1"
    bytes: Count = 64
    sample: Count = 20_000
    """Vectors that the pieces are learnt from."""
    seed: Natural = 0

    def pack(self, matrix: FloatArray) -> Packed:
        if not matrix.size:
            return StoredMatrix.pack(matrix, "float32")
        return quantise(matrix, Quantisation(bytes=self.bytes, sample=self.sample, seed=self.seed))


@dataclass(frozen=True)
class Pruned(Storage):
    """The smallest share of the numbers is zero, and not stored; a bit for each number says which."""

    NAME: ClassVar[str] = "prune.v1"
    sparsity: Annotated[float, Range(0, 1, open_high=True)] = 0.5
    scope: Scope = "matrix"
    by: Literal["magnitude", "random"] = "magnitude"
    seed: Natural = 0

    def pack(self, matrix: FloatArray) -> Packed:
        if self.by == "magnitude":
            kept = magnitude_mask(matrix, self.sparsity, self.scope)
        else:
            rows, columns = matrix.shape
            kept = random_mask((rows, columns), self.sparsity, self.scope, self.seed)
        return SparseMatrix.pack(np.where(kept, matrix, np.float32(0)))
