"""Neighbours searched on a device, and how exact its products are."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from everyword.learning import device
from everyword.vectors.neighbours import exact_neighbours, unit_rows


def test_as_the_exact_search_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "QUERIES_AT_ONCE", 7)
    vectors = unit_rows(np.random.default_rng(0).normal(size=(60, 8)).astype(np.float32))
    expected, cosines = exact_neighbours(vectors[:20], vectors, 4)
    found, found_cosines = device.neighbours_on_device(vectors[:20], vectors, 4, device="cpu")
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(found_cosines, cosines, atol=1e-5)


def test_products_of_a_gpu_are_fast_for_a_while_and_those_of_a_cpu_exact() -> None:
    before = torch.get_float32_matmul_precision()
    with device.fast_products(torch.device("cpu")):
        assert torch.get_float32_matmul_precision() == before
    with device.fast_products(torch.device("cuda")):
        assert torch.get_float32_matmul_precision() == "high"
    assert torch.get_float32_matmul_precision() == before
