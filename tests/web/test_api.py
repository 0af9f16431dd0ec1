"""Every question of the API, asked of tiny models: the answers are those of the library."""

from __future__ import annotations

import base64
import itertools
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

import everyword
from everyword.models.model import Model
from everyword.web.app import create_app
from everyword.web.model_store import ModelStore
from everyword.web.settings import Settings
from everyword.web.stems import same_stem

from .conftest import MakeApp, renamed

NEW = "grustnesz"


def ask(client: TestClient, question: str, **body: Any) -> Any:
    response = client.post(f"/v1/{question}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_encode(client: TestClient, tiny_dan_model: Model) -> None:
    words = ["dan", NEW, "東京"]
    found = ask(client, "encode", words=words)
    vectors, origins = tiny_dan_model.encode_with_origins(words)

    assert (found["model"], found["dim"]) == ("tiny-dan", tiny_dan_model.dim)
    assert found["sources"] == [origin.source.value for origin in origins]
    np.testing.assert_allclose(found["vectors"], vectors, atol=1e-6)


def test_encode_as_base64_is_exact(client: TestClient, tiny_model: Model) -> None:
    found = ask(client, "encode", words=["dan", NEW], model="tiny-love", format="base64")
    vectors = [np.frombuffer(base64.b64decode(row), dtype="<f4") for row in found["vectors"]]
    np.testing.assert_array_equal(vectors, tiny_model.encode(["dan", NEW]))


def test_nearest(client: TestClient, tiny_dan_model: Model) -> None:
    [first, nothing] = ask(client, "nearest", words=[NEW, "東京"], k=3)["words"]
    expected = tiny_dan_model.nearest(NEW, 3)
    assert [(near["word"], pytest.approx(near["cosine"])) for near in first["neighbours"]] == expected
    assert (nothing["source"], nothing["neighbours"]) == ("none", [])


def test_nearest_words_of_one_stem_count_once(client: TestClient, tiny_dan_model: Model) -> None:
    [found] = ask(client, "nearest", words=[NEW], k=3, fold=True)["words"]
    folded = found["neighbours"]
    assert len(folded) == 3
    shown = {near["word"]: near["cosine"] for head in folded for near in [head, *head["same_stem"]]}
    expected = dict(tiny_dan_model.nearest(NEW, 12))
    assert shown == {word: pytest.approx(expected[word]) for word in shown}
    assert all(same_stem(head["word"], near["word"]) for head in folded for near in head["same_stem"])
    assert not any(same_stem(one["word"], other["word"]) for one, other in itertools.combinations(folded, 2))


def test_longer_terms_are_no_neighbours_as_in_the_library() -> None:
    model = everyword.load("everyword-en")
    client = TestClient(create_app(ModelStore([model]), Settings((model.name,))))
    [found] = ask(client, "nearest", words=["hart"], k=5)["words"]
    assert [near["word"] for near in found["neighbours"]] == [word for word, _ in model.nearest("hart", 5)]
    [foreign] = ask(client, "nearest", words=["Krankenhaus"], k=5, foreign=True)["words"]
    assert foreign["neighbours"][0]["word"] == model.nearest("Krankenhaus", 1, foreign=True)[0][0]


def test_nearest_words_of_another_model(client: TestClient, tiny_dan_model: Model, tiny_model: Model) -> None:
    [found] = ask(client, "nearest", words=["dan"], k=3, among="tiny-love")["words"]
    expected = tiny_dan_model.nearest("dan", 3, among=tiny_model)
    assert [(near["word"], pytest.approx(near["cosine"])) for near in found["neighbours"]] == expected
    assert client.post("/v1/nearest", json={"words": ["dan"], "among": "nobody"}).status_code == 404


def test_models_of_two_spaces_are_refused(tiny_dan_model: Model, tiny_adapted_model: Model) -> None:
    models = ModelStore([renamed(tiny_dan_model, "one"), renamed(tiny_adapted_model, "other")])
    with TestClient(create_app(models, Settings(("one", "other")))) as client:
        refused = client.post("/v1/nearest", json={"words": ["dan"], "among": "other"})
    assert refused.status_code == 422
    assert "their words are not in one space" in refused.json()["error"]


def test_similarity(client: TestClient, tiny_dan_model: Model) -> None:
    found = ask(client, "similarity", pairs=[["dan", NEW], ["dan", "東京"], ["dan", "dan"]])
    expected = [tiny_dan_model.similarity("dan", NEW), 0.0, 1.0]
    assert found["cosines"] == pytest.approx(expected, abs=1e-6)


def test_explain(client: TestClient, tiny_dan_model: Model) -> None:
    [found] = ask(client, "explain", words=[" Grustnesz"])["words"]
    expected = tiny_dan_model.explain(NEW)
    assert (found["word"], found["spelt"], found["source"]) == (" Grustnesz", NEW, expected.source.value)
    assert [share["word"] for share in found["candidates"]] == [share.word for share in expected.candidates]
    assert found["confidence"] == pytest.approx(expected.confidence)
    assert ask(client, "explain", words=[NEW], model="tiny-love")["words"][0]["confidence"] is None


def test_corrupt(client: TestClient) -> None:
    texts = ["a (modern) hospital", "a (modern) hospital"]
    found = ask(client, "corrupt", texts=texts, kinds=["drop"], seed=3)["texts"]
    assert found[0] == found[1], "a text's typos must not depend on what stands beside it"
    assert found[0] != texts[0]
    assert len(found[0]) == len(texts[0]) - 2
    assert ask(client, "corrupt", texts=texts, share=0)["texts"] == texts


def test_compare(client: TestClient, tiny_model: Model) -> None:
    both = ask(client, "compare", words=["dan", NEW], k=2)["models"]
    assert [one["model"] for one in both] == ["tiny-dan", "tiny-love"]
    assert both[1]["cosines"][0][1] == pytest.approx(tiny_model.similarity("dan", NEW), abs=1e-6)
    assert both[0]["words"][0]["source"] == "known"
    [one] = ask(client, "compare", words=["dan"], models=["tiny-love", "tiny-love"])["models"]
    assert one["model"] == "tiny-love"


def test_each_word_is_made_once(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app()
    blender, blended = app.state.service.models.get("tiny-dan").model.blender, []
    mix = blender.mix
    monkeypatch.setattr(blender, "mix", lambda words, **options: blended.extend(words) or mix(words, **options))
    client = TestClient(app)
    for question in ("encode", "nearest", "explain", "compare"):
        blended.clear()
        ask(client, question, words=[NEW, "dan"], **({"models": ["tiny-dan"]} if question == "compare" else {}))
        assert blended == [NEW], question


def test_map(client: TestClient) -> None:
    found = ask(client, "map", words=["dan", NEW, NEW, "東京"], k=5)
    asked = [point["word"] for point in found["points"] if point["asked"]]
    assert asked == ["dan", NEW]
    assert len({point["word"] for point in found["points"]}) == len(found["points"]) > 6
    assert "principal components" in found["caption"]
    assert ask(client, "map", words=["東京"])["points"] == []


def test_typos(client: TestClient, tiny_dan_model: Model) -> None:
    found = ask(client, "typos", word="grustness", variants=["grustness", NEW])
    clean, broken = found["variants"]
    assert {name: clean[name] for name in ("everyword", "spelling", "pieces", "lookup")} == pytest.approx(
        {"everyword": 1, "spelling": 1, "pieces": 1, "lookup": 1}, abs=1e-6
    )
    assert broken["everyword"] == pytest.approx(tiny_dan_model.similarity("grustness", NEW), abs=1e-6)
    assert (broken["lookup"], broken["spelling"]) == (None, pytest.approx(1.0, abs=1e-6))
    [unknown] = ask(client, "typos", word=NEW, variants=[NEW])["variants"]
    assert unknown["lookup"] is None, (
        "a look-up has nothing for a word that it does not know, not even in clean spelling"
    )
    [nothing] = ask(client, "typos", word="東京", variants=["東京"])["variants"]
    assert {nothing[name] for name in ("everyword", "spelling", "pieces", "lookup")} == {None}


def test_units_and_attention(client: TestClient) -> None:
    bag = ask(client, "units", word=" Daner")
    assert ("".join(letter["text"] for letter in bag["letters"]), bag["weights"]) == ("daner", [])
    assert max(unit["influence"] for unit in bag["units"]) > 0
    seen = ask(client, "units", word="daner", model="tiny-love")
    assert [square["name"] for square in seen["weights"]] == ["positional kernel", "self-attention"]
    count = len(seen["units"])
    assert all(np.shape(square["rows"]) == (count, count) for square in seen["weights"])
    assert ask(client, "units", word="東京")["units"] == []


def test_curves_are_the_kept_ones(client: TestClient) -> None:
    kept = client.get("/v1/curves").json()
    assert kept["model"] == "everyword-en"
    assert [curve["policy"] for curve in kept["curves"]] == ["encode", "spelling", "pieces", "zero"]
    assert all(curve["points"][0]["strength"] == 0 for curve in kept["curves"])


def test_info_and_health(client: TestClient) -> None:
    info = client.get("/v1/info").json()
    assert info["version"] == everyword.__version__
    assert [model["name"] for model in info["models"]] == ["tiny-dan", "tiny-love"]
    assert info["limits"]["words"] == 1024
    assert info["projections"][0] == "pca"
    assert client.get("/health").json() == {"status": "ok"}


def test_metrics_count_what_was_asked(client: TestClient) -> None:
    ask(client, "encode", words=["dan", "ban"])
    client.get("/nothing/here")
    client.get("/nothing/there")
    families = {family.name: family for family in text_string_to_metric_families(client.get("/metrics").text)}

    def value(family: str, name: str, **labels: str) -> float:
        samples = families[family].samples
        [found] = [sample.value for sample in samples if (sample.name, sample.labels) == (name, labels)]
        return found

    requests = "everyword_requests_total"
    assert value("everyword_requests", requests, path="/v1/encode", method="POST", status="200") == 1
    assert value("everyword_requests", requests, path="other", method="GET", status="404") == 2
    assert value("everyword_words", "everyword_words_total", model="tiny-dan") == 2
    seconds = "everyword_request_seconds"
    assert value(seconds, f"{seconds}_bucket", path="/v1/encode", le="+Inf") == 1
    assert value("everyword_unfinished_requests", "everyword_unfinished_requests") == 0
    assert all(sample.value >= 0 for family in families.values() for sample in family.samples)


def test_the_token_is_part_of_the_description(make_app: MakeApp, client: TestClient) -> None:
    schemes = make_app(token="secret").openapi()["components"]["securitySchemes"]
    assert schemes["HTTPBearer"]["scheme"] == "bearer"
    assert "securitySchemes" not in client.get("/openapi.json").json()["components"]


def test_pages_come_from_the_package(client: TestClient) -> None:
    for path, expected in (
        ("/", "Type a text"),
        ("/texts", "Type a text"),
        ("/word", "Type a word"),
        ("/docs", "The API"),
        ("/page/word.js", "import"),
        ("/page/style.css", ":root"),
    ):
        response = client.get(path)
        assert response.status_code == 200
        assert expected in response.text
        assert "http://" not in response.text.replace("http://www.w3.org/", "")
        assert "https://" not in response.text
        assert "default-src 'self'" in response.headers["content-security-policy"]
