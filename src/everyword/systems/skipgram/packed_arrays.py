"""Arrays that go together, packed in one small file; what is read is never trusted to be what was written."""

from __future__ import annotations

import io
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

import numpy as np

from everyword.arrays import AnyArray
from everyword.atomic import write_atomic
from everyword.errors import InputError

Kind = TypeVar("Kind", bound="PackedArrays")
TIMES_LARGER, OR_AT_LEAST = 200, 1 << 26
"""What a part may unpack to: numbers of sentences shrink to a tenth, only bombs to a thousandth."""
DAMAGE = (OSError, ValueError, KeyError, EOFError, RuntimeError, MemoryError, zipfile.BadZipFile, zlib.error)
"""What reading an archive that is none, or only claims to hold arrays, can end in."""


class PackedArrays(ABC):
    """A dataclass of arrays that lies packed in a file, whole or not at all."""

    def save(self, path: Path) -> None:
        """Write all arrays."""
        written = io.BytesIO()
        np.savez_compressed(written, **{field.name: getattr(self, field.name) for field in fields(self)})  # type: ignore[arg-type]
        write_atomic(path, written.getvalue())

    @classmethod
    def load(cls: type[Kind], path: Path) -> Kind:
        """Read what `save` wrote."""
        try:
            with zipfile.ZipFile(path) as archive:
                most = max(TIMES_LARGER * path.stat().st_size, OR_AT_LEAST)
                if sum(member.file_size for member in archive.infolist()) > most:
                    raise ValueError("it unpacks to more than a part can hold")
            with np.load(path, allow_pickle=False) as arrays:
                part = cls(**{field.name: arrays[field.name] for field in fields(cls)})  # type: ignore[arg-type]
        except DAMAGE:
            raise InputError(f"{path} is no part of a prepared corpus; prepare the corpus again.") from None
        if not (part._are_lists_of_integers() and part.is_whole):
            raise InputError(f"{path} is a part whose numbers do not go together; prepare the corpus again.")
        return part

    @property
    @abstractmethod
    def is_whole(self) -> bool:
        """Whether the arrays speak of the same things."""

    def _are_lists_of_integers(self) -> bool:
        arrays = [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]
        return all(array.ndim == 1 and array.dtype.kind in "iu" for array in arrays)


def packed(numbers: Sequence[int] | AnyArray) -> AnyArray:
    """Numbers in the smallest type that holds them all."""
    wide = np.asarray(numbers, dtype=np.int64)
    ends = (np.min_scalar_type(int(end)) for end in (wide.min(initial=0), wide.max(initial=0)))
    return wide.astype(np.result_type(*ends))
