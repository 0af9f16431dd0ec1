"""Arrays in safetensors files: zeros that are left out are there again when a file is read."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from everyword.arrays import ZEROS, AnyArray, left_out, read_npz, read_tensors, tensor_bytes


@settings(max_examples=60, deadline=None)
@given(
    shape=st.lists(st.integers(0, 40), min_size=0, max_size=3),
    share=st.floats(0, 1),
    dtype=st.sampled_from(["float32", "float16", "float64", "int8", "uint8", "int64", "bool"]),
    seed=st.integers(0, 99),
)
def test_what_is_written_is_read(shape: list[int], share: float, dtype: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    array = np.asarray(rng.normal(size=shape) * 50).astype(dtype)
    array = np.where(rng.random(shape) < share, array.dtype.type(0), array)
    other = np.arange(5, dtype=np.float32)
    content = tensor_bytes({"a": array, "b": other}, {"format": "x"})
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.safetensors"
        path.write_bytes(content)
        for mapped in (False, True):
            found, metadata = read_tensors(path, mapped=mapped)
            assert metadata == {"format": "x"}
            assert sorted(found) == ["a", "b"]
            assert found["a"].dtype == array.dtype
            np.testing.assert_array_equal(found["a"], array)
            np.testing.assert_array_equal(found["b"], other)
    if left_out({"a": array}):
        assert len(content) < len(save({"a": array, "b": other})) + 200


def test_zeros_cost_a_bit_each() -> None:
    array = np.zeros((100, 80), dtype=np.float32)
    array[:, ::4] = 1.5

    assert left_out({"a": array}) == ["a"]
    assert len(tensor_bytes({"a": array})) < 100 * 80 / 8 + 100 * 20 * 4 + 300


@pytest.mark.parametrize(
    ("shapes", "places", "values"),
    [
        ("{", 200, 400),
        ("[1]", 200, 400),
        ('{"a": "no"}', 200, 400),
        ('{"a": [40, 41]}', 200, 400),
        ('{"a": [-40, -40]}', 200, 400),
        ('{"a": [40, 40]}', 199, 400),
        ('{"a": [40, 40]}', 200, 399),
        ('{"b": [40, 40]}', 200, 400),
        ('{"a": [1e99]}', 200, 400),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, shapes: str, places: int, values: int) -> None:
    arrays: dict[str, AnyArray] = {
        "a.places": np.full(places, 0b10001000, dtype=np.uint8),
        "a.values": np.ones(values, dtype=np.float32),
    }
    (tmp_path / "a.safetensors").write_bytes(save(arrays, {ZEROS: shapes}))

    with pytest.raises(ValueError, match="without zeros"):
        read_tensors(tmp_path / "a.safetensors")


def test_bits_behind_the_last_number_are_refused(tmp_path: Path) -> None:
    places = np.packbits(np.ones(16, dtype=bool))
    told: dict[str, Any] = {ZEROS: json.dumps({"a": [15]})}
    (tmp_path / "a.safetensors").write_bytes(save({"a.places": places, "a.values": np.ones(16)}, told))

    with pytest.raises(ValueError, match="incomplete or of the wrong size"):
        read_tensors(tmp_path / "a.safetensors")


def test_sizes_without_end_are_refused(tmp_path: Path) -> None:
    array = np.zeros(1, dtype=np.uint8)
    content = save({"x.places": array, "x.values": array}, {ZEROS: '{"x": [Infinity]}'})
    (tmp_path / "x.safetensors").write_bytes(content)
    with pytest.raises(ValueError, match="shapes of its arrays without zeros cannot be read"):
        read_tensors(tmp_path / "x.safetensors")


def test_an_npz_file_is_read_whole_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with pytest.raises(FileNotFoundError):
        read_npz(path, ["a"])
    np.savez_compressed(path, a=np.arange(3), b=np.ones(2))
    assert read_npz(path, ["a"])["a"].tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="c is not a file in the archive"):
        read_npz(path, ["c"])
    np.savez_compressed(path, a=np.zeros(1 << 24))
    with pytest.raises(ValueError, match="unpacks to more than such a file can hold"):
        read_npz(path, ["a"])
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match="not a zip file"):
        read_npz(path, ["a"])
