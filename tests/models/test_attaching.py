from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tiny import own_table, tiny_table

import everyword
from everyword.errors import InputError
from everyword.models.explanation import Source
from everyword.models.model import Model
from everyword.vectors.table import VectorTable


def test_the_model_then_knows_all_words_of_the_table(tiny_model: Model, tmp_path: Path) -> None:
    table = tiny_table()
    everyword.attach(table, tiny_model).save_pretrained(tmp_path / "whole")
    loaded = everyword.load(tmp_path / "whole")
    assert len(tiny_model.known_words) == 200
    assert loaded.known_words.words == table.words
    np.testing.assert_array_equal(loaded.encode(table.words), table.matrix)
    np.testing.assert_array_equal(loaded.encode(["bann"]), tiny_model.encode(["bann"]))
    assert loaded.record["attached"] == "a table, 300 vectors of dimension 16"


def test_words_that_the_table_lacks_stay(tiny_model: Model) -> None:
    table = tiny_table()
    later = VectorTable(["covfefe", *table.words[150:]], np.concatenate([table.matrix[:1], table.matrix[150:]]))
    attached = everyword.attach(later, tiny_model)
    assert attached.known_words.words == [*later.words, *table.words[:150]]
    np.testing.assert_array_equal(attached.encode(table.words), table.matrix)
    assert attached.source("covfefe") is Source.KNOWN


def test_a_gate_finds_the_new_words(tiny_dan_model: Model) -> None:
    table = tiny_table()
    attached = everyword.attach(table, tiny_dan_model, precision="int8")
    assert attached.known_words.matrix.precision == "int8"
    assert attached.blender is not None
    assert attached.blender.known is attached.known_words


def test_an_adapted_model_takes_more_words_of_its_space(tiny_model: Model) -> None:
    table = own_table()
    attached = everyword.attach(table, everyword.adapt(table, tiny_model, words=200))
    np.testing.assert_array_equal(attached.encode(table.words), table.matrix)
    assert attached.encode(["bann"]).shape == (1, table.dim)


def test_a_model_that_stores_nothing_takes_any_table_of_its_dimension(tiny_model: Model) -> None:
    empty = tiny_model.without(tiny_model.known_words.words)
    assert len(everyword.attach(tiny_table(), empty, words=10).known_words) == 10


def test_another_space_is_refused(tiny_model: Model) -> None:
    table = tiny_table()
    with pytest.raises(InputError, match="tiny gives vectors of dimension 16, and those of a table have 10; "):
        everyword.attach(own_table(), tiny_model)
    with pytest.raises(InputError, match=r"tiny is not of the space of a table: .* of cosine -1.00 to each other; "):
        everyword.attach(VectorTable(table.words, -table.matrix), tiny_model)
    table.matrix[0, 0] = np.inf
    with pytest.raises(InputError, match="The vector of 'ban' holds NaN or infinity"):
        everyword.attach(table, tiny_model)


def test_the_old_order_of_arguments_still_works(tiny_model: Model, tiny_model_folder: Path, tmp_path: Path) -> None:
    table = tiny_table()
    table.save(tmp_path / "table.vec")
    expected = everyword.attach(table, tiny_model).known_words.words
    for model, given in (
        (tiny_model, table),
        (tiny_model_folder, table),
        (tiny_model, tmp_path / "table.vec"),
        (str(tiny_model_folder), str(tmp_path / "table.vec")),
    ):
        with pytest.warns(DeprecationWarning, match=r"write attach\(table, model\)"):
            assert everyword.attach(model, given).known_words.words == expected  # type: ignore[arg-type]
        assert everyword.attach(given, model).known_words.words == expected
