from __future__ import annotations

import pytest

from everyword.corpus.vocabulary.inflections import base_forms


@pytest.mark.parametrize(
    ("form", "pos", "lemma"),
    [
        *(("cities", "n", "city"), ("wolves", "n", "wolf"), ("boxes", "n", "box"), ("dogs", "n", "dog")),
        *(("tried", "v", "try"), ("stopped", "v", "stop"), ("making", "v", "make"), ("goes", "v", "go")),
        *(("happier", "a", "happy"), ("biggest", "a", "big"), ("nicest", "a", "nice")),
    ],
)
def test_regular_forms_lead_to_their_lemma(form: str, pos: str, lemma: str) -> None:
    assert lemma in base_forms(form, pos)


@pytest.mark.parametrize("word", ["glass", "virus", "basis", "as", "city's"])
def test_not_every_s_is_a_plural(word: str) -> None:
    assert list(base_forms(word, "n")) == []
