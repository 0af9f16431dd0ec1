from __future__ import annotations

from random import Random
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA
from tiny import tiny_table

from everyword import registry
from everyword.models.retrieval import candidates as module
from everyword.models.retrieval.candidates import (
    COST_OF_DISTANCE,
    COST_OF_RANK,
    FAR,
    MOST,
    CandidateFinder,
    Candidates,
)
from everyword.models.retrieval.edit_index import EditIndex

KNOWN = tiny_table().words
word = st.text("abdelnorsu", min_size=1, max_size=9) | st.text(st.characters(exclude_characters="\0"), max_size=4)


def listed(candidates: Candidates, words: int) -> list[list[tuple[int, int]]]:
    """Rows and distances of each word."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(words)]
    columns = (column.tolist() for column in (candidates.query, candidates.row, candidates.distance))
    for place, row, distance in zip(*columns, strict=True):
        found[place].append((row, distance))
    return found


@pytest.fixture(scope="module")
def finder() -> CandidateFinder:
    return CandidateFinder(KNOWN)


@given(words=st.lists(word, min_size=1, max_size=8))
def test_every_word_has_candidates_with_their_distances(finder: CandidateFinder, words: list[str]) -> None:
    candidates = finder.find(words)
    assert (np.diff(candidates.query) >= 0).all(), "the pairs of a word stand together"
    for question, found in zip(words, listed(candidates, len(words)), strict=True):
        assert 1 <= len(found) <= MOST
        assert len({row for row, _ in found}) == len(found)
        assert all(distance == min(FAR, OSA.distance(question, KNOWN[row])) for row, distance in found)


@given(words=st.lists(word, min_size=1, max_size=8))
def test_the_most_promising_come_first(finder: CandidateFinder, words: list[str]) -> None:
    for found in listed(finder.find(words), len(words)):
        costs = [COST_OF_DISTANCE[distance] + COST_OF_RANK * np.log10(row + 10) for row, distance in found]
        assert costs == sorted(costs)


@given(words=st.lists(word, min_size=2, max_size=8))
def test_candidates_do_not_depend_on_the_batch(finder: CandidateFinder, words: list[str]) -> None:
    together = listed(finder.find(words), len(words))
    assert together == [listed(finder.find([question]), 1)[0] for question in words]
    assert together[::-1] == listed(finder.find(words[::-1]), len(words))


def test_misspelt_words_find_what_was_meant(finder: CandidateFinder) -> None:
    rng = Random(0)
    typos = [registry.corruptions.get(rng.choice(["swap", "drop", "insert"]))(word, rng) for word in KNOWN]
    found = listed(finder.find(typos), len(typos))
    assert all(row in dict(pairs) for row, pairs in enumerate(found))


def test_one_known_word_is_everybodys_candidate() -> None:
    assert listed(CandidateFinder(["ban"]).find(["ban", "zzz", "bna"]), 3) == [[(0, 0)], [(0, FAR)], [(0, 1)]]


@pytest.mark.parametrize(
    ("known", "asked", "row", "found"),
    [
        ("xyz", "xab", 500, True),
        ("xyz", "xab", 2_000, False),
        ("xyzuv", "xyzab", 2_000, True),
        ("xyzuv", "xyzab", 20_000, False),
        ("xyzuvwt", "xyzuvab", 20_000, True),
        ("xyzuvwt", "xyzuvab", 50_000, False),
    ],
)
def test_the_shorter_a_word_the_fewer_words_are_looked_at_for_two_edits(
    known: str, asked: str, row: int, found: bool
) -> None:
    words = [f"q{number:06}" for number in range(row)] + [known]
    near = EditIndex(words)
    spelt = near.spell([asked])
    place, other = near.perhaps(spelt)
    pairs = {
        (int(other), int(distance))
        for other, distance in zip(other, near.distances(spelt, place, other), strict=True)
        if distance <= 2
    }
    assert pairs == ({(row, 2)} if found else set())


def test_threads_that_ask_at_once_build_the_indexes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built, original = [], module._Indexes

    def counted(words: list[str]) -> module._Indexes:
        built.append(words)
        return original(words)

    monkeypatch.setattr(module, "_Indexes", counted)
    finder, answers = CandidateFinder(KNOWN), {}
    threads = [Thread(target=lambda n=n: answers.update({n: listed(finder.find(["bna", "dno"]), 2)})) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1
    assert len(answers) == 8
    assert all(answer == answers[0] for answer in answers.values())
