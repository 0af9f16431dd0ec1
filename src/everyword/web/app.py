"""The service as one ASGI application: routes inside, what guards them around."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from everyword import __version__
from everyword.web import api
from everyword.web.bearer import NeedsToken
from everyword.web.body_limit import BodyLimit
from everyword.web.headers import SafeHeaders
from everyword.web.metrics import Counting
from everyword.web.problems import tell_problems
from everyword.web.served import ServedModels
from everyword.web.service import Service
from everyword.web.settings import Settings

SETTINGS = "EVERYWORD_SERVE"
"""The environment variable that tells other processes of a service what to do."""
PAGE = Path(str(files("everyword.web") / "page"))


def create_app(models: ServedModels, settings: Settings) -> FastAPI:
    """The application for some models."""
    service = Service(models, settings)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        models.warm_up()
        yield
        await service.work.close()

    app = FastAPI(
        title="everyword",
        version=__version__,
        summary="A good vector for every word.",
        lifespan=life,
        docs_url=None,  # FastAPI's own page loads its scripts from elsewhere
        redoc_url=None,
    )
    app.state.service = service
    for router in (api.words, api.playground, api.running):
        app.include_router(router)
    _add_pages(app)
    tell_problems(app)
    _guard(app, service, settings)
    return app


def _add_pages(app: FastAPI) -> None:
    for path, name in (("/", "index.html"), ("/docs", "docs.html")):
        app.add_api_route(path, _page(PAGE / name), include_in_schema=False, response_class=FileResponse)
    app.mount("/page", StaticFiles(directory=PAGE), name="page")


def _page(path: Path) -> Callable[[], Awaitable[FileResponse]]:
    async def page() -> FileResponse:
        return FileResponse(path)

    return page


def _guard(app: FastAPI, service: Service, settings: Settings) -> None:
    """What a request passes on its way in; the last one added is the first to be met."""
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
    app.add_middleware(Counting, metrics=service.metrics)


def from_environment() -> FastAPI:
    """The application of one of several processes."""
    settings = Settings.from_json(os.environ[SETTINGS])
    return create_app(ServedModels.load(settings.models), settings)
