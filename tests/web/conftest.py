from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from everyword.models.model import Model
from everyword.web.app import create_app
from everyword.web.model_store import ModelStore
from everyword.web.settings import Limits, Settings

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
