"""Clients of a service over plain sockets, cheap enough to share two cores with it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

TOO_MANY = 429


@dataclass
class Seen:
    """The responses that clients got."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    """The times of all requests that were answered with 200."""


class Connection:
    """One persistent connection."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=1 << 20)

    async def ask(self, request: bytes) -> tuple[int, float]:
        """Send a request and return its status and Retry-After."""
        self.writer.write(request)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        lines = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
        await self.reader.readexactly(int(lines["content-length"]))
        return int(head.split(" ", 2)[1]), float(lines.get("retry-after", 0))

    def close(self) -> None:
        self.writer.close()


def as_request(path: str, body: bytes, host: str) -> bytes:
    """Return a request as bytes."""
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


async def clients(count: int, host: str, port: int, one: Callable[[Connection, int, Seen], Awaitable[None]]) -> Seen:
    """Run `count` clients at the same time and return what they saw."""
    seen = Seen()
    connections = [Connection(host, port) for _ in range(count)]
    await asyncio.gather(*(connection.open() for connection in connections))
    await asyncio.gather(*(one(connection, number, seen) for number, connection in enumerate(connections)))
    for connection in connections:
        connection.close()
    return seen


async def ask_and_note(connection: Connection, request: bytes, seen: Seen) -> float:
    """Send one request and return how long to wait before the next."""
    begin = perf_counter()
    status, away = await connection.ask(request)
    seen.statuses[status] += 1
    if status != TOO_MANY:
        seen.seconds.append(perf_counter() - begin)
    return away


async def without_pause(
    connection: Connection, requests: Sequence[bytes], number: int, seen: Seen, goes_on: Callable[[], bool]
) -> None:
    """Send the next request as soon as there is a response; after a refusal, wait as long as the server asks."""
    index = number
    while goes_on():
        await asyncio.sleep(await ask_and_note(connection, requests[index % len(requests)], seen))
        index += 1


async def at_a_pace(
    connection: Connection, requests: Sequence[bytes], number: int, seen: Seen, *, times: Iterable[float]
) -> None:
    """Send requests at fixed times, or at once after a late response."""
    for index, due in enumerate(times, start=number):
        await asyncio.sleep(max(0.0, due - perf_counter()))
        await ask_and_note(connection, requests[index % len(requests)], seen)
