"""What a client gets when a request cannot be answered: one sentence, never a stack trace."""

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
UNEXPECTED = "Something went wrong on the server, and its log has the details; please report it."

OPENAI_PATHS, OPENAI_FOLDER = ("/v1/embeddings", "/v1/models"), "/v1/models/"
OPENAI_CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}


class Problem(BaseModel):
    """Why a request was not answered."""

    error: str
    """One sentence."""
    field: str | None = None
    """The part of the request that it is about."""
    index: int | None = None
    """Which item of that part, from 0."""


class OpenAIError(BaseModel):
    """Why a request was not answered, in the form of OpenAI's API."""

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAIProblem(BaseModel):
    """The body that OpenAI's clients expect."""

    error: OpenAIError


class Refusal(Exception):
    """A request that is not answered: the status and the problem to send."""

    def __init__(self, status: int, problem: Problem, *, retry_after: int | None = None) -> None:
        super().__init__(problem.error)
        self.status, self.problem, self.retry_after = status, problem, retry_after

    def response(self, path: str) -> JSONResponse:
        """Return the response to send to who asked for a path."""
        headers = {} if self.retry_after is None else {"Retry-After": self.retry_after}
        return answer(path, self.status, self.problem, headers)


def answer(path: str, status: int, problem: Problem, headers: dict[str, Any] | None = None) -> JSONResponse:
    """Return a problem as a response to who asked for a path; some paths have OpenAI's form of problems."""
    texts = {name: str(value) for name, value in (headers or {}).items()}
    if path in OPENAI_PATHS or path.startswith(OPENAI_FOLDER):
        shaped = openai_problem(status, problem)
        return JSONResponse(shaped.model_dump(), 400 if status == 422 else status, texts)
    return JSONResponse(problem.model_dump(exclude_none=True), status, texts)


def openai_problem(status: int, problem: Problem) -> OpenAIProblem:
    """Return a problem in the form that OpenAI's clients read.

    >>> openai_problem(429, Problem(error="Server busy.")).error.code
    'rate_limit_exceeded'
    """
    kind = "server_error" if status >= 500 else "invalid_request_error"
    error = OpenAIError(message=problem.error, type=kind, param=problem.field, code=OPENAI_CODES.get(status))
    return OpenAIProblem(error=error)


def add_handlers(app: FastAPI) -> None:
    """Answer every error of an app in the same way."""
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(EverywordError, _on_purpose)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)
    return error.response(request.url.path)


def _on_purpose(request: Request, error: Exception) -> JSONResponse:
    return answer(request.url.path, 404 if isinstance(error, UnknownNameError) else 422, Problem(error=str(error)))


def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    # FastAPI reads only what is marked as JSON, so that no page of another site can ask without CORS.
    path, kind = request.url.path, request.headers.get("content-type", "missing")
    if "json" not in kind.partition(";")[0]:
        wanted = "send the header 'Content-Type: application/json'"
        return answer(path, 415, Problem(error=f"The body is not marked as JSON (Content-Type: {kind:.80}); {wanted}."))
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return answer(path, 400, Problem(error=NO_JSON))
    return answer(path, 422, validation_problem(first["loc"], first["msg"]))


def validation_problem(location: Sequence[str | int], message: str) -> Problem:
    """Return an error of pydantic as a sentence.

    >>> validation_problem(("body", "words", 3), "Input should be a valid string").error
    'The request is not valid: words, item 3: Input should be a valid string.'
    """
    names = [part for part in location if isinstance(part, str) and part != "body"]
    index = next((part for part in location if isinstance(part, int)), None)
    where = ", ".join([*names, *([] if index is None else [f"item {index}"])])
    return Problem(
        error=f"The request is not valid: {where + ': ' if where else ''}{message.removeprefix('Value error, ')}.",
        field=names[0] if names else None,
        index=index,
    )


def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    sentences = {
        400: NO_JSON,
        404: f"There is nothing at {request.url.path}; /docs lists what there is.",
        405: f"{request.url.path} does not take {request.method}; see /docs.",
    }
    sentence = sentences.get(error.status_code, str(error.detail))
    return answer(request.url.path, error.status_code, Problem(error=sentence), dict(error.headers or {}))


def _unexpected(request: Request, _error: Exception) -> JSONResponse:
    return answer(request.url.path, 500, Problem(error=UNEXPECTED))
