"""Strange words and numbers: what files must give back as they were given it."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from everyword.text.normalise import Normaliser

STRANGE = [
    "naïve",
    "e\u0301\u0323",  # marks that combine
    "שלום",
    "العربية",
    "#hash",
    '"quoted"',
    "it's",
    "a b",
    "\ufeffmark",
    "x" * 5000,
    "👩\u200d🚀",
    "a\u2028b",
    "a\x85b",
    "a\rb",
    "[PAD]",
    "<",
    "1e5",
    "nan",
]
any_word = st.sampled_from(STRANGE) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
short_word = any_word.filter(lambda word: len(word) < 99)
normalised = any_word.map(Normaliser()).filter(bool)

TELLING = [0.0, -0.0, 1e-45, -1e-45, 1.1754944e-38, 6e-8, 65504.0, 6.1e-5, 3.4028235e38, -3.4028235e38]
floats = st.sampled_from([float(np.float32(value)) for value in TELLING]) | st.floats(
    width=32, allow_nan=False, allow_infinity=False
)


def matrices(rows: int, columns: int) -> st.SearchStrategy[Any]:
    """Matrices of telling numbers."""
    return arrays.arrays(np.float32, (rows, columns), elements=floats)
