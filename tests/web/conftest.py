from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from everyword.models.load import embedded_models
from everyword.models.model import Model
from everyword.web.app import create_app
from everyword.web.model_store import ModelStore
from everyword.web.settings import Limits, Settings

from .browser import Page, browser
from .running import in_a_thread

MakeApp = Callable[..., FastAPI]


def renamed(model: Model, name: str) -> Model:
    """The same model under another name; the tiny ones are all called alike."""
    other = copy.copy(model)
    other.name = name
    return other


@pytest.fixture
def make_app(tiny_dan_model: Model, tiny_model: Model) -> MakeApp:
    """An app with two tiny models: one with a gate and without attention, one the other way round."""

    def make(limits: Limits | None = None, **settings: object) -> FastAPI:
        models = ModelStore([renamed(tiny_dan_model, "tiny-dan"), renamed(tiny_model, "tiny-love")])
        return create_app(models, Settings(tuple(models.by_name), limits or Limits(), **settings))  # type: ignore[arg-type]

    return make


@pytest.fixture
def client(make_app: MakeApp) -> Iterator[TestClient]:
    with TestClient(make_app(), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A service with the embedded models."""
    names = tuple(sorted(embedded_models()))
    with in_a_thread(create_app(ModelStore.load(names), Settings(names))) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Page]:
    with browser() as page:
        yield page
