from __future__ import annotations

from collections.abc import Sequence
from threading import Thread

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from everyword.models.blend.cache import VectorCache


class Maker:
    """Makes a vector of each word, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, words: Sequence[str]) -> np.ndarray:
        self.asked += words
        return np.array([[len(word), ord(word[0])] for word in words], dtype=np.float32).reshape(len(words), 2)


@given(batches=st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=6), max_size=12), size=st.integers(1, 5))
def test_answers_are_those_without_it_whatever_was_asked_before(batches: list[list[str]], size: int) -> None:
    cache = VectorCache(Maker(), size)
    for words in batches:
        np.testing.assert_array_equal(cache(words), Maker()(words))
        assert len(cache) <= 2 * size + 6  # a batch may fill the younger half once more


def test_a_word_is_made_once_while_it_is_used() -> None:
    make = Maker()
    cache = VectorCache(make, 3)
    for word in "abacadaeafa":
        cache([word])
    assert "".join(make.asked) == "abcdef"
    for words in ("ghij", "klmn", "bab"):
        cache(list(words))
    assert make.asked.count("b") == 2


def test_what_is_returned_belongs_to_the_caller() -> None:
    cache = VectorCache(Maker())
    for words in (["ab"], ["ab"], ["ab", "c"], ["ab", "c"]):
        answer = cache(words)
        answer += 100
    np.testing.assert_array_equal(cache(["ab", "c"]), Maker()(["ab", "c"]))


def test_more_words_than_there_is_room_for() -> None:
    cache = VectorCache(Maker(), 4)
    words = [f"{number}" for number in range(10, 30)]
    np.testing.assert_array_equal(cache(words), Maker()(words))
    assert len(cache) <= 8


def test_threads_may_share_it() -> None:
    cache, wrong = VectorCache(Maker(), 5), []

    def ask(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(200):
            words = [chr(97 + letter) * 2 for letter in rng.integers(0, 20, size=rng.integers(1, 5))]
            if not np.array_equal(cache(words), Maker()(words)):
                wrong.append(words)

    threads = [Thread(target=ask, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
