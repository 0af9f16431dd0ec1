"""Questions about texts, asked of tiny models: the answers are those of the library, and bad ones are refused."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from everyword.errors import InputError
from everyword.models.explanation import Explanation, Share, Source
from everyword.models.model import Model
from everyword.sentences.context.read import ReadToken
from everyword.web.corpus import Corpus
from everyword.web.settings import Limits
from everyword.web.text_answers import token_of

from .conftest import MakeApp

TEXTS = ["Ban, trusting grelo!", "grustnesz dan", "", "?!", "dan\x00\x1b\r\n\t\ufeffgrelo", "bаn 東京 grelo مرحبا"]
"""Known and unknown words, no words, control characters, several scripts."""


def ask(client: TestClient, question: str, **body: Any) -> Any:
    response = client.post(f"/v1/{question}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


@pytest.fixture
def with_corpus(make_app: MakeApp) -> Iterator[TestClient]:
    app = make_app()
    state = app.state.service
    state.corpus = Corpus("texts.txt", TEXTS[:3], state.models.get(None).model)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_embed_gives_what_the_library_gives(client: TestClient, tiny_dan_model: Model) -> None:
    found = ask(client, "embed", texts=TEXTS)

    assert (found["model"], found["dim"]) == ("tiny-dan", tiny_dan_model.dim)
    np.testing.assert_allclose(found["vectors"], tiny_dan_model.encode_texts(TEXTS), atol=1e-5)
    assert not np.any(found["vectors"][2:4])


def test_embed_by_another_model_of_length_1_as_base64(client: TestClient, tiny_model: Model) -> None:
    found = ask(client, "embed", texts=TEXTS, model="tiny-love", normalize=True, format="base64")
    vectors = np.array([np.frombuffer(base64.b64decode(row), dtype="<f4") for row in found["vectors"]])

    np.testing.assert_allclose(vectors, tiny_model.encode_texts(TEXTS, normalize=True), atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(vectors[:2], axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("question", ["embed", "read"])
def test_the_short_paths_are_the_same(client: TestClient, question: str) -> None:
    assert client.post(f"/{question}", json={"texts": TEXTS}).json() == ask(client, question, texts=TEXTS)


def test_search_among_texts_of_the_request(client: TestClient, tiny_dan_model: Model) -> None:
    [found] = ask(client, "search", query="grustness", texts=TEXTS, k=2)["results"]

    expected = tiny_dan_model.nearest_texts("grustness", TEXTS, 2)
    assert [(near["text"], pytest.approx(near["cosine"], abs=1e-5)) for near in found["found"]] == expected
    assert [TEXTS[near["index"]] for near in found["found"]] == [text for text, _ in expected]


def test_search_of_several_queries_one_without_words(client: TestClient) -> None:
    first, nothing = ask(client, "search", query=["dan", "?!"], texts=["dan", "ban"])["results"]
    assert (first["query"], first["found"][0]["text"], len(first["found"])) == ("dan", "dan", 2)
    assert nothing == {"query": "?!", "found": []}


def test_search_of_the_corpus(with_corpus: TestClient) -> None:
    [found] = ask(with_corpus, "search", query="dan grustnes", k=1)["results"]
    assert (found["found"][0]["text"], found["found"][0]["index"]) == (TEXTS[1], 1)
    assert with_corpus.get("/v1/info").json()["corpus"] == {"name": "texts.txt", "texts": 3, "model": "tiny-dan"}
    assert ask(with_corpus, "search", query="dan", model="tiny-dan") == ask(with_corpus, "search", query=["dan"])
    refused = with_corpus.post("/v1/search", json={"query": "dan", "model": "tiny-love"})
    assert (refused.status_code, refused.json()["field"]) == (422, "model")
    assert refused.json()["error"] == "The corpus is searched by the model 'tiny-dan'; name that one, or none."


def test_a_corpus_without_texts(tiny_dan_model: Model) -> None:
    with pytest.raises(InputError, match=r"A corpus needs at least one text\. empty\.txt has none"):
        Corpus("empty.txt", [], tiny_dan_model)


def test_a_service_without_a_corpus(client: TestClient) -> None:
    assert client.get("/v1/info").json()["corpus"] is None
    refused = client.post("/v1/search", json={"query": "dan"})
    assert (refused.status_code, refused.json()["field"]) == (422, "texts")
    assert "started without a corpus; send the texts to search as 'texts'" in refused.json()["error"]


def test_read_shows_where_each_token_stands_and_comes_from(client: TestClient, tiny_dan_model: Model) -> None:
    text = "𝄞 Ban, grustnesz — bаn!"
    [found, nothing] = ask(client, "read", texts=[text, "?!"])["texts"]

    assert [text[token["begin"] : token["end"]] for token in found["tokens"]] == ["Ban", "grustnesz", "bаn"]
    assert [token["text"] for token in found["tokens"]] == ["Ban", "grustnesz", "bаn"]
    known, unknown = found["tokens"][:2]
    assert (known["source"], known["candidates"]) == ("known", [])
    token, expected = tiny_dan_model.read(text)[1], tiny_dan_model.explain("grustnesz")
    assert (unknown["source"], unknown["read_as"]) == (token.source.value, token.read_as)
    assert unknown["confidence"] == pytest.approx(token.confidence)
    assert [share["word"] for share in unknown["candidates"]] == [share.word for share in expected.candidates]
    assert found["corrected"] == tiny_dan_model.correct(text)
    assert (nothing["tokens"], nothing["corrected"]) == ([], "?!")


@pytest.mark.parametrize(
    ("read_as", "spelt", "decided"),
    [
        ("heard", Explanation("herd", Source.KNOWN, (), 0.0, 0.9), True),
        ("heard", Explanation("haerd", Source.RETRIEVED, (Share("heard", 0.7), Share("hard", 0.2)), 0.1, 0.9), False),
        ("heard", Explanation("herad", Source.RETRIEVED, (Share("herald", 0.6), Share("heard", 0.3)), 0.1, 0.9), True),
        ("third", Explanation("3rd", Source.NUMBER, (Share("three", 0.6),), 0.0, 0.9, "third"), False),
        (None, Explanation("herd", Source.KNOWN, (), 0.0, 0.9), False),
    ],
)
def test_whether_the_words_around_it_decided(read_as: str | None, spelt: Explanation, *, decided: bool) -> None:
    token = ReadToken("herd", 2, 6, Source.RETRIEVED, 0.8, read_as, np.zeros(2, dtype=np.float32))
    found = token_of(token, spelt)
    assert (found.by_context, found.read_as, found.confidence) == (decided, read_as, 0.8)
    assert [(share.word, share.share) for share in found.candidates] == [(s.word, s.share) for s in spelt.candidates]


LIMITS = Limits(words=8, searches=2, texts=4, text_length=30, body_bytes=5000)
LONG = "x" * 31


@pytest.mark.parametrize(
    ("question", "body", "field", "index", "said"),
    [
        ("embed", {"texts": ["a"] * 5}, "texts", 4, "may have 4 items in 'texts'. Got 5"),
        ("embed", {"texts": ["a", LONG]}, "texts", 1, "A text may have 30 characters. Item 1 of 'texts' has 31"),
        ("embed", {"texts": []}, "texts", None, "at least 1 item"),
        ("embed", {"texts": "a"}, "texts", None, "valid list"),
        ("embed", {"texts": ["a", None]}, "texts", 1, "item 1: Input should be a valid string"),
        ("embed", {"texts": [1.5]}, "texts", 0, "valid string"),
        ("embed", {"texts": None}, "texts", None, "valid list"),
        ("embed", {}, "texts", None, "Field required"),
        ("embed", {"texts": ["a"], "normalise": True}, "normalise", None, "Extra inputs"),
        ("embed", {"texts": ["a"], "normalize": "perhaps"}, "normalize", None, "valid boolean"),
        ("embed", {"texts": ["a"], "format": "float"}, "format", None, "'floats' or 'base64'"),
        ("search", {"query": ["a"] * 3, "texts": ["a"]}, "query", 2, "may have 2 items in 'query'"),
        ("search", {"query": LONG, "texts": ["a"]}, "query", 0, "This one has 31"),
        ("search", {"query": "a", "texts": ["a"] * 5}, "texts", 4, "may have 4 items"),
        ("search", {"query": "a", "texts": [LONG]}, "texts", 0, "This one has 31"),
        ("search", {"query": [], "texts": ["a"]}, "query", None, "at least 1 item"),
        ("search", {"query": None, "texts": ["a"]}, "query", None, "valid list"),
        ("search", {"query": ["a", 3], "texts": ["a"]}, "query", 1, "item 1: Input should be a valid string"),
        ("search", {"query": "a", "texts": []}, "texts", None, "at least 1 item"),
        ("search", {"query": "a", "texts": ["a"], "k": 0}, "k", None, "greater than or equal to 1"),
        ("search", {"query": "a", "texts": ["a"], "k": 101}, "k", None, "less than or equal to 100"),
        ("read", {"texts": ["a"] * 3}, "texts", 2, "may have 2 items"),
        ("read", {"texts": [LONG]}, "texts", 0, "This one has 31"),
        ("read", {"texts": ["x" * 20] * 2}, "texts", None, "'texts' may have 30 characters together. They have 40"),
        ("search", {"query": ["x" * 20] * 2, "texts": ["a"]}, "query", None, "'query' may have 30 characters together"),
        ("read", {"texts": []}, "texts", None, "at least 1 item"),
        ("read", {"texts": [None]}, "texts", 0, "valid string"),
    ],
)
def test_bad_requests_are_named_by_field_and_index(
    make_app: MakeApp, question: str, body: dict[str, Any], *, field: str, index: int | None, said: str
) -> None:
    response = TestClient(make_app(LIMITS)).post(f"/v1/{question}", json=body)
    problem = response.json()
    assert response.status_code == 422, problem
    assert said in problem["error"]
    assert "\n" not in problem["error"]
    assert (problem["field"], problem.get("index")) == (field, index)


@pytest.mark.parametrize("question", ["embed", "search", "read"])
def test_bodies_that_are_too_long_or_not_json(client: TestClient, question: str) -> None:
    body = {"texts": ["word " * 2_000_000]} | ({"query": "a"} if question == "search" else {})
    response = client.post(f"/v1/{question}", json=body)
    assert response.status_code == 413
    assert "may have 1,048,576 bytes" in response.json()["error"]
    json_header = {"Content-Type": "application/json"}
    assert client.post(f"/v1/{question}", content=b'{"texts": [', headers=json_header).status_code == 400
    half_a_character = json.dumps(body | {"texts": ["a \ud800 b"]}).encode()
    assert client.post(f"/v1/{question}", content=half_a_character, headers=json_header).status_code == 422
    unknown = client.post(f"/v1/{question}", json={**body, "texts": ["a"], "model": "tiny-dam"})
    assert (unknown.status_code, "did you mean 'tiny-dan'" in unknown.json()["error"]) == (404, True)


def test_texts_are_counted(client: TestClient) -> None:
    ask(client, "embed", texts=TEXTS)
    assert f'everyword_texts_total{{model="tiny-dan"}} {len(TEXTS)}.0' in client.get("/metrics").text
