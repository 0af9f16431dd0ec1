from __future__ import annotations

from dataclasses import replace

import pytest

from everyword.evaluation.results import SCHEMA, Result
from everyword.evaluation.scoreboard import as_markdown, as_record, as_text, board


def result(model: str, task: str, data: str, value: float | None, *, version: int = 1, expected: bool = True) -> Result:
    return Result(
        schema=SCHEMA,
        task=task,
        version=version,
        data=data,
        data_place="",
        data_sha256="",
        data_expected=expected,
        model=model,
        model_sha256="0123456789",
        policy="encode",
        candidates=9,
        seed=0,
        main="score",
        scores={"score": value},
        spread={},
        seeds=0,
        n=10,
        known=9,
        coverage=0.9,
        sections={},
        encode_seconds=0.0,
        score_seconds=0.0,
        versions={},
    )


NOISY = {"rareword": 30.0, "simlex999": 10.0}
RESULTS = [
    result("b", "similarity", "rareword", 30),
    result("a", "clustering", "ap", 55.55, expected=False),
    result("a", "similarity", "simlex999", 40),
    result("a", "similarity", "crw_dev", 90),
    result("a", "similarity", "rareword", 20),
]


def test_noise_is_a_column_and_an_unusual_run_a_row_of_its_own() -> None:
    noisy = {"corruption": "typo", "strength": 10.0}
    table = board(
        [
            result("a", "similarity", "rareword", 40),
            *(replace(result("a", "similarity", data, value), **noisy) for data, value in NOISY.items()),
            replace(result("a", "similarity", "rareword", 1), seed=3),
            replace(result("a", "similarity", "rareword", 2), candidates_limited=True, seed=3),
        ]
    )

    assert table.rows == [
        "a 01234567, encode",
        "a 01234567, encode, 9 candidates, seed 3",
        "a 01234567, encode, seed 3",
    ]
    assert table.columns == [
        "similarity.v1/rareword",
        "similarity.v1/rareword@typo-10",
        "similarity.v1/simlex999@typo-10",
        "similarity.v1/mean@typo-10",
    ]
    assert [table.cells.get((table.rows[0], column)) for column in table.columns] == [40, 30, 10, 20]


def test_models_are_rows_and_a_mean_needs_all_its_parts_once() -> None:
    table = board(RESULTS)

    assert table.rows == ["a 01234567, encode", "b 01234567, encode"]
    assert table.columns == [
        "similarity.v1/rareword",
        "similarity.v1/simlex999",
        "similarity.v1/crw_dev",
        "similarity.v1/mean",
        "clustering.v1/ap",
    ]
    # crw_dev is a part of rareword and not counted; b lacks simlex999.
    assert table.cells[table.rows[0], "similarity.v1/mean"] == 30
    assert (table.rows[1], "similarity.v1/mean") not in table.cells


def test_versions_never_share_a_column() -> None:
    table = board([result("a", "clustering", "ap", 1), result("b", "clustering", "ap", 2, version=2)])

    assert table.columns == ["clustering.v1/ap", "clustering.v2/ap"]


def test_markdown() -> None:
    assert as_markdown(board(RESULTS[:3])).splitlines() == [
        "| model | similarity.v1/rareword | similarity.v1/simlex999 | similarity.v1/mean | clustering.v1/ap |",
        "| --- | --: | --: | --: | --: |",
        "| a 01234567, encode | – | 40.0 | – | 55.5* |",
        "| b 01234567, encode | 30.0 | – | – | – |",
        "",
        "* made with another copy of the data than the catalogue's.",
    ]


def test_plain_and_json() -> None:
    table = board([result("a", "clustering", "ap", 5), result("b", "clustering", "ap", None)])

    assert as_text(table).splitlines() == [
        "                  a 01234567, encode  b 01234567, encode",
        "clustering.v1/ap                 5.0                   –",
    ]
    assert as_record(table)["a 01234567, encode"] == {"clustering.v1/ap": pytest.approx(5)}
    assert as_record(table)["b 01234567, encode"] == {"clustering.v1/ap": None}
