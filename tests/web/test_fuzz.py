"""The service asked with whatever its own description allows, and much that it does not: never an error of its own."""

from __future__ import annotations

import sys

import pytest
import schemathesis
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
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def test_no_request_breaks_the_service(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)  # it compiles itself for many seconds when it is first used
    description = schemathesis.openapi.from_asgi("/openapi.json", make_app())
    operations = [found.ok() for found in description.get_all_operations()]
    assert {"/v1/encode", "/v1/map", "/metrics"} <= {operation.path for operation in operations}

    for operation in operations:
        for mode in GenerationMode.POSITIVE, GenerationMode.NEGATIVE:
            if mode is GenerationMode.NEGATIVE and operation.method == "get":
                continue  # what takes nothing can be asked nothing wrong

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                derandomize=True,
                database=None,
            )
            @given(operation.as_strategy(generation_mode=mode))
            def fuzz(case: schemathesis.Case) -> None:
                case.call_and_validate(checks=CHECKS)

            fuzz()
