"""The clients of the load benchmark see what happens."""

from __future__ import annotations

import asyncio
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from everyword.web.settings import Limits

from .conftest import MakeApp
from .running import in_a_thread

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("load")


def test_clients_count_what_they_are_told(load: Any, make_app: MakeApp) -> None:
    with in_a_thread(make_app(Limits(words=2))) as address:
        host, port = address.removeprefix("http://").split(":")
        fine, wrong = (
            load.as_request("/v1/encode", body, host)
            for body in (b'{"words": ["a", "b"]}', b'{"words": ["a", "b", "c"]}')
        )
        left = iter(range(30))

        async def crowd(connection: Any, number: int, seen: Any) -> None:
            await load.without_pause(connection, [fine, wrong], number, seen, lambda: next(left, None) is not None)

        async def queue(connection: Any, number: int, seen: Any) -> None:
            await load.at_a_pace(
                connection, [fine], number, seen, times=[perf_counter() + 0.01 * turn for turn in range(4)]
            )

        busy = asyncio.run(load.clients(3, host, int(port), crowd))
        calm = asyncio.run(load.clients(2, host, int(port), queue))
    assert busy.statuses.total() == 30
    assert set(busy.statuses) == {200, 422}
    assert calm.statuses == {200: 8}
    assert len(calm.seconds) == 8
