"""What a client is told when something cannot be done: one sentence, never a stack trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from everyword.errors import EverywordError, UnknownNameError

NO_JSON = "The body of a request must be JSON in UTF-8."
UNEXPECTED = "Something went wrong on the server, whose log says what; please report it."


class Problem(BaseModel):
    """Why a request was not answered."""

    error: str
    """One sentence."""
    field: str | None = None
    """The part of the request that it is about."""
    index: int | None = None
    """Which item of that part, from 0."""


class Refused(Exception):
    """A request that is not answered, with its status and what the client is told."""

    def __init__(self, status: int, problem: Problem, *, retry_after: int | None = None) -> None:
        super().__init__(problem.error)
        self.status, self.problem, self.retry_after = status, problem, retry_after

    def response(self) -> JSONResponse:
        """The answer that says so."""
        return answer(self.status, self.problem, {} if self.retry_after is None else {"Retry-After": self.retry_after})


def answer(status: int, problem: Problem, headers: dict[str, Any] | None = None) -> JSONResponse:
    """A problem as a response."""
    told = {name: str(value) for name, value in (headers or {}).items()}
    return JSONResponse(problem.model_dump(exclude_none=True), status, told)


def tell_problems(app: FastAPI) -> None:
    """Have every error of an app answered in the same way."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(EverywordError, _on_purpose)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def _refused(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    return error.response()


def _on_purpose(_request: Request, error: Exception) -> JSONResponse:
    return answer(404 if isinstance(error, UnknownNameError) else 422, Problem(error=str(error)))


def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return answer(400, Problem(error=NO_JSON))
    return answer(422, described(first["loc"], first["msg"]))


def described(place: Sequence[str | int], said: str) -> Problem:
    """What a check of a request's shape says, as a sentence.

    >>> described(("body", "words", 3), "Input should be a valid string").error
    'The request does not fit: words, item 3: Input should be a valid string.'
    """
    names = [part for part in place if isinstance(part, str) and part != "body"]
    index = next((part for part in place if isinstance(part, int)), None)
    where = ", ".join([*names, *([] if index is None else [f"item {index}"])])
    return Problem(
        error=f"The request does not fit: {where + ': ' if where else ''}{said}.",
        field=names[0] if names else None,
        index=index,
    )


def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    sentences = {
        400: NO_JSON,
        404: f"There is nothing at {request.url.path}; /docs lists what there is.",
        405: f"{request.url.path} does not take {request.method}; /docs says what it takes.",
    }
    told = sentences.get(error.status_code, str(error.detail))
    return answer(error.status_code, Problem(error=told), dict(error.headers or {}))


def _unexpected(_request: Request, _error: Exception) -> JSONResponse:
    return answer(500, Problem(error=UNEXPECTED))
