"""One model, many threads: each gets the answers it would get alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from everyword.models.model import Model

THREADS = 16
WORDS = ["ban", "bann", "trusting", "plinnnes", "grelonesss", "sorug", "🙂", ""]


@pytest.mark.parametrize("fixture", ["tiny_model", "tiny_dan_model", "tiny_adapted_model"])
def test_threads_get_the_answers_of_one(fixture: str, request: pytest.FixtureRequest) -> None:
    shared: Model = request.getfixturevalue(fixture)
    alone, fresh = shared.encode(WORDS), shared.with_known(shared.known_words)  # its indexes are not built yet
    singles, explained = [shared[word] for word in WORDS], [shared.explain(word) for word in WORDS]

    def ask(turn: int) -> bool:
        place = turn % len(WORDS)
        batch = np.roll(WORDS, turn).tolist()
        return (
            np.array_equal(fresh.encode(batch), np.roll(alone, turn, axis=0))
            and np.array_equal(fresh[WORDS[place]], singles[place])
            and fresh.explain(WORDS[place]) == explained[place]
        )

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(ask, range(10 * THREADS)))
