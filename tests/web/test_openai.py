"""OpenAI's own client, pointed at the service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import openai
import pytest
from fastapi.testclient import TestClient

from everyword.models.model import Model
from everyword.web.settings import Limits

from .conftest import MakeApp
from .running import in_a_thread

TEXTS = ["Ban, trusting grelo!", "grustnesz dan 東京", "", "?!"]


@pytest.fixture
def openai_client(make_app: MakeApp) -> Iterator[openai.OpenAI]:
    limits = Limits(texts=8, text_length=100)
    with in_a_thread(make_app(limits, token="secret")) as address, client_of(address) as client:
        yield client


def client_of(address: str, key: str = "secret") -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0, timeout=30)


def test_the_client_gets_vectors_of_length_1(openai_client: openai.OpenAI, tiny_dan_model: Model) -> None:
    expected = tiny_dan_model.encode_texts(TEXTS, normalize=True)
    # Without a format the client asks for base64, and decodes it.
    for options in ({}, {"encoding_format": "float"}, {"dimensions": tiny_dan_model.dim, "user": "someone"}):
        found: Any = openai_client.embeddings.create(model="tiny-dan", input=TEXTS, **options)  # type: ignore[call-overload]
        np.testing.assert_allclose([row.embedding for row in found.data], expected, atol=1e-5)
        assert [row.index for row in found.data] == [0, 1, 2, 3]
        assert (found.object, found.model, found.data[0].object) == ("list", "tiny-dan", "embedding")
        assert (found.usage.prompt_tokens, found.usage.total_tokens) == (6, 6)


def test_one_text_and_another_model(openai_client: openai.OpenAI, tiny_model: Model) -> None:
    [found] = openai_client.embeddings.create(model="tiny-love", input="Ban").data
    np.testing.assert_allclose(found.embedding, tiny_model.encode_texts("Ban", normalize=True), atol=1e-5)


def test_the_client_lists_models(openai_client: openai.OpenAI) -> None:
    assert [model.id for model in openai_client.models.list()] == ["tiny-dan", "tiny-love"]
    assert openai_client.models.retrieve("tiny-love").owned_by == "everyword"
    with pytest.raises(openai.NotFoundError, match="No model 'tiny' is served here"):
        openai_client.models.retrieve("tiny")


@pytest.mark.parametrize(
    ("asked", "param", "said"),
    [
        ({"input": []}, "input", "at least 1 item"),
        ({"input": None}, "input", "valid list"),
        ({"input": [[1, 2], [3]]}, "input", "token ids mean nothing to this model, so send texts"),
        ({"input": [1, 2, 3]}, "input", "token ids"),
        ({"input": ["a", None]}, "input", "item 1: Input should be a valid string"),
        ({"input": ["a"] * 9}, "input", "may have 8 items in 'input'. Got 9"),
        ({"input": ["a", "b" * 101]}, "input", "A text may have 100 characters. Item 1 of 'input' has 101"),
        ({"input": "a", "dimensions": 3}, "dimensions", "have 16 dimensions. Got 3; leave it out"),
        ({"input": "a", "dimensions": "many"}, "dimensions", "valid integer"),
        ({"input": "a", "encoding_format": "int8"}, "encoding_format", "'float' or 'base64'"),
        ({"input": "a", "extra_body": {"inputs": "b"}}, "inputs", "Extra inputs"),
    ],
)
def test_bad_requests_are_refused_as_openai_does(
    openai_client: openai.OpenAI, asked: dict[str, Any], param: str, said: str
) -> None:
    with pytest.raises(openai.BadRequestError) as refused:
        openai_client.embeddings.create(model="tiny-dan", **asked)
    body: Any = refused.value.body
    assert said in body["message"]
    assert (body["type"], body["param"], body["code"]) == ("invalid_request_error", param, None)


def test_a_model_that_is_not_served(openai_client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="No model 'text-embedding-3-small' is served here") as refused:
        openai_client.embeddings.create(model="text-embedding-3-small", input="a")
    assert refused.value.code == "model_not_found"


def test_a_wrong_token(openai_client: openai.OpenAI) -> None:
    with (
        client_of(str(openai_client.base_url).removesuffix("/v1/"), "wrong") as client,
        pytest.raises(openai.AuthenticationError, match="This service needs a token") as refused,
    ):
        client.embeddings.create(model="tiny-dan", input="a")
    assert refused.value.code == "invalid_api_key"


def test_a_long_body_a_full_house_and_a_failure(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(Limits(body_bytes=1000, waiting=1))
    with in_a_thread(app) as address, client_of(address) as client:
        with pytest.raises(openai.APIStatusError, match="may have 1,000 bytes") as refused:
            client.embeddings.create(model="tiny-dan", input="word " * 2_000_000)
        assert refused.value.status_code == 413
        monkeypatch.setattr(app.state.service.work, "unfinished", 1)
        with pytest.raises(openai.RateLimitError, match="Server busy") as refused:
            client.embeddings.create(model="tiny-dan", input="a")
        assert (refused.value.code, refused.value.response.headers["retry-after"]) == ("rate_limit_exceeded", "1")
        monkeypatch.undo()
        model = app.state.service.models.get(None).model
        monkeypatch.setattr(model, "encode_texts", lambda texts, **_: 1 / 0)
        with pytest.raises(openai.InternalServerError, match="Something went wrong on the server") as refused:
            client.embeddings.create(model="tiny-dan", input="a")
        assert refused.value.type == "server_error"


def test_what_is_no_json_is_told_in_the_same_form(client: TestClient) -> None:
    header = {"Content-Type": "application/json"}
    assert (
        client.post("/v1/embeddings", content=b"{", headers=header).json()["error"]["type"] == "invalid_request_error"
    )
    assert client.post("/v1/embeddings", content=b"{}").status_code == 415
    assert "does not take GET" in client.get("/v1/embeddings").json()["error"]["message"]
