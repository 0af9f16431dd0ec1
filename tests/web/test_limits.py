"""What a service refuses: in one sentence, with the right status, and without losing anything else."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import httpx2
import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from everyword.errors import ConfigError
from everyword.web import pictures
from everyword.web.problems import NO_JSON, UNEXPECTED
from everyword.web.settings import Limits, Settings

from .conftest import MakeApp
from .running import in_a_thread


def refused(client: TestClient, status: int, question: str, **body: Any) -> dict[str, Any]:
    response = client.post(f"/v1/{question}", json=body)
    assert response.status_code == status, response.text
    problem: dict[str, Any] = response.json()
    assert "\n" not in problem["error"]
    return problem


@pytest.mark.parametrize(
    ("question", "body", "field", "index", "said"),
    [
        ("encode", {"words": ["a"] * 9}, "words", 8, "may have 8 items in 'words'. Got 9"),
        ("encode", {"words": ["a", "b" * 31]}, "words", 1, "30 characters. Item 1 of 'words' has 31"),
        ("encode", {"words": ["a", "b", 3]}, "words", 2, "item 2: Input should be a valid string"),
        ("encode", {"words": []}, "words", None, "at least 1 item"),
        ("encode", {"wordz": ["a"]}, "words", None, "Field required"),
        ("encode", {"words": ["a"], "modle": "x"}, "modle", None, "Extra inputs"),
        ("nearest", {"words": ["a"] * 3}, "words", 2, "may have 2 items"),
        ("nearest", {"words": ["a"], "k": 0}, "k", None, "greater than or equal to 1"),
        ("similarity", {"pairs": [["a", "b"]] * 5}, "pairs", 4, "may have 4 items"),
        ("similarity", {"pairs": [["a", "b"], ["a", "b" * 31]]}, "pairs", 1, "Item 1 of 'pairs' has 31"),
        ("explain", {"words": ["a"] * 9}, "words", 8, "may have 8 items"),
        ("corrupt", {"texts": ["a"] * 9}, "texts", 8, "may have 8 items"),
        ("corrupt", {"texts": ["a"], "kinds": ["shout"]}, "kinds", 0, "'swap', 'drop'"),
        ("compare", {"words": ["a"] * 3}, "words", 2, "may have 2 items"),
        ("map", {"words": ["a"] * 3}, "words", 2, "may have 2 items"),
        ("typos", {"word": "a" * 31, "variants": ["a"]}, "word", None, "'word' has 31"),
        ("typos", {"word": "a", "variants": ["a"] * 9}, "variants", 8, "may have 8 items"),
        ("units", {"word": "a" * 31}, "word", None, "'word' has 31"),
    ],
)
def test_too_much_or_wrong_is_named_by_field_and_index(
    make_app: MakeApp, question: str, body: dict[str, Any], *, field: str, index: int | None, said: str
) -> None:
    client = TestClient(make_app(Limits(words=8, searches=2, word_length=30)))
    problem = refused(client, 422, question, **body)
    assert said in problem["error"]
    assert (problem["field"], problem.get("index")) == (field, index)


@pytest.mark.parametrize("question", ["encode", "nearest", "explain", "compare", "map"])
def test_half_a_character(client: TestClient, question: str) -> None:
    body, header = b'{"words": ["dan", "a\\ud800b"]}', {"Content-Type": "application/json"}
    response = client.post(f"/v1/{question}", content=body, headers=header)
    assert (response.status_code, response.json()["index"]) == (422, 1)
    assert "half a character stands at 1" in response.json()["error"]


@pytest.mark.parametrize("body", [b'{"words": [', b"\xff\xfe", b""])
def test_what_is_no_json(client: TestClient, body: bytes) -> None:
    response = client.post("/v1/encode", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code in (400, 422)
    assert response.json()["error"] in (NO_JSON, "The request is not valid: Field required.")


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "x" * 5000])
def test_a_body_that_is_not_marked_as_json(client: TestClient, kind: str | None) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    response = client.post("/v1/encode", content=b'{"words": ["ban"]}', headers=headers)
    assert response.status_code == 415
    shown = "missing" if kind is None else kind[:80]
    assert response.json()["error"] == (
        f"The body is not marked as JSON (Content-Type: {shown}); send the header 'Content-Type: application/json'."
    )


def test_a_model_that_is_not_served(client: TestClient) -> None:
    assert "did you mean 'tiny-dan'" in refused(client, 404, "encode", words=["a"], model="tiny-dam")["error"]
    assert "No model" in refused(client, 404, "compare", words=["a"], models=["x"])["error"]


def test_paths_and_methods_that_do_not_exist(client: TestClient) -> None:
    assert client.get("/nothing").json()["error"] == "There is nothing at /nothing; /docs lists what there is."
    response = client.get("/v1/encode")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert "does not take GET" in response.json()["error"]


def test_a_missing_extra_is_a_sentence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    assert 'pip install "everyword[umap]"' in refused(client, 422, "map", words=["dan"], method="umap")["error"]


def test_umap_is_compiled_while_others_go_on(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = threading.Event()

    class Umap:
        def __init__(self, **_: object) -> None:
            compiling.wait(10)

        def fit_transform(self, vectors: np.ndarray) -> np.ndarray:
            return vectors[:, :2]

    module = ModuleType("umap")
    module.UMAP, module.__spec__ = Umap, ModuleSpec("umap", None)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "umap", module)
    monkeypatch.setattr(pictures, "_UMAP", pictures.UmapCompiler())
    asked = {"words": ["dan"], "method": "umap"}
    for _ in range(2):
        assert "UMAP is being compiled" in refused(client, 503, "map", **asked)["error"]
    compiling.set()
    pictures._UMAP._ready.wait(10)
    assert "UMAP by cosine" in client.post("/v1/map", json=asked).json()["caption"]


def test_a_body_that_says_it_is_too_long(make_app: MakeApp) -> None:
    response = TestClient(make_app(Limits(body_bytes=100))).post("/v1/encode", content=b"x" * 101)
    assert response.status_code == 413
    assert "may have 100 bytes" in response.json()["error"]
    boast = {"Content-Length": "9" * 5000}
    assert TestClient(make_app()).post("/v1/encode", content=b"{}", headers=boast).status_code == 413


def test_a_body_is_counted_as_it_streams(make_app: MakeApp) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 10_000_000:
            sent += 1000
            yield b"x" * 1000

    with in_a_thread(make_app(Limits(body_bytes=100_000))) as address:
        status = raw_status(address, endless())
    assert status == 413
    assert sent < 9_000_000, "the service went on reading a body that was too long already"


def test_a_body_that_never_comes(make_app: MakeApp) -> None:
    with in_a_thread(make_app(Limits(seconds=0.2))) as address:
        assert raw_status(address, iter(())) == 408


def raw_status(address: str, chunks: Iterator[bytes]) -> int:
    """Send a request of chunks without its end until the service answers; the status of the answer."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        head = ("POST /v1/encode HTTP/1.1", "Host: x", "Content-Type: application/json", "Transfer-Encoding: chunked")
        connection.sendall("".join(line + "\r\n" for line in (*head, "")).encode())
        connection.setblocking(False)
        for chunk in chunks:
            try:
                connection.setblocking(True)
                connection.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                connection.setblocking(False)
                if connection.recv(1, socket.MSG_PEEK):
                    break
            except BlockingIOError:
                continue
            except ConnectionError:
                break
        connection.settimeout(10)
        return int(connection.recv(12).split()[1])


@contextmanager
def occupied(app: FastAPI, jobs: int) -> Iterator[list[asyncio.Task[bool]]]:
    """Threads of a service that are busy until the context ends."""
    done = threading.Event()
    try:
        yield [asyncio.create_task(app.state.service.work.run(done.wait)) for _ in range(jobs)]
    finally:
        done.set()


def asking(app: FastAPI) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://test")


def test_a_full_house_sends_away(make_app: MakeApp) -> None:
    app = make_app(Limits(waiting=2))

    async def scene() -> None:
        async with asking(app) as client:
            with occupied(app, 2) as jobs:
                await asyncio.sleep(0)
                for question, body in (("encode", {"words": ["a"]}), ("explain", {"words": ["a"]})):
                    response = await client.post(f"/v1/{question}", json=body)
                    assert response.status_code == 429
                    assert response.json()["error"] == "Server busy: 2 requests in progress. Retry later."
                    assert int(response.headers["retry-after"]) >= 1
                assert (await client.get("/health")).status_code == 200
                assert "everyword_unfinished_requests 2" in (await client.get("/metrics")).text
            await asyncio.gather(*jobs)
            assert (await client.post("/v1/encode", json={"words": ["a"]})).status_code == 200
            assert app.state.service.work.unfinished == 0

    asyncio.run(scene())


def test_what_waits_too_long_is_dropped_and_what_runs_too_long_is_given_up(make_app: MakeApp) -> None:
    app = make_app(Limits(seconds=0.2))

    async def scene() -> None:
        async with asking(app) as client:
            with occupied(app, 4) as jobs:
                await asyncio.sleep(0)
                dropped = await client.post("/v1/explain", json={"words": ["a"]})
                batched = await client.post("/v1/encode", json={"words": ["a"]})
                given_up = await asyncio.gather(*jobs, return_exceptions=True)
                still_taken = app.state.service.work.unfinished
            assert (dropped.status_code, batched.status_code) == (503, 504)
            assert "retry-after" in dropped.headers
            assert [getattr(error, "status", None) for error in given_up] == [504] * 4
            assert still_taken == 4, "a thread that nobody waits for is still busy"
        await app.state.service.work.close()

    asyncio.run(scene())


def test_many_at_once_get_what_they_would_get_alone(make_app: MakeApp) -> None:
    app = make_app()
    requests = [[f"dan{place}", "ban", "grustnesz"][: 1 + place % 3] for place in range(40)]

    async def scene() -> list[Any]:
        async with asking(app) as client:
            alone = [(await client.post("/v1/encode", json={"words": words})).json() for words in requests]
            together = await asyncio.gather(*(client.post("/v1/encode", json={"words": words}) for words in requests))
            return [[response.json() for response in together], alone]

    together, alone = asyncio.run(scene())
    for one, other in zip(together, alone, strict=True):
        assert one["sources"] == other["sources"]
        np.testing.assert_allclose(one["vectors"], other["vectors"], atol=2e-6)


def test_an_unexpected_error_shows_no_stack_trace(client: TestClient) -> None:
    def broken() -> None:
        raise ZeroDivisionError("a secret")

    client.app.add_api_route("/broken", broken)  # type: ignore[attr-defined]
    response = client.get("/broken")
    assert (response.status_code, response.json()) == (500, {"error": UNEXPECTED})


def test_a_batch_that_fails_fails_for_those_in_it_alone(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app()
    client = TestClient(app, raise_server_exceptions=False)
    model = app.state.service.models.get(None).model
    with monkeypatch.context() as patch:
        patch.setattr(model, "encode_with_origins", lambda words: 1 / 0)
        assert client.post("/v1/encode", json={"words": ["a"]}).json() == {"error": UNEXPECTED}
    assert client.post("/v1/encode", json={"words": ["a"]}).status_code == 200


def test_a_token_is_asked_for(make_app: MakeApp) -> None:
    client = TestClient(make_app(token="open sesame"))
    for path in ("/", "/health", "/word", "/docs", "/page/word.js"):
        assert client.get(path).status_code == 200
    for path in ("/v1/info", "/metrics", "/openapi.json", "/page", "/page/../metrics"):
        for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": b"Bearer \xff\xfe"}):
            response = client.get(path, headers=given)
            assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer"), path
    right = {"Authorization": "Bearer open sesame"}
    assert client.get("/v1/info", headers=right).status_code == 200
    assert client.post("/v1/encode", json={"words": ["a"]}, headers=right).status_code == 200


def test_other_sites_may_ask_only_if_they_are_named(make_app: MakeApp) -> None:
    origin = {"Origin": "https://example.org"}
    assert "access-control-allow-origin" not in TestClient(make_app()).get("/health", headers=origin).headers
    client = TestClient(make_app(token="secret", origins=("https://example.org",)))
    assert client.get("/health", headers=origin).headers["access-control-allow-origin"] == "https://example.org"
    assert "access-control-allow-origin" not in client.get("/health", headers={"Origin": "https://other.org"}).headers
    asked = {**origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    assert client.options("/v1/encode", headers=asked).status_code == 200


def test_settings_that_cannot_be() -> None:
    with pytest.raises(ConfigError, match=r"words must be .*1.*models must name at least"):
        Settings((), Limits(words=0))
    with pytest.raises(ConfigError, match="token must be of printable ASCII"):
        Settings(("x",), token="ü")


def test_settings_travel_to_other_processes() -> None:
    settings = Settings(("a", "b"), Limits(seconds=2.5), "secret", ("https://example.org",))
    assert Settings.from_json(settings.to_json()) == settings
