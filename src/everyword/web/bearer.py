"""Who may ask: whoever knows the token, if there is one."""

from __future__ import annotations

import hmac

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from everyword.web.problems import Problem, answer

OPEN = ("/", "/health", "/docs")
OPEN_FOLDER = "/page/"
"""What everybody may see: whether the service lives, and pages that say nothing without the token."""


class NeedsToken:
    """Lets requests with the right bearer token pass."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or ask for the token."""
        if scope["type"] != "http" or self._may_pass(scope):
            await self.app(scope, receive, send)
            return
        problem = Problem(error="This service needs a token: send the header 'Authorization: Bearer TOKEN'.")
        await answer(401, problem, {"WWW-Authenticate": "Bearer"})(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if scope["path"] in OPEN or scope["path"].startswith(OPEN_FOLDER):
            return True
        given = Headers(scope=scope).get("authorization", "")
        # In the same time for every wrong token, or it could be found letter by letter.
        return hmac.compare_digest(given.encode("latin-1"), self.expected)
