"""Bodies of bounded size, counted as they arrive: nobody is trusted to say how long a body is, or to send it."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from everyword.web.problems import Problem, Refused
from everyword.web.settings import Limits

LONGEST = 18
"""Digits of a length that could still be meant."""


class BodyLimit:
    """Reads a request's body before anything else looks at it; refuses one that is too long or too slow."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the body on, or say why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            self._check_promise(Headers(scope=scope).get("content-length"))
            body = await asyncio.wait_for(self._read(receive), self.limits.seconds)
        except (asyncio.TimeoutError, Refused) as error:
            refused = error if isinstance(error, Refused) else self._too_slow()
            await refused.response()(scope, receive, send)
            return
        if body is not None:
            await self.app(scope, _again(body, receive), send)

    def _check_promise(self, length: str | None) -> None:
        if length and length.isdecimal() and int(length[:LONGEST]) > self.limits.body_bytes:
            raise self._too_long()

    async def _read(self, receive: Receive) -> bytes | None:
        """The body, or None if the client left."""
        parts, size = list[bytes](), 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self.limits.body_bytes:
                raise self._too_long()
            if not message.get("more_body", False):
                return b"".join(parts)

    def _too_long(self) -> Refused:
        told = f"The body of a request may have {self.limits.body_bytes:,} bytes; send fewer words at a time."
        return Refused(413, Problem(error=told))

    def _too_slow(self) -> Refused:
        told = f"The body of the request did not arrive within {self.limits.seconds:g} seconds; send it again."
        return Refused(408, Problem(error=told))


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, once more; then whatever else comes."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return left.pop() if left else await receive()

    return next_message
