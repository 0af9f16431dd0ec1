"""What is asked of every registered step and merger: saved and read, it does the same; it leaves its input alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from tiny import tiny_table

from everyword import registry
from everyword.space import MergeRecord, Pipeline, load_record, merge
from everyword.space.notation import read_merger, read_steps
from everyword.vectors.table import VectorTable

STEPS = [
    "centre",
    "unit-rows",
    "all-but-the-top:2",
    "spectrum:-0.3",
    "whiten:0.5",
    "components:2",
    "pca:5",
    "features:row",
]
MERGERS = ["concatenate", "average", "svd:7", "geometric", "geometric:join=concatenate:unit=false"]
every_step = pytest.mark.parametrize("text", [*STEPS, ",".join(STEPS)])
every_merger = pytest.mark.parametrize("text", MERGERS)


def two_tables() -> list[VectorTable]:
    """The tiny world and a shorter view of it; each has words that the other lacks."""
    whole = tiny_table()
    mixed = np.random.default_rng(0).normal(size=(whole.dim, 9)).astype(np.float32)
    return [whole.head(280), VectorTable(whole.words[20:], whole.matrix[20:] @ mixed)]


def test_nothing_registered_is_skipped() -> None:
    assert {step.NAME for text in STEPS for step in read_steps(text)} == set(registry.space_steps)
    assert {read_merger(text).NAME for text in MERGERS} == set(registry.mergers)


@pytest.mark.parametrize("kind", [registry.space_steps, registry.mergers], ids=lambda kind: kind.kind)
def test_a_class_knows_its_registered_name_and_cannot_change(kind: registry.Registry) -> None:
    for name in kind:
        assert name == kind.get(name).NAME
        assert dataclasses.is_dataclass(kind.get(name))
        assert kind.get(name).__dataclass_params__.frozen


@every_step
def test_a_step_survives_saving(text: str, tmp_path: Path) -> None:
    matrix = tiny_table().matrix
    fitted = Pipeline.fit(text, matrix)
    fitted.save(tmp_path / "record")
    again = load_record(tmp_path / "record")
    assert isinstance(again, Pipeline)
    assert again.facts == fitted.facts
    np.testing.assert_array_equal(again.apply(matrix), fitted.apply(matrix))


@every_step
def test_a_step_leaves_its_input_alone_gives_float32_and_the_same_twice(text: str) -> None:
    matrix = tiny_table().matrix
    matrix.setflags(write=False)
    first, second = (Pipeline.fit(text, matrix) for _ in range(2))
    after = first.apply(matrix)
    assert (after.dtype, after.shape) == (np.float32, (len(matrix), first.dim_out))
    assert not np.shares_memory(after, matrix)
    np.testing.assert_array_equal(after, second.apply(matrix))
    np.testing.assert_array_equal(matrix, tiny_table().matrix)


@every_step
def test_a_step_does_to_a_row_what_it_does_to_the_row_among_others(text: str) -> None:
    matrix = tiny_table().matrix
    fitted = Pipeline.fit(text, matrix)
    np.testing.assert_allclose(fitted.apply(matrix[7:8]), fitted.apply(matrix)[7:8], atol=1e-5)


@every_merger
@pytest.mark.parametrize("missing", ["ridge", "zero"])
def test_a_merger_survives_saving(text: str, missing: str, tmp_path: Path) -> None:
    tables = two_tables()
    merged, fitted = merge(tables, method=text, missing=missing)  # type: ignore[arg-type]
    fitted.save(tmp_path / "record")
    again = load_record(tmp_path / "record")
    assert isinstance(again, MergeRecord)
    assert [source.words for source in again.sources] == [280, 280]
    assert (again.words, again.shared, again.facts) == (300, 260, fitted.facts)
    np.testing.assert_array_equal(again.merge(tables).matrix, merged.matrix)


@every_merger
def test_a_merger_leaves_its_input_alone_gives_float32_and_the_same_twice(text: str) -> None:
    tables = two_tables()
    for table in tables:
        table.matrix = table.matrix.copy()
        table.matrix.setflags(write=False)
    first, second = (merge(tables, method=text).table for _ in range(2))
    assert first.matrix.dtype == np.float32
    assert first.words == tiny_table().words
    np.testing.assert_array_equal(first.matrix, second.matrix)


def test_the_size_of_blocks_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, steps = two_tables(), ",".join(STEPS)
    whole = [merge(tables, method=text).table.matrix for text in MERGERS]
    whole.append(Pipeline.fit(steps, tables[0].matrix).apply(tables[0].matrix))
    monkeypatch.setattr("everyword.space.rows.FLOATS_AT_ONCE", 7 * 25)  # seven rows of both tables side by side
    parts = [merge(tables, method=text).table.matrix for text in MERGERS]
    parts.append(Pipeline.fit(steps, tables[0].matrix).apply(tables[0].matrix))
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(other, one, atol=1e-4)
