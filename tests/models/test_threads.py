"""One model, many threads: each gets the answers it would get alone."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from everyword.models.model import Model

THREADS = 16
WORDS = ["ban", "bann", "trusting", "plinnnes", "grelonesss", "sorug", "🙂", ""]


@pytest.mark.parametrize("fixture", ["tiny_model", "tiny_dan_model", "tiny_adapted_model"])
def test_threads_get_the_answers_of_one(fixture: str, request: pytest.FixtureRequest) -> None:
    shared: Model = request.getfixturevalue(fixture)
    batches = [np.roll(WORDS, turn).tolist() for turn in range(len(WORDS))]
    alone, fresh = [shared.encode(batch) for batch in batches], shared.with_known(shared.known_words)
    singles, explained = [shared[word] for word in WORDS], [shared.explain(word) for word in WORDS]

    def ask(turn: int) -> bool:  # the first ones while the indexes of `fresh` are not built yet
        place = turn % len(WORDS)
        return (
            np.allclose(fresh.encode(batches[place]), alone[place], rtol=0, atol=1e-5)
            and np.allclose(fresh[WORDS[place]], singles[place], rtol=0, atol=1e-5)
            and fresh.explain(WORDS[place]) == explained[place]
        )

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(ask, range(10 * THREADS)))


@pytest.fixture
def _threads_that_never_give_way() -> Iterator[None]:
    """From here on a thread runs until it lets others run; no clock makes it."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("_threads_that_never_give_way")
@pytest.mark.parametrize("fixture", ["tiny_model", "tiny_dan_model", "tiny_adapted_model"])
def test_arithmetic_lets_other_threads_run(fixture: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(fixture)
    endings = [ending + last for last in "aeiou" for ending in ("x", "yz", "ness", "ingg")]
    asked = [word + ending for word in model.known_words.words for ending in endings]  # new ones: none is remembered
    model.encode(asked[:50])  # indexes are built
    running, turns = threading.Event(), 0

    def encode() -> None:
        running.set()
        model.encode(asked)
        running.clear()

    thread = threading.Thread(target=encode)
    thread.start()
    running.wait()
    while running.is_set():
        turns += 1
        time.sleep(0)  # whoever waits may go on
    thread.join()
    # Thousands of words in blocks of a thousand: every product, sum and look-up in arrays is a chance for others.
    assert turns > 20
