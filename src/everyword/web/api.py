"""The JSON API: one short function per question, and the limits on what a request may contain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from everyword import __version__
from everyword.web import answers, pictures, schemas
from everyword.web.problems import Problem, Refusal
from everyword.web.settings import Limits
from everyword.web.state import TheState

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is not JSON."},
    401: {"model": Problem, "description": "The token is missing or wrong."},
    404: {"model": Problem, "description": "There is no such model."},
    408: {"model": Problem, "description": "The body did not arrive in time."},
    413: {"model": Problem, "description": "The body is too long."},
    415: {"model": Problem, "description": "The body is not marked as JSON by the header Content-Type."},
    422: {"model": Problem, "description": "Part of the request cannot be used; 'index' is the item at fault."},
    429: {"model": Problem, "description": "Too many requests at once; 'Retry-After' is when to retry."},
    503: {"model": Problem, "description": "The request waited too long and was dropped."},
    504: {"model": Problem, "description": "The request took too long."},
}
words = APIRouter(prefix="/v1", tags=["words"], responses=REFUSALS)
playground = APIRouter(prefix="/v1", tags=["pictures"], responses=REFUSALS)
running = APIRouter(tags=["the service"], responses={401: REFUSALS[401]})


@words.post("/encode", response_model=schemas.EncodeResponse)
async def encode(request: schemas.EncodeRequest, state: TheState) -> Response:
    """Return a vector for every word."""
    check_words(request.words, state.limits)
    answer = await state.encode(state.models.get(request.model), request)
    return Response(answer, media_type="application/json")


@words.post("/nearest")
async def nearest(request: schemas.NearestRequest, state: TheState) -> schemas.NearestResponse:
    """Find the known words nearest to any words."""
    check_words(request.words, state.limits, state.limits.searches)
    model = state.models.get(request.model).model
    among = None if request.among is None else state.models.get(request.among).model
    return await state.work.run(answers.nearest, model, request, among)


@words.post("/similarity")
async def similarity(request: schemas.SimilarityRequest, state: TheState) -> schemas.SimilarityResponse:
    """Compare pairs of words."""
    check_pairs(request.pairs, state.limits)
    return await state.work.run(answers.similarities, state.models.get(request.model).model, request.pairs)


@words.post("/explain")
async def explain(request: schemas.ExplainRequest, state: TheState) -> schemas.ExplainResponse:
    """Explain where vectors come from."""
    check_words(request.words, state.limits)
    return await state.work.run(answers.explanations, state.models.get(request.model).model, request.words)


@words.post("/corrupt")
async def corrupt(request: schemas.CorruptRequest, state: TheState) -> schemas.CorruptResponse:
    """Put typos into texts."""
    check_count(request.texts, state.limits.words, "texts")
    return await state.work.run(answers.corrupt_texts, request)


@words.post("/compare")
async def compare(request: schemas.CompareRequest, state: TheState) -> schemas.CompareResponse:
    """Ask several models about the same words."""
    check_words(request.words, state.limits, state.limits.searches)
    names = dict.fromkeys(request.models or state.models.by_name)
    models = [state.models.get(name).model for name in names]
    return await state.work.run(answers.compare, models, request.words, request.k)


@playground.post("/map")
async def draw_map(request: schemas.MapRequest, state: TheState) -> schemas.MapResponse:
    """Lay words, and their neighbours, out on a plane."""
    check_words(request.words, state.limits, state.limits.searches if request.k else None)
    model = state.models.get(request.model).model
    return await state.work.run(pictures.draw_map, model, request.words, request.k, request.method)


@playground.post("/typos")
async def typos(request: schemas.TyposRequest, state: TheState) -> schemas.TyposResponse:
    """Compare misspellings with the word, for the model and for baselines."""
    check_word(request.word, state.limits, "word")
    check_words(request.variants, state.limits, field="variants")
    entry = state.models.get(request.model)
    return await state.work.run(pictures.typo_cosines, entry, request.word, request.variants)


@playground.post("/units")
async def units(request: schemas.UnitsRequest, state: TheState) -> schemas.UnitsResponse:
    """Show the influence of letters, units and attention on a vector from spelling."""
    check_word(request.word, state.limits, "word")
    return await state.work.run(pictures.word_units, state.models.get(request.model).model, request.word)


@playground.get("/curves")
async def curves() -> schemas.Curves:
    """Show how typos lower the score of word similarity, from the project's benchmarks."""
    return pictures.kept_curves()


@running.get("/v1/info")
async def info(state: TheState) -> schemas.InfoResponse:
    """List the models and limits of the service."""
    models = [
        schemas.ModelInfo(
            name=name,
            dim=entry.model.dim,
            known_words=len(entry.model.known_words),
            foreign_words=len(entry.model.known_words.sections.get("foreign", ())),
            encoder=entry.model.form_encoder.encoder,
            summary=entry.model.record.get("summary"),
            license=entry.model.record.get("license"),
        )
        for name, entry in state.models.by_name.items()
    ]
    corpus = None
    if state.corpus is not None:
        corpus = schemas.CorpusInfo(name=state.corpus.name, texts=len(state.corpus), model=state.corpus.model.name)
    return schemas.InfoResponse(
        version=__version__,
        models=models,
        limits=schemas.LimitsInfo(**vars(state.limits)),
        corpus=corpus,
        projections=pictures.projections(),
    )


@running.get("/health")
async def health() -> schemas.HealthResponse:
    """Show that the service is alive."""
    return schemas.HealthResponse()


@running.get("/metrics", response_class=PlainTextResponse)
async def metrics(state: TheState) -> bytes:
    """Return the metrics of this process in Prometheus' text format."""
    return state.metrics.text()


def check_words(words: Sequence[str], limits: Limits, most: int | None = None, field: str = "words") -> None:
    """Refuse too many words, and a word that is too long."""
    check_count(words, limits.words if most is None else most, field)
    for index, word in enumerate(words):
        check_word(word, limits, field, index, alone=len(words) == 1)


def check_pairs(pairs: Sequence[tuple[str, str]], limits: Limits) -> None:
    """Refuse too many pairs, and a word that is too long."""
    check_count(pairs, max(1, limits.words // 2), "pairs")
    for index, pair in enumerate(pairs):
        for word in pair:
            check_word(word, limits, "pairs", index)


def check_count(items: Sequence[object], most: int, field: str) -> None:
    """Refuse too many items."""
    if len(items) > most:
        error = f"This request may have {most:,} items in {field!r}. Got {len(items):,}; send them in parts."
        # The first one beyond the limit is the one that is too much.
        raise Refusal(422, Problem(error=error, field=field, index=most))


def check_word(word: str, limits: Limits, field: str, index: int | None = None, *, alone: bool = False) -> None:
    """Refuse a word that is too long."""
    if len(word) > limits.word_length:
        which = "This one" if alone else f"{field!r}" if index is None else f"Item {index} of {field!r}"
        error = f"A word may have {limits.word_length:,} characters. {which} has {len(word):,}; is it a text?"
        raise Refusal(422, Problem(error=error, field=field, index=index))
