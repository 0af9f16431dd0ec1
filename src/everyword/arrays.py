"""Array types, and arrays read from safetensors files."""

from __future__ import annotations

import json
import os
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
"""Vectors, and everything that is multiplied with them."""
IndexArray = NDArray[np.int64]
"""Row numbers and positions."""
IdArray = NDArray[np.int32]
"""Ids of units or words, many of them."""
HashArray = NDArray[np.uint64]
"""Hashes, and what is added and multiplied without regard for what runs over."""
ByteArray = NDArray[np.uint8]
"""Bytes, and small whole numbers, many of them."""
BoolArray = NDArray[np.bool_]
"""Which of many things."""
AnyArray = NDArray[Any]

MOST_DIMENSIONS = 1 << 18
"""Largest dimension of a vector. Files that declare more are rejected before memory is allocated."""


_TYPES = {"F32": "<f4", "F16": "<f2", "I8": "i1", "U8": "u1", "U16": "<u2", "U32": "<u4", "U64": "<u8"}
_TYPES |= {"I32": "<i4", "I64": "<i8"}
MAPPED_FROM = 1 << 20
"""Bytes of an array from which on it is worth a map; smaller ones are copied."""


def read_tensors(path: Path, *, mapped: bool = False) -> tuple[dict[str, AnyArray], dict[str, str]]:
    """Read arrays by name and the metadata of a safetensors file; raise ValueError if it is damaged.

    Mapped arrays are read-only and stay in the file: the system fetches the parts that are used, and shares them
    between processes. The file may be replaced, but must not be changed in place.
    """
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise FileNotFoundError(path)
    try:
        with safe_open(path, framework="np") as file:
            large = _mapped(path) if mapped else {}
            copied = {name: file.get_tensor(name) for name in file.keys() if name not in large}  # noqa: SIM118 (no mapping)
            return copied | large, file.metadata() or {}
    except (SafetensorError, TypeError, AttributeError) as error:  # the last two for types that NumPy has not
        raise ValueError(" ".join(str(error).split())) from None


def _mapped(path: Path) -> dict[str, AnyArray]:
    """Return maps of the large arrays of a safetensors file, which was checked when it was opened."""
    if os.name == "nt":  # a file that is mapped there could not be replaced
        return {}
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
        memory: mmap | None = None
        arrays: dict[str, AnyArray] = {}
        for name, described in header.items():
            kind = _TYPES.get(described.get("dtype", ""))
            begin, end = described.get("data_offsets", (0, 0))
            if kind is None or end - begin < MAPPED_FROM:
                continue
            memory = memory or mmap(file.fileno(), 0, access=ACCESS_READ)
            array = np.frombuffer(memory, dtype=np.uint8, count=end - begin, offset=8 + length + begin)
            if array.ctypes.data % np.dtype(kind).itemsize == 0:
                arrays[name] = array.view(kind).reshape(described["shape"])
    return arrays
