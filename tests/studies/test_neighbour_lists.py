from __future__ import annotations

import pytest
from made import SQUARE, toy_model

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import evaluated_model
from everyword.models.model import Model
from everyword.studies.neighbour_lists import nearest_known, neighbour_table


def test_they_are_those_of_the_model(tiny_model: Model) -> None:
    words = ["dan", "dann", "grelox"]
    lists = nearest_known(evaluated_model(tiny_model), words, 3)
    for word, found in zip(words, lists, strict=True):
        expected = tiny_model.nearest(word, 3)
        assert [other for other, _ in found] == [other for other, _ in expected]
        assert [cosine for _, cosine in found] == pytest.approx([cosine for _, cosine in expected], abs=1e-5)


def test_a_table_for_the_docs() -> None:
    shown = neighbour_table([toy_model(SQUARE), toy_model({"king": [1, 0], "crown": [1, 1]})], ["King", "nothing"], 2)

    assert shown.splitlines() == [
        "| word | toy, zero | toy, zero |",
        "|---|---|---|",
        "| King | man, queen | crown |",
        "| nothing | – | – |",
    ]


def test_at_least_one_neighbour() -> None:
    with pytest.raises(InputError, match=r"at least 1\. Got 0"):
        nearest_known(toy_model(SQUARE), ["king"], 0)
