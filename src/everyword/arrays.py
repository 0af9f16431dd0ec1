"""Names for the kinds of arrays that travel between rooms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
"""Vectors, and everything that is multiplied with them."""
IndexArray = NDArray[np.int64]
"""Rows and places."""
IdArray = NDArray[np.int32]
"""Ids of units or words, many of them."""
HashArray = NDArray[np.uint64]
"""Hashes, and what is added and multiplied without regard for what runs over."""
BoolArray = NDArray[np.bool_]
"""Which of many things."""
AnyArray = NDArray[Any]

MOST_DIMENSIONS = 1 << 18
"""Numbers in a vector. A file that claims more lies, and is not believed with memory."""
