"""Words and vectors that are hard to keep come back from every format, or are refused before they are written."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.errors import InputError
from everyword.vectors.table import VectorTable

from .strange import any_word, matrices

FORMATS = [
    ("word2vec", ".vec"),
    ("word2vec", ".vec.gz"),
    ("word2vec-binary", ".bin.xz"),
    ("glove", ".glove"),
    ("glove", ".glove.gz"),
    ("npy", ".npy"),
]


@pytest.mark.parametrize(("format", "suffix"), FORMATS)
@given(words=st.lists(any_word, min_size=3, max_size=3, unique=True), matrix=matrices(3, 2))
@settings(deadline=None, max_examples=40)
def test_it_comes_back_or_is_refused(format: str, suffix: str, words: list[str], matrix: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"x{suffix}"
        try:
            VectorTable(words, matrix).save(path)
        except InputError:
            assert not list(Path(folder).iterdir())
            return
        again = VectorTable.load(path, format=format)
        assert again.words == words
        assert again.matrix.tobytes() == matrix.tobytes()
        del again
