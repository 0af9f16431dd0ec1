from __future__ import annotations

from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import tiny_table

from everyword.models.retrieval.key_table import MOST_OF_KEY, KeyTable
from everyword.models.retrieval.keys import keys_of
from everyword.models.retrieval.similar_words import MOST, Pairs, SimilarWords
from everyword.models.retrieval.spelt_words import SpeltWords

LIST = """
the and because people friend their school different beautiful necessary tomorrow receive definitely separate
accident physics souvenir questionnaire nation knight bridge rhythm accommodate opportunity disappear library
february government environment occasionally surprise business calendar neighbour daughter laughed enough
pamphlets refrigerator approximate deviation datable fighter blockade women purple
"""
ENGLISH = LIST.split()
MISSPELT = {
    "teh": "the",
    "becuase": "because",
    "peeple": "people",
    "freind": "friend",
    "skool": "school",
    "difrent": "different",
    "butifull": "beautiful",
    "nesesery": "necessary",
    "tommorow": "tomorrow",
    "definatly": "definitely",
    "fisiks": "physics",
    "suvenear": "souvenir",
    "questionear": "questionnaire",
    "nashon": "nation",
    "nite": "knight",
    "acomodashun": "accommodate",
    "dissapear": "disappear",
    "libary": "library",
    "goverment": "government",
    "occassionaly": "occasionally",
    "bisness": "business",
    "dauhgter": "daughter",
    "larfed": "laughed",
    "phamplets": "pamphlets",
    "refrigiater": "refrigerator",
    "appromate": "approximate",
    "deviationism": "deviation",
    "undatable": "datable",
    "firefighter": "fighter",
}
STRANGE = ["", "🙂", "x", "слово", "ban" * 20, "o'clok", "naïve", "aaaa"]
words_of = st.lists(st.sampled_from([*MISSPELT, *STRANGE, *ENGLISH]) | st.text(max_size=12), max_size=6)


@pytest.fixture(scope="module")
def finder() -> SimilarWords:
    return SimilarWords(ENGLISH)


def listed(pairs: Pairs, count: int) -> list[list[tuple[int, int, int]]]:
    found: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    columns = (pairs.query, pairs.nth, pairs.row, pairs.letters_left, pairs.sounds_left)
    for query, nth, row, letters, sounds in zip(*(column.tolist() for column in columns), strict=True):
        assert nth == len(found[query])
        found[query].append((row, letters, sounds))
    return found


def find(finder: SimilarWords, words: list[str]) -> list[list[tuple[int, int, int]]]:
    return listed(finder.find(SpeltWords.of(words)), len(words))


def test_human_misspellings_find_what_was_meant(finder: SimilarWords) -> None:
    found = find(finder, list(MISSPELT))
    missed = [
        (wrong, right)
        for (wrong, right), rows in zip(MISSPELT.items(), found, strict=True)
        if ENGLISH.index(right) not in [row for row, _, _ in rows]
    ]
    assert missed == []
    first = [rows[0][0] == ENGLISH.index(right) for right, rows in zip(MISSPELT.values(), found, strict=True)]
    assert np.mean(first) > 0.8


@given(words=words_of)
def test_words_are_found_alone_as_among_others(finder: SimilarWords, words: list[str]) -> None:
    together = find(finder, words)
    assert together == [find(finder, [word])[0] for word in words]
    assert together[::-1] == find(finder, words[::-1])
    assert all(len(rows) <= MOST and len({row for row, _, _ in rows}) == len(rows) for rows in together)


def test_what_is_left_over_of_a_word(finder: SimilarWords) -> None:
    ((row, letters, sounds), *_) = find(finder, ["freixnd"])[0]
    assert ENGLISH[row] == "friend"
    assert bin(letters).count("1") == 2
    assert letters >> 4 & 1  # the x
    assert sounds == 2  # ks


def test_of_equally_near_words_the_more_frequent_comes_first() -> None:
    finder = SimilarWords(["batter", *(f"word{'abcdefghij'[number]}" for number in range(10)), "better"])
    assert [row for row, _, _ in find(finder, ["btter"])[0]][:2] == [0, 11]


def test_a_word_that_shares_nothing_has_none(finder: SimilarWords) -> None:
    assert find(finder, ["🙂", ""]) == [[], []]
    assert len(finder.find(SpeltWords.of([]))) == 0


def test_every_key_finds_the_most_frequent_of_its_words() -> None:
    words = SpeltWords.of(tiny_table().words)
    table = KeyTable(words)
    keys, present, _ = keys_of(words, asked=False)
    owner, column = present.nonzero()
    found, row = table.look_up(keys[owner, column])
    by_key: dict[int, set[int]] = {}
    for index, one in zip(found.tolist(), row.tolist(), strict=True):
        by_key.setdefault(int(keys[owner[index], column[index]]), set()).add(one)
    expected: dict[int, list[int]] = {}
    for one, at in zip(owner.tolist(), column.tolist(), strict=True):
        expected.setdefault(int(keys[one, at]), []).append(one)
    half = (len(words) + 1) // 2
    for key, rows in expected.items():
        first = [one for one in dict.fromkeys(rows) if one < half][:MOST_OF_KEY]
        assert set(first) <= by_key.get(key, set())
        assert len(by_key.get(key, set())) <= MOST_OF_KEY


def test_threads_that_ask_at_once_build_one_index() -> None:
    finder, seen = SimilarWords(ENGLISH), []
    threads = [Thread(target=lambda: seen.append(id(finder.index))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert len(set(seen)) == 1
