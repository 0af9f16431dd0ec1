"""Array types, and arrays read from safetensors files."""

from __future__ import annotations

import errno
import json
import os
import zipfile
import zlib
from collections.abc import Collection, Mapping
from math import prod
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

    Zeros that `tensor_bytes` left out are there again. Mapped arrays are read-only and stay in the file: the system
    fetches the parts that are used, and shares them between processes. The file may be replaced, but must not be
    changed in place.
    """
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "this is not a file", str(path))
    try:
        with safe_open(path, framework="np") as file:
            large = _mapped(path) if mapped else {}
            copied = {name: file.get_tensor(name) for name in file.keys() if name not in large}  # noqa: SIM118 (no mapping)
            metadata = file.metadata() or {}
            return _with_zeros(copied | large, metadata.pop(ZEROS, None)), metadata
    except (SafetensorError, TypeError, AttributeError) as error:  # the last two for types that NumPy has not
        raise ValueError(f"{' '.join(str(error).split()):.200}") from None  # it may quote all that is in the file


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


ZEROS = "zeros left out"
"""The key of the metadata that lists arrays whose zeros are not in the file, with their shapes."""
WORTH = 0.9
"""Zeros are left out of an array if it then has at most this share of its bytes."""
SMALLEST = 1024
"""Smaller arrays are saved as they are."""


def tensor_bytes(tensors: Mapping[str, AnyArray], metadata: Mapping[str, str] | None = None) -> bytes:
    """Return the content of a safetensors file; of arrays with many zeros, these are left out.

    Such an array is saved as NAME.places, a bit for each of its numbers, and NAME.values, those that are not zero.
    """
    from safetensors.numpy import save

    sparse, arrays = left_out(tensors), dict[str, AnyArray]()
    for name, array in tensors.items():
        if name in sparse:
            there = array != 0
            arrays |= {f"{name}.places": np.packbits(there.ravel()), f"{name}.values": array[there]}
        else:
            arrays[name] = np.ascontiguousarray(array)
    shapes = {name: list(tensors[name].shape) for name in sparse}
    told = {**(metadata or {}), **({ZEROS: json.dumps(shapes)} if shapes else {})}
    return save(arrays, told or None)


def left_out(tensors: Mapping[str, AnyArray]) -> list[str]:
    """Return the names of the arrays of which `tensor_bytes` leaves out zeros."""
    return [name for name, array in tensors.items() if _is_worth_it(array)]


def _is_worth_it(array: AnyArray) -> bool:
    """Return whether zeros are left out of an array of weights; other whole numbers than int8 are none."""
    if array.size < SMALLEST or not (array.dtype.kind == "f" or array.dtype == np.int8):
        return False
    return bool(array.size / 8 + np.count_nonzero(array) * array.itemsize <= WORTH * array.nbytes)


def _with_zeros(arrays: dict[str, AnyArray], described: str | None) -> dict[str, AnyArray]:
    """Put the zeros back that `tensor_bytes` left out of arrays whose shapes are described."""
    if described is None:
        return arrays
    try:
        shapes = {str(name): tuple(map(int, shape)) for name, shape in json.loads(described).items()}
    except (ValueError, TypeError, AttributeError, RecursionError, OverflowError):
        raise ValueError("the shapes of its arrays without zeros cannot be read") from None
    for name, shape in shapes.items():
        places, values = (arrays.pop(f"{name}.{part}", None) for part in ("places", "values"))
        if places is None or values is None or name in arrays or not _fit(shape, places, values):
            raise ValueError(f"the array {name!r:.60} without zeros is incomplete or of the wrong size")
        dense = np.zeros(shape, dtype=values.dtype)
        dense[np.unpackbits(places, count=prod(shape)).astype(bool).reshape(shape)] = values
        arrays[name] = dense
    return arrays


def _fit(shape: tuple[int, ...], places: AnyArray, values: AnyArray) -> bool:
    size = prod(shape)
    if min(shape, default=0) < 0 or places.dtype != np.uint8 or places.ndim != 1 or values.ndim != 1:
        return False
    if len(places) != -(-size // 8):
        return False
    bits = np.unpackbits(places)
    return not bits[size:].any() and int(bits.sum()) == len(values)


TIMES_LARGER, OR_AT_LEAST = 200, 1 << 26
"""What an .npz file may unpack to: numbers of sentences shrink to a tenth, only bombs to a thousandth."""
_DAMAGE = (OSError, KeyError, EOFError, RuntimeError, MemoryError, TypeError, zipfile.BadZipFile, zlib.error)


def read_npz(path: Path, names: Collection[str]) -> dict[str, AnyArray]:
    """Read arrays by name from an .npz file; raise ValueError if it is damaged, or unpacks to more than it can hold."""
    try:
        with zipfile.ZipFile(path) as archive:
            most = max(TIMES_LARGER * path.stat().st_size, OR_AT_LEAST)
            if sum(member.file_size for member in archive.infolist()) > most:
                raise ValueError("it unpacks to more than such a file can hold")
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in names}
    except FileNotFoundError:
        raise
    except _DAMAGE as error:
        raise ValueError(" ".join(f"{error!s:.200}".split()) or type(error).__name__) from None
