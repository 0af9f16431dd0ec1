from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.vectors import VectorTable


@pytest.fixture
def small_table() -> VectorTable:
    words = ["the", "Straße", "東京", "😀", "]", '"', "it's"]
    matrix = np.arange(len(words) * 3, dtype=np.float32).reshape(-1, 3) / 7 - 1
    return VectorTable(words, matrix)


@pytest.fixture
def data() -> Path:
    return Path(__file__).parent / "data"
