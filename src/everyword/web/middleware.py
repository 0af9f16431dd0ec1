"""What every request passes on its way in: counting, safe headers, the bearer token, a limit on the body."""

from __future__ import annotations

import asyncio
import hmac
from time import perf_counter
from typing import TYPE_CHECKING

from fastapi.security import HTTPBearer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from everyword.web.problems import Problem, Refusal, answer
from everyword.web.settings import Limits
from everyword.web.views import MOVED, VIEWS

if TYPE_CHECKING:
    from everyword.web.state import Metrics

SAFE = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",  # pages of an older version must not ask a newer service
}
"""Headers of every answer: a browser loads nothing from elsewhere, guesses no types and shows this in no frame."""
BEARER = HTTPBearer(auto_error=False, description="The token that the service was started with.")
OPEN = ("/health", *MOVED, *(view.path for view in VIEWS))
OPEN_FOLDER = "/page/"
"""What needs no token: whether the service is alive, and pages that show nothing without it."""
OTHER = "other"
"""Stands for all paths that do not exist: requests to made-up paths must not make the list longer."""
METHODS = ("GET", "POST", "HEAD", "OPTIONS")
LONGEST = 18
"""Digits of a body's length that are read; more of them are too much anyway."""


class Counting:
    """Count every request, with its status and duration."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin, status = perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            method = scope["method"] if scope["method"] in METHODS else OTHER
            path = getattr(scope.get("route"), "path", None) or OTHER
            self.metrics.requests.labels(path, method, status).inc()
            self.metrics.seconds.labels(path).observe(perf_counter() - begin)


class SafeHeaders:
    """Add the safe headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SAFE)
            await send(message)

        await self.app(scope, receive, completed)


class NeedsToken:
    """Let requests with the right bearer token pass, before anything of their body is read."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or await self._may_pass(scope):
            await self.app(scope, receive, send)
            return
        problem = Problem(error="This service needs a token: send the header 'Authorization: Bearer TOKEN'.")
        await answer(scope["path"], 401, problem, {"WWW-Authenticate": "Bearer"})(scope, receive, send)

    async def _may_pass(self, scope: Scope) -> bool:
        if scope["path"] in OPEN or scope["path"].startswith(OPEN_FOLDER):
            return True
        given = await BEARER(Request(scope))
        # In the same time for every wrong token, or it could be found letter by letter.
        return given is not None and hmac.compare_digest(given.credentials.encode(), self.token.encode())


class BodyLimit:
    """Read a request's body before anything else does; refuse one that is too long or too slow.

    It is counted as it arrives, because the length that a client declares may be wrong.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            self._check_declared(Headers(scope=scope).get("content-length"))
            body = await asyncio.wait_for(self._read(receive), self.limits.seconds)
        except (asyncio.TimeoutError, Refusal) as error:
            refusal = error if isinstance(error, Refusal) else self._too_slow()
            await refusal.response(scope["path"])(scope, receive, send)
            return
        if body is not None:
            await self.app(scope, _again(body, receive), send)

    def _check_declared(self, length: str | None) -> None:
        if length and length.isdecimal() and int(length[:LONGEST]) > self.limits.body_bytes:
            raise self._too_long()

    async def _read(self, receive: Receive) -> bytes | None:
        """Return the body, or None if the client left."""
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

    def _too_long(self) -> Refusal:
        error = f"The body of a request may have {self.limits.body_bytes:,} bytes; send fewer words at a time."
        return Refusal(413, Problem(error=error))

    def _too_slow(self) -> Refusal:
        error = f"The body of the request did not arrive within {self.limits.seconds:g} seconds; send it again."
        return Refusal(408, Problem(error=error))


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a channel that repeats a body that was read already, then whatever else comes."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return left.pop() if left else await receive()

    return next_message
