from __future__ import annotations

import numpy as np
import pytest

from everyword.models.known import ROWS_AT_ONCE, KnownWords
from everyword.vectors import exact_neighbours
from everyword.vectors.storage.quantised import QuantisedMatrix
from everyword.vectors.storage.quantising import Quantisation, pack

PRECISIONS = pytest.mark.parametrize("precision", ["float32", "float16", "int8", "int4", "pq"])


def known(precision: str, rows: int = ROWS_AT_ONCE + 300, dim: int = 7) -> KnownWords:
    matrix = np.random.default_rng(0).normal(size=(rows, dim)).astype(np.float32)
    matrix[5:9] = matrix[4]  # ties
    matrix[-1] = 0
    packed = pack(matrix, precision, Quantisation(bytes=3, fine_rows=200, fine_bytes=5, rounds=1))
    return KnownWords([f"w{row}" for row in range(rows)], packed)


@PRECISIONS
@pytest.mark.parametrize("k", [1, 10, 2000])
def test_a_search_in_blocks_finds_what_a_search_in_floats_finds(precision: str, k: int) -> None:
    words = known(precision)
    floats = words.matrix.floats()
    for row in (3, 4, ROWS_AT_ONCE + 1):
        indices, cosines = exact_neighbours(floats[row][None, :], floats, k + 1)
        expected = [(f"w{i}", c) for i, c in zip(indices[0], cosines[0], strict=True) if i != row][:k]
        found = words.nearest(floats[row][None, :], k, [{f"w{row}"}])[0]
        assert [word for word, _ in found] == [word for word, _ in expected]
        np.testing.assert_allclose([c for _, c in found], [c for _, c in expected], atol=1e-6)


def test_many_vectors_have_the_neighbours_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.models.known.QUERIES_AT_ONCE", 3)
    words = known("int8")
    queries = words.matrix.floats(slice(0, 8))
    alone = [words.nearest(query[None, :], 4, [{f"w{row}"}])[0] for row, query in enumerate(queries)]
    assert words.nearest(queries, 4, [{f"w{row}"} for row in range(8)]) == alone


@PRECISIONS
def test_no_more_rows_become_floats_than_a_block(precision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words, most = known(precision, rows=5000), [0]
    kind, method = type(words.matrix), "_decoded" if isinstance(words.matrix, QuantisedMatrix) else "floats"
    original = getattr(kind, method)

    def floats(self: object, rows: object = slice(None)) -> np.ndarray:
        made: np.ndarray = original(self, rows)
        most[0] = max(most[0], len(made))
        return made

    monkeypatch.setattr(kind, method, floats)
    words.nearest(np.ones((1, 7), dtype=np.float32), 10)
    assert most[0] == ROWS_AT_ONCE


@PRECISIONS
def test_nothing_known_has_no_neighbours(precision: str) -> None:
    nobody = KnownWords([], pack(np.empty((0, 7), dtype=np.float32), precision))
    assert nobody.nearest(np.ones((2, 7), dtype=np.float32), 3) == [[], []]
