from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.corpus.vocabulary.corpus_counts import CorpusCounts, number_text

LINES = [
    "In New York the U.S. army met COVID-19, and New York won.",
    "New York (founded 1624) is a large city.",
    "It is a city; new york is not New York.",
]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = []
    for number in range(2):
        paths.append(tmp_path / f"{number}.txt")
        paths[-1].write_text("".join(line + "\n" for line in LINES), encoding="utf-8")
    return paths


def test_words_are_counted_regardless_of_case_and_capitals_where_they_mean_something(files: list[Path]) -> None:
    counts = CorpusCounts(number_text(files, workers=1))
    at = counts.number_of

    assert counts.words.total[at["york"]] == 10
    assert counts.words.capitalised[at["york"]] == 8
    assert (counts.words.total[at["new"]], counts.words.inside[at["new"]]) == (10, 8)
    assert {"u.s.", "covid-19"} <= at.keys()
    assert counts.words.size == 2 * sum(len(line.replace(";", "").split()) for line in LINES)


def test_files_can_be_read_in_several_processes(files: list[Path]) -> None:
    one, two = number_text(files, workers=1), number_text(files, workers=2)

    assert one.words == two.words
    np.testing.assert_array_equal(one.tokens, two.tokens)


def test_sentences_that_define_a_name_are_found(files: list[Path]) -> None:
    text = number_text(files[:1], workers=1)

    assert [tuple(found) for found in text.definitions] == [("New York", LINES[1])]


def test_phrases_do_not_cross_punctuation_and_wanted_ones_are_never_too_rare(files: list[Path]) -> None:
    counts = CorpusCounts(number_text(files, workers=1))
    allowed = np.array([word in {"new", "york", "city", "army", "met", "u.s."} for word in counts.words.words])
    phrases = counts.phrases(2, 5, allowed, allowed, wanted=[["u.s.", "army"], ["is", "not"], ["never", "seen"]])

    found = dict(zip(counts.spelt(phrases), zip(phrases.counts, phrases.capitalised, strict=True), strict=True))
    assert found == {"new york": (10, 8), "u.s. army": (2, 0), "is not": (2, 2)}


def test_what_stands_beside_a_phrase_is_counted(files: list[Path]) -> None:
    counts = CorpusCounts(number_text(files, workers=1))
    words = counts.words.words
    edges = np.array([word in {"new", "york", "city", "army", "u.s.", "large"} for word in words])
    nouns = np.array([word == "army" for word in words])
    phrases = counts.phrases(2, 2, edges, edges, nouns=nouns, wanted=[["the", "u.s."]])

    found = {
        phrase: (int(phrases.after_name[row]), int(phrases.before_noun[row]), int(phrases.spread[row]))
        for row, phrase in enumerate(counts.spelt(phrases))
    }
    assert found["the u.s."] == (2, 2, 2)
    assert found["large city"][:2] == (0, 0)
