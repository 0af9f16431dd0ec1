"""The JSON API: one short function a question."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from everyword import __version__
from everyword.web import answers, pictures, schemas
from everyword.web.checks import check_count, check_pairs, check_word, check_words
from everyword.web.problems import Problem
from everyword.web.service import TheService

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is no JSON."},
    401: {"model": Problem, "description": "The token is missing or wrong."},
    404: {"model": Problem, "description": "There is no such model."},
    408: {"model": Problem, "description": "The body did not arrive in time."},
    413: {"model": Problem, "description": "The body is too long."},
    422: {"model": Problem, "description": "Something in the request cannot be used; 'index' says which item."},
    429: {"model": Problem, "description": "Too many requests at once; 'Retry-After' says when to come again."},
    503: {"model": Problem, "description": "The request waited too long and was dropped."},
    504: {"model": Problem, "description": "The request took too long."},
}
words = APIRouter(prefix="/v1", tags=["words"], responses=REFUSALS)
playground = APIRouter(prefix="/v1", tags=["pictures"], responses=REFUSALS)
running = APIRouter(tags=["the service"], responses={401: REFUSALS[401]})


@words.post("/encode", response_model=schemas.Encoded)
async def encode(request: schemas.AskEncode, service: TheService) -> Response:
    """Give a vector to every word."""
    check_words(request.words, service.limits)
    answer = await service.encode(service.models.get(request.model), request)
    return Response(answer, media_type="application/json")


@words.post("/nearest")
async def nearest(request: schemas.AskNearest, service: TheService) -> schemas.AllNearest:
    """Find the known words nearest to any words."""
    check_words(request.words, service.limits, service.limits.searches)
    return await service.work.run(answers.nearest, service.models.get(request.model).model, request.words, request.k)


@words.post("/similarity")
async def similarity(request: schemas.AskSimilarity, service: TheService) -> schemas.Similarities:
    """Compare pairs of words."""
    check_pairs(request.pairs, service.limits)
    return await service.work.run(answers.similarities, service.models.get(request.model).model, request.pairs)


@words.post("/explain")
async def explain(request: schemas.AskExplain, service: TheService) -> schemas.AllExplained:
    """Tell where vectors come from."""
    check_words(request.words, service.limits)
    return await service.work.run(answers.explained, service.models.get(request.model).model, request.words)


@words.post("/corrupt")
async def corrupt(request: schemas.AskCorrupt, service: TheService) -> schemas.Corrupted:
    """Put typos into texts."""
    check_count(request.texts, service.limits.words, "texts")
    return await service.work.run(answers.corrupted, request)


@words.post("/compare")
async def compare(request: schemas.AskCompare, service: TheService) -> schemas.Compared:
    """Ask several models about the same words."""
    check_words(request.words, service.limits, service.limits.searches)
    names = dict.fromkeys(request.models or service.models.by_name)
    models = [service.models.get(name).model for name in names]
    return await service.work.run(answers.compared, models, request.words, request.k)


@playground.post("/map")
async def draw_map(request: schemas.AskMap, service: TheService) -> schemas.Map:
    """Lay words and their neighbours out on a plane."""
    check_words(request.words, service.limits, service.limits.searches)
    model = service.models.get(request.model).model
    return await service.work.run(pictures.drawn_map, model, request.words, request.k, request.method)


@playground.post("/typos")
async def typos(request: schemas.AskTypos, service: TheService) -> schemas.AllKept:
    """Tell what misspellings leave of a word's vector, beside simpler methods."""
    check_word(request.word, service.limits, "word")
    check_words(request.variants, service.limits, field="variants")
    served = service.models.get(request.model)
    return await service.work.run(pictures.kept_under_typos, served, request.word, request.variants)


@playground.post("/units")
async def units(request: schemas.AskUnits, service: TheService) -> schemas.WordUnits:
    """Show what a vector from spelling hangs on: letters, pieces, attention."""
    check_word(request.word, service.limits, "word")
    return await service.work.run(pictures.word_units, service.models.get(request.model).model, request.word)


@playground.get("/curves")
async def curves() -> schemas.Curves:
    """Show what typos leave of similarity, from the project's kept results."""
    return pictures.kept_curves()


@running.get("/v1/info")
async def info(service: TheService) -> schemas.Info:
    """Tell what is served, and how much at once."""
    models = [
        schemas.ServedModel(
            name=name,
            dim=served.model.dim,
            known_words=len(served.model.known_words),
            encoder=served.model.form_encoder.encoder,
            summary=served.model.record.get("summary"),
            license=served.model.record.get("license"),
        )
        for name, served in service.models.by_name.items()
    ]
    limits = schemas.Allowed(**vars(service.limits))
    return schemas.Info(version=__version__, models=models, limits=limits, projections=pictures.projections())


@running.get("/health")
async def health() -> schemas.Health:
    """Tell that the service answers."""
    return schemas.Health()


@running.get("/metrics", response_class=PlainTextResponse)
async def metrics(service: TheService) -> str:
    """Tell what this process did so far, for Prometheus."""
    return service.metrics.text(service.work.unfinished)
