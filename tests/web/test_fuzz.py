"""The service asked with whatever its own description allows, and much that it does not: never an error of its own."""

from __future__ import annotations

import sys

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from .conftest import MakeApp

EXAMPLES = 10
WORDS = ("algebra", "compare", "encode", "map", "nearest")
TEXTS = ("correct", "embed", "probes", "read", "search", "texts")
ROUTES = [f"/v1/{name}" for name in (*WORDS, *TEXTS)]
SHORT = ("embed", "search", "read")
"""Paths that also work without /v1; the description has them once."""
MODELS = {"model": "tiny-dan", "models": ["tiny-love"], "among": "tiny-love"}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def described(app: FastAPI) -> FastAPI:
    """The same app, whose description also has the short paths."""
    paths = app.openapi()["paths"]
    paths |= {f"/{name}": paths[f"/v1/{name}"] for name in SHORT}
    return app


def with_served_models(case: schemathesis.Case) -> schemathesis.Case:
    """The same request to models that are served: a made-up name would be refused before anything is read."""
    if isinstance(case.body, dict):
        case.body = {name: MODELS[name] if name in MODELS and value else value for name, value in case.body.items()}
    return case


def test_no_request_breaks_the_service(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)  # it compiles itself for many seconds when it is first used
    app = described(make_app())
    operations = [found.ok() for found in schemathesis.openapi.from_asgi("/openapi.json", app).get_all_operations()]
    paths = {operation.path for operation in operations}
    assert {"/v1/embeddings", "/v1/models/{model}", "/metrics", *ROUTES, *(f"/{name}" for name in SHORT)} <= paths

    for operation in operations:
        for mode in GenerationMode.POSITIVE, GenerationMode.NEGATIVE:
            if mode is GenerationMode.NEGATIVE and operation.method == "get":
                continue  # what takes nothing can be asked nothing wrong
            requests = operation.as_strategy(generation_mode=mode)

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                derandomize=True,
                database=None,
            )
            @given(requests if mode is GenerationMode.NEGATIVE else requests.map(with_served_models))
            def fuzz(case: schemathesis.Case) -> None:
                case.call_and_validate(checks=CHECKS)

            fuzz()
