"""The part of the JSON API that mostly the playground needs: algebra, corrections, texts to search, probes."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from fastapi import APIRouter

from everyword.web import algebra, correctors
from everyword.web import playground_schemas as schemas
from everyword.web.api import REFUSALS, check_words
from everyword.web.problems import Problem, Refusal
from everyword.web.state import TheState
from everyword.web.text_api import check_texts

KEPT_PROBES = "probes.json"
more = APIRouter(prefix="/v1", tags=["playground"], responses=REFUSALS)


@more.post("/algebra")
async def solve(request: schemas.AlgebraRequest, state: TheState) -> schemas.AlgebraResponse:
    """Find the words closest to a sum of words, or to words joined by operators."""
    check_words(request.positive, state.limits, state.limits.searches, "positive")
    check_words(request.negative, state.limits, state.limits.searches, "negative")
    words = bool(request.positive or request.negative)
    if words == (request.expression is not None):
        error = "Give either words to add or to take away, or an expression."
        raise Refusal(422, Problem(error=error, field="expression" if words else "positive"))
    return await state.work.run(algebra.solve, state.models.get(request.model), request)


@more.post("/correct")
async def correct(request: schemas.CorrectRequest, state: TheState) -> schemas.CorrectResponse:
    """Put texts right, by each model and by a spelling corrector if one is installed."""
    check_texts(request.texts, state.limits, state.limits.searches)
    names = dict.fromkeys(request.models or state.models.by_name)
    models = [state.models.get(name).model for name in names]
    return schemas.CorrectResponse(corrections=await state.work.run(correctors.correct, models, request.texts))


@more.post("/tables")
async def compare_tables(request: schemas.TablesRequest, state: TheState) -> schemas.TablesResponse:
    """Compare texts by tables alone, with methods that need no model."""
    check_texts([request.text], state.limits, field="text")
    check_texts([request.other or ""], state.limits, field="other")
    tables = [state.models.get(None).table, *state.models.tables.values()]

    def reports() -> schemas.TablesResponse:
        return schemas.TablesResponse(tables=[table.report(request.text, request.other, request.k) for table in tables])

    return await state.work.run(reports)


@more.post("/texts")
async def upload(request: schemas.UploadRequest, state: TheState) -> schemas.UploadResponse:
    """Keep texts in memory, to be searched by /v1/search."""
    check_texts(request.texts, state.limits)
    model = state.models.get(request.model).model
    key = await state.work.run(state.uploads.add, request.name, request.texts, model)
    return schemas.UploadResponse(id=key, name=request.name, texts=len(request.texts), model=model.name)


@more.get("/probes")
async def probes() -> schemas.Probes:
    """Show what vectors know, from the project's benchmarks."""
    return kept_probes()


@cache
def kept_probes() -> schemas.Probes:
    """Return the results of probes that come with the package."""
    text = (files("everyword.web") / KEPT_PROBES).read_text(encoding="utf-8")
    return schemas.Probes(**json.loads(text))
