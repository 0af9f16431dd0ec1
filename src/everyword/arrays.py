"""Array types, and arrays read from safetensors files."""

from __future__ import annotations

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
BoolArray = NDArray[np.bool_]
"""Which of many things."""
AnyArray = NDArray[Any]

MOST_DIMENSIONS = 1 << 18
"""Largest dimension of a vector. Files that declare more are rejected before memory is allocated."""


def read_tensors(path: Path) -> tuple[dict[str, AnyArray], dict[str, str]]:
    """Read arrays by name and the metadata of a safetensors file; raise ValueError if it is damaged."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise FileNotFoundError(path)
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118 (no mapping)
    except (SafetensorError, TypeError, AttributeError) as error:  # the last two for types that NumPy has not
        raise ValueError(" ".join(str(error).split())) from None
