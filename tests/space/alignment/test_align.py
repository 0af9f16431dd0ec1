"""Alignments: known maps are found, saved and applied to later vectors; what cannot be used is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from two_spaces import DIM, dictionary, rotated_tables, rotation

from everyword import registry
from everyword.errors import EverywordError, InputError
from everyword.space import load_record
from everyword.space.alignment import Alignment, align, load_alignment
from everyword.space.pipeline import Pipeline
from everyword.space.record import load_merge, load_pipeline
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

METHODS = ["orthogonal", "ridge:0.0001", "cca", "cca:reweight=0", "vecmap"]


def share_found(alignment: Alignment, source: VectorTable, target: VectorTable) -> float:
    cosines = alignment.map_source(source.matrix) @ alignment.map_target(target.matrix).T
    return float((cosines.argmax(axis=1) == np.arange(len(source))).mean())


def test_every_registered_method_is_tested() -> None:
    assert {name.removesuffix(".v1") for name in registry.alignment_methods} == {
        method.partition(":")[0] for method in METHODS
    }


@pytest.mark.parametrize("method", METHODS)
def test_a_rotation_is_found_from_some_words_for_all_others(method: str) -> None:
    source, target = rotated_tables()
    assert share_found(align(source, target, dictionary(0, 60), method=method), source, target) == 1.0


def test_procrustes_recovers_the_rotation_itself() -> None:
    source, target = rotated_tables()
    alignment = align(source, target, dictionary(0, DIM), method="orthogonal")
    matrix = alignment.source.map.matrix
    np.testing.assert_allclose(matrix, rotation(), atol=1e-4)
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(DIM), atol=1e-5)
    assert not alignment.moves_target
    np.testing.assert_allclose(alignment.map_source(source.matrix), unit_rows(target.matrix), atol=1e-4)


def test_a_table_aligned_with_itself_stays_where_it_is() -> None:
    source, _ = rotated_tables()
    pairs = [(word, word) for word in source.words]
    mapped = align(source, source, pairs, method="orthogonal").map_source(source.matrix)
    np.testing.assert_allclose(mapped, unit_rows(source.matrix), atol=1e-5)


def test_canonical_directions_are_uncorrelated_with_equal_spread() -> None:
    source, target = rotated_tables(noise=0.5)
    alignment = align(source, target, dictionary(0, 200), method="cca:reweight=0")
    prepared = alignment.source.preparation.apply(source.matrix)
    canonical = alignment.source.map(prepared).astype(np.float64)
    np.testing.assert_allclose(canonical.T @ canonical / len(source), np.eye(DIM), atol=1e-3)


def test_de_whitening_puts_the_spread_of_each_side_back() -> None:
    source, target = rotated_tables()
    alignment = align(source, target, dictionary(0, 200), method="vecmap:reweight=0")
    prepared = alignment.source.preparation.apply(source.matrix)
    before, after = (
        np.linalg.eigvalsh((rows.T @ rows).astype(float)) for rows in (prepared, alignment.source.map(prepared))
    )
    np.testing.assert_allclose(before, after, rtol=1e-3)


@pytest.mark.parametrize("method", ["ridge", "cca", "vecmap"])
def test_tables_of_different_dimensions_meet(method: str) -> None:
    source, target = rotated_tables()
    wide = VectorTable(target.words, np.concatenate([target.matrix, target.matrix[:, :3]], axis=1))
    alignment = align(source, wide, dictionary(0, 150), method=method)
    assert alignment.map_source(source.matrix).shape[1] == alignment.map_target(wide.matrix).shape[1] == alignment.dim
    assert share_found(alignment, source, wide) > 0.95


def test_powers_are_part_of_the_saved_preparation() -> None:
    source, target = rotated_tables()
    alignment = align(source, target, dictionary(0, 60), method="vecmap", powers=(-0.25, 0.15))
    powers = [side.preparation.steps[0].step.alpha for side in (alignment.source, alignment.target)]  # type: ignore[attr-defined]
    assert powers == [-0.25, 0.15]
    assert alignment.moves_target


def test_later_vectors_go_through_the_loaded_record_as_before(tmp_path: Path) -> None:
    source, target = rotated_tables()
    alignment = align(
        source, target, dictionary(0, 60), method="vecmap", powers=(0.1, 0.0), names=("German", "English")
    )
    alignment.save(tmp_path / "record")
    again = load_alignment(tmp_path / "record")
    made_up = np.random.default_rng(5).normal(size=(3, DIM)).astype(np.float32)
    np.testing.assert_array_equal(again.map_source(made_up), alignment.map_source(made_up))
    np.testing.assert_array_equal(again.map_target(made_up), alignment.map_target(made_up))
    assert (again.source.name, again.target.name, again.facts["pairs"]) == ("German", "English", 60)
    assert again.method == alignment.method


def test_zero_vectors_stay_zero_and_all_others_have_length_1() -> None:
    source, target = rotated_tables()
    alignment = align(source, target, dictionary(0, 60), method="vecmap")
    rows = np.concatenate([np.zeros((1, DIM), dtype=np.float32), source.matrix[:4]])
    np.testing.assert_allclose(np.linalg.norm(alignment.map_source(rows), axis=1), [0, 1, 1, 1, 1], atol=1e-5)


def test_directions_that_no_pair_has_are_left_out_and_told() -> None:
    source, target = rotated_tables()
    said: list[str] = []
    alignment = align(source, target, dictionary(0, 5), method="vecmap", report=said.append)
    assert any("the covariance lacks directions: only 5 directions of the source" in line for line in said)
    assert np.isfinite(alignment.map_source(source.matrix)).all()
    assert alignment.facts["directions of the target"] == 5


def test_dropped_pairs_are_counted() -> None:
    source, target = rotated_tables()
    said: list[str] = []
    words = [*dictionary(0, 20), ("S3", "T4"), ("s1", "nowhere"), ("nowhere", "t1"), ("no", "where"), ("x", "t2")]
    facts = align(source, target, words, report=said.append).facts
    assert (facts["pairs"], facts["pairs given"]) == (21, 25)
    assert said[0] == (
        "21 pairs of 25; 4 dropped: 2 whose first word is not in the source table, 1 whose second is not in the target "
        "table, 1 of both"
    )


def test_words_spelt_alike_are_seeds() -> None:
    source, target = rotated_tables()
    names = [f"name{index}" if index < 30 else f"{index}" if index < 60 else word for index, word in enumerate(source)]
    others = [*names[:60], *target.words[60:]]
    one, other = VectorTable(names, source.matrix), VectorTable(others, target.matrix)
    assert align(one, other, seeds="identical").facts["pairs"] == 60
    numbers = align(one, other, seeds="numerals")
    assert numbers.facts["pairs"] == 30
    assert share_found(numbers, one, other) == 1.0


def with_rows(table: VectorTable, rows: np.ndarray) -> VectorTable:  # type: ignore[type-arg]
    return VectorTable.from_checked(table.words[: len(rows)], rows.astype(np.float32))


SOURCE, TARGET = rotated_tables()


@pytest.mark.parametrize(
    ("source", "target", "given", "sentence"),
    [
        (SOURCE, TARGET, {"dictionary": None}, "An alignment needs pairs of words"),
        (SOURCE, TARGET, {"dictionary": []}, "The dictionary holds no pair of words"),
        (SOURCE, TARGET, {"dictionary": [("a", "b")]}, "none of their words is in either table; check the languages"),
        (SOURCE, TARGET, {"dictionary": [("t1", "t1")]}, "none of their first words is in the source table"),
        (SOURCE, TARGET, {"dictionary": [("s1", "s1")]}, "none of their second words is in the target table"),
        (SOURCE, TARGET, {"seeds": "identical"}, "The tables share no word that could serve as a seed"),
        (SOURCE, SOURCE, {"seeds": "numerals"}, "The tables share no number that could serve as a seed"),
        (SOURCE, SOURCE, {"seeds": "same"}, "The 'seeds' must be identical or numerals. Got 'same'"),
        (SOURCE, TARGET, {"method": "procrustes"}, "There is no method of alignment 'procrustes'"),
        (SOURCE, with_rows(TARGET, TARGET.matrix[:, :5]), {}, "A rotation needs tables of one dimension. Got 12 and 5"),
        (SOURCE, with_rows(TARGET, TARGET.matrix[:, :1]), {}, "the target has vectors of one number each"),
        (SOURCE, with_rows(TARGET, TARGET.matrix[:0]), {}, "the target has no words"),
        (with_rows(SOURCE, SOURCE.matrix * np.nan), TARGET, {}, "The vector of 's0' holds NaN or infinity"),
        (
            with_rows(SOURCE, SOURCE.matrix * 0),
            TARGET,
            {"method": "vecmap"},
            "On one side the vectors of all pairs are zero",
        ),
    ],
)
def test_what_cannot_be_aligned_is_refused(
    source: VectorTable, target: VectorTable, given: dict[str, object], sentence: str
) -> None:
    pairs = {} if "seeds" in given else {"dictionary": dictionary(0, 9)}
    with pytest.raises(EverywordError, match=sentence):
        align(source, target, **{**pairs, **given})  # type: ignore[arg-type]


def test_a_record_of_another_kind_is_refused(tmp_path: Path) -> None:
    align(SOURCE, TARGET, dictionary(0, 20)).save(tmp_path / "alignment")
    Pipeline.fit("centre", SOURCE.matrix).save(tmp_path / "pipeline")
    assert isinstance(load_record(tmp_path / "alignment"), Alignment)
    for load in (load_pipeline, load_merge):
        with pytest.raises(InputError, match="is the record of an alignment; apply it with 'everyword align --map"):
            load(tmp_path / "alignment")
    with pytest.raises(InputError, match="is a record of post-processing"):
        load_alignment(tmp_path / "pipeline")


def test_vectors_of_another_dimension_are_refused() -> None:
    with pytest.raises(InputError, match=r"fitted to vectors of dimension 12 of the source\. Got dimension 3"):
        align(SOURCE, TARGET, dictionary(0, 20)).map_source(np.ones((2, 3), dtype=np.float32))
