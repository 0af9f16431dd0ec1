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


def test_products_have_fewer_bits_for_a_while() -> None:
    before = torch.get_float32_matmul_precision()
    with device.fast_products(torch.device("cpu")):
        assert torch.get_float32_matmul_precision() == "medium"
    with device.fast_products(torch.device("cuda")):
        assert torch.get_float32_matmul_precision() == "high"
    assert torch.get_float32_matmul_precision() == before


@pytest.mark.parametrize(
    ("features", "expected"), [({"avx512_bf16": True}, True), ({"amx_bf16": True}, True), ({}, False)]
)
def test_a_cpu_multiplies_in_bfloat16_if_it_can(
    monkeypatch: pytest.MonkeyPatch, features: dict[str, bool], expected: bool
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: features, raising=False)
    with device.half_precision(torch.device("cpu")):
        product = torch.ones(2, 2) @ torch.ones(2, 2)
    assert (product.dtype == torch.bfloat16) == expected


def test_an_older_torch_does_not_say_what_its_cpu_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(torch.cpu, "get_capabilities", raising=False)
    assert not device.multiplies_bfloat16(torch.device("cpu"))
