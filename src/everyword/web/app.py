"""The service as one ASGI application: routes inside, middleware around them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.staticfiles import StaticFiles

from everyword import __version__
from everyword.web import api, openai_api, playground_api, text_api
from everyword.web.corpus import Corpus
from everyword.web.middleware import BEARER, BodyLimit, Counting, NeedsToken, SafeHeaders
from everyword.web.model_store import ModelStore
from everyword.web.problems import add_handlers
from everyword.web.settings import Settings
from everyword.web.state import State
from everyword.web.views import PAGE, add_views

SETTINGS = "EVERYWORD_SERVE"
"""The environment variable that gives the processes of a service their settings."""


def create_app(models: ModelStore, settings: Settings, corpus: Corpus | None = None) -> FastAPI:
    """Create the application.

    Args:
        models: The models to serve.
        settings: Limits, token and origins.
        corpus: Texts that /v1/search looks through if a request has none.

    Returns:
        An ASGI application for uvicorn or another server.
    """
    state = State(models, settings, corpus)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        models.warm_up()
        yield
        await state.work.close()

    app = FastAPI(
        title="everyword",
        version=__version__,
        summary="A good vector for every word.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's own page loads its scripts from elsewhere
        redoc_url=None,
    )
    app.state.service = state
    # The middleware checks the token before it reads a body; this only describes it in /openapi.json.
    described = [] if settings.token is None else [Depends(BEARER)]
    app.include_router(text_api.texts, prefix="/v1", dependencies=described)
    app.include_router(text_api.texts, include_in_schema=False)  # /embed is /v1/embed, for short
    for router in (openai_api.embeddings, api.words, api.playground, playground_api.more, api.running):
        app.include_router(router, dependencies=described)
    add_views(app)
    app.mount("/page", StaticFiles(directory=PAGE), name="page")
    add_handlers(app)
    _add_middleware(app, state, settings)
    return app


def _add_middleware(app: FastAPI, state: State, settings: Settings) -> None:
    """Add what a request passes on its way in; the last one added is the first to be met."""
    app.add_middleware(BodyLimit, limits=settings.limits)
    if settings.token is not None:
        app.add_middleware(NeedsToken, token=settings.token)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type"],
        )
    app.add_middleware(SafeHeaders)
    app.add_middleware(Counting, metrics=state.metrics)


def from_environment() -> FastAPI:
    """Create the application of one of several processes."""
    settings = Settings.from_json(os.environ[SETTINGS])
    return load_app(settings)


def load_app(settings: Settings) -> FastAPI:
    """Create the application with the models and the corpus that settings name."""
    models = ModelStore.load(settings.models, settings.tables)
    corpus = None if settings.corpus is None else Corpus.load(settings.corpus, settings.column, models.get(None).model)
    return create_app(models, settings, corpus)
