"""Models, taggers and classifiers that are pruned after training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.arrays import read_tensors, tensor_bytes
from everyword.errors import InputError
from everyword.models.load import load
from everyword.models.pruned import PRUNED, prune_model, prune_weights
from everyword.models.saved import layout
from everyword.models.saved.config_schema import read_description


def test_a_pruned_model_is_smaller_and_gives_the_same_vectors_again(tmp_path: Path) -> None:
    model = load("love-en")
    pruned = prune_model(model, 0.6)

    assert 0.5 < pruned.cosine < 1
    assert pruned.model.record[PRUNED]["zeros"] == pytest.approx(0.6, abs=0.05)
    np.testing.assert_array_equal(pruned.model.encode("cat"), model.encode("cat"))  # stored
    for folder, one in (("before", model), ("after", pruned.model)):
        one.save_pretrained(tmp_path / folder)
    sizes = [(tmp_path / folder / layout.TENSORS).stat().st_size for folder in ("before", "after")]
    encoder = sum(table.values.nbytes for table in model.form_encoder.tables.values())
    assert sizes[0] - sizes[1] > 0.4 * encoder
    again = load(tmp_path / "after")
    words = ["catt", "mispelling", "xyzzy"]
    np.testing.assert_array_equal(again.encode(words), pruned.model.encode(words))
    assert not np.allclose(again.encode(words), model.encode(words))
    assert read_description(tmp_path / "after")["format"] == layout.PRUNED_FORMAT
    assert read_description(tmp_path / "before")["format"] == layout.QUANTISED_FORMAT


def test_weights_in_a_file_are_pruned_matrix_by_matrix(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    weights = {"a": rng.normal(size=(40, 50)), "b": 100 * rng.normal(size=(8, 4, 40)), "bias": rng.normal(size=9)}
    source, output = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    source.write_bytes(tensor_bytes({name: array.astype(np.float32) for name, array in weights.items()}, {"x": "y"}))

    assert prune_weights(source, output, 0.5) == pytest.approx(0.5)
    found, told = read_tensors(output)
    assert told == {"x": "y"}
    assert output.stat().st_size < 0.65 * source.stat().st_size
    for name in ("a", "b"):
        assert np.count_nonzero(found[name]) == weights[name].size / 2
        assert np.abs(weights[name][found[name] == 0]).max() <= np.abs(weights[name][found[name] != 0]).min()
    assert np.count_nonzero(found["bias"]) == 9


def test_what_cannot_be_pruned_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(b"no")
    with pytest.raises(InputError, match="cannot be read as saved weights"):
        prune_weights(path, tmp_path / "b.safetensors", 0.5)
    path.write_bytes(tensor_bytes({"a": np.ones(5)}))
    with pytest.raises(InputError, match="has no matrices to prune"):
        prune_weights(path, tmp_path / "b.safetensors", 0.5)
    with pytest.raises(InputError, match="below 1"):
        prune_model(load("love-en"), 1.5)
    assert not (tmp_path / "b.safetensors").exists()
