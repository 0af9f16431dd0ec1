"""What mostly the playground asks: algebra, corrections, texts that are kept to be searched, probes."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from everyword.errors import InputError
from everyword.models.model import Model
from everyword.vectors.neighbours import unit_rows
from everyword.web import correctors, uploads
from everyword.web.model_store import ModelStore
from everyword.web.settings import Limits
from everyword.web.tables import Table

from .conftest import MakeApp
from .test_api import NEW, ask


def test_sums_and_differences_are_those_of_the_library(client: TestClient, tiny_dan_model: Model) -> None:
    found = ask(client, "algebra", positive=["dan", NEW], negative=["ban"], k=3)
    expected = tiny_dan_model.nearest(positive=["dan", NEW], negative=["ban"], k=3)
    assert found["measure"] == "cosine"
    assert [(near["word"], pytest.approx(near["value"], abs=1e-6)) for near in found["neighbours"]] == expected
    assert ask(client, "algebra", positive=["東京"])["neighbours"] == []


def test_words_are_joined_by_operators(client: TestClient) -> None:
    found = ask(client, "algebra", expression=f"dan & ({NEW} | ban)", k=3)
    assert (found["measure"], len(found["neighbours"])) == ("cross-entropy", 3)
    values = [near["value"] for near in found["neighbours"]]
    assert values == sorted(values)
    assert "dan" not in {near["word"] for near in found["neighbours"]}


def test_texts_are_corrected_by_each_model(client: TestClient, tiny_dan_model: Model) -> None:
    text = f"Dan {NEW}!"
    *models, symspell = ask(client, "correct", texts=[text])["corrections"]
    assert [one["by"] for one in models] == ["tiny-dan", "tiny-love"]
    assert models[0]["texts"] == [tiny_dan_model.correct(text)]
    assert (symspell["by"], symspell["kind"]) == ("symspell", "corrector")
    [only, _] = ask(client, "correct", texts=[text], models=["tiny-love"])["corrections"]
    assert only["by"] == "tiny-love"


def test_symspell_takes_part_if_it_is_installed(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correctors, "find_spec", lambda name: None)
    [_, missing] = ask(client, "correct", texts=["teh"], models=["tiny-dan"])["corrections"]
    assert (missing["texts"], missing["note"]) == (None, "symspellpy is not installed here: pip install symspellpy")

    class SymSpell:
        def __init__(self, _distance: int) -> None: ...

        def load_dictionary(self, *_: object) -> None: ...

        def lookup(self, word: str, _verbosity: str, **_: object) -> list[SimpleNamespace]:
            return [SimpleNamespace(term={"teh": "the"}.get(word, word))]

    module = ModuleType("symspellpy")
    vars(module).update(SymSpell=SymSpell, Verbosity=SimpleNamespace(TOP="top"))
    monkeypatch.setitem(sys.modules, "symspellpy", module)
    monkeypatch.setattr(correctors, "find_spec", lambda name: ModuleSpec(name, None))
    monkeypatch.setattr(correctors, "files", lambda name: __import__("pathlib").Path())
    correctors._symspell.cache_clear()
    [_, fixed] = ask(client, "correct", texts=["Teh cat, don't! 3teh"], models=["tiny-dan"])["corrections"]
    correctors._symspell.cache_clear()
    assert (fixed["texts"], fixed["note"]) == (["The cat, don't! 3teh"], None)


def test_tables_are_compared_by_simpler_methods(client: TestClient, tiny_dan_model: Model) -> None:
    known = tiny_dan_model.known_words
    [one] = ask(client, "tables", text="Dan", other="ban")["tables"]
    assert (one["name"], one["words"], one["dim"], one["is_stored"]) == ("tiny-dan", len(known), known.dim, True)
    dan, ban = unit_rows(tiny_dan_model.encode(["dan", "ban"]))
    assert one["cosines"]["lookup"] == pytest.approx(float(dan @ ban), abs=1e-6)
    [text] = ask(client, "tables", text="dan, ban!", other="dan")["tables"]
    middle = (dan + ban) / np.linalg.norm(dan + ban)
    assert text["cosines"]["lookup"] == pytest.approx(float(middle @ dan), abs=1e-6)
    assert (text["is_stored"], text["neighbours"]) == (False, [])
    [unknown] = ask(client, "tables", text="東京", other="dan")["tables"]
    assert unknown["cosines"] == {"spelling": None, "pieces": None, "lookup": None}
    assert ask(client, "tables", text="?!")["tables"][0]["cosines"] is None


def test_tables_are_read_from_files(tmp_path: Path) -> None:
    file = tmp_path / "pets.txt"
    file.write_text("Cat 1 0\ndog 0.6 0.8\ncats 1 0.1\n", encoding="utf-8")
    found = Table.load(str(file)).report("cat", "DOG", 1)
    assert not found.is_stored, "this table has capitals"
    assert (Table.load(str(file)).report("Cat", None, 1).neighbours, found.cosines) == (
        ["cats"],
        {"lookup": None, "spelling": pytest.approx(0.6, abs=0.1), "pieces": None},
    )
    with pytest.raises(InputError, match=r"Two of the tables are called 'pets\.txt'"):
        ModelStore([], [Table.load(str(file))] * 2)
    with pytest.raises(InputError, match=r"none\.txt"):
        Table.load(str(tmp_path / "none.txt"))


def test_texts_are_kept_and_searched_until_newer_ones_need_the_place(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST", 2)
    kept = ask(client, "texts", name="pets.txt", texts=["dan", "ban"], model="tiny-love")
    assert {name: kept[name] for name in ("name", "texts", "model")} == {
        "name": "pets.txt",
        "texts": 2,
        "model": "tiny-love",
    }
    [found] = ask(client, "search", query="dan", among=kept["id"], model="tiny-love")["results"]
    assert found["found"][0]["text"] == "dan"
    second = ask(client, "texts", texts=["dan"])
    ask(client, "search", query="dan", among=kept["id"])  # used last, so it stays
    ask(client, "texts", texts=["ban"])
    ask(client, "search", query="dan", among=kept["id"])
    gone = client.post("/v1/search", json={"query": "dan", "among": second["id"]})
    assert (gone.status_code, gone.json()["field"]) == (404, "among")
    assert "send them again to /v1/texts" in gone.json()["error"]
    other = client.post("/v1/search", json={"query": "dan", "among": kept["id"], "model": "tiny-dan"})
    assert (other.status_code, other.json()["field"]) == (422, "model")


def test_a_map_joins_misspellings_to_their_words(client: TestClient) -> None:
    found = ask(client, "map", words=["dan", "ban", NEW, "東京"], k=0)
    words = [point["word"] for point in found["points"]]
    assert words[:3] == ["dan", "ban", NEW]
    joined = {words[join["typo"]]: words[join["word"]] for join in found["joins"]}
    [explained] = ask(client, "explain", words=[NEW])["words"]
    first = explained["candidates"][0]
    expected = {NEW: first["word"]} if explained["source"] == "retrieved" and first["share"] >= 0.5 else {}
    assert joined == expected
    assert len(ask(client, "map", words=[f"dan{place}" for place in range(40)], k=0)["points"]) >= 40


def test_probes_are_the_kept_ones(client: TestClient) -> None:
    probes = client.get("/v1/probes").json()["probes"]
    assert {probe["probe"] for probe in probes} >= {"noun-kinds", "polarity", "word-identity"}
    for probe in probes:
        assert all(score["low"] <= score["value"] <= score["high"] for score in probe["scores"])
        assert probe["scores"][0]["model"] == "everyword-en"


LIMITS = Limits(words=8, word_length=30, searches=2, texts=4, text_length=30)
LONG = "x" * 31


@pytest.mark.parametrize(
    ("question", "body", "field", "index", "said"),
    [
        ("algebra", {}, "positive", None, "Give either words to add or to take away, or an expression."),
        ("algebra", {"positive": ["a"], "expression": "a & b"}, "expression", None, "Give either words"),
        ("algebra", {"positive": ["a"] * 3}, "positive", 2, "may have 2 items in 'positive'"),
        ("algebra", {"negative": ["a", LONG]}, "negative", 1, "Item 1 of 'negative' has 31"),
        ("algebra", {"expression": "a &"}, None, None, "the expression ends where a word is needed"),
        ("algebra", {"expression": "a" * 1001}, None, None, "An expression may have 1,000 characters"),
        ("algebra", {"expression": ""}, None, None, "where a word is needed"),
        ("correct", {"texts": ["a"] * 3}, "texts", 2, "may have 2 items in 'texts'"),
        ("correct", {"texts": [LONG]}, "texts", 0, "This one has 31"),
        ("correct", {"texts": ["a"], "models": []}, "models", None, "at least 1 item"),
        ("tables", {"text": LONG}, "text", 0, "This one has 31"),
        ("tables", {"text": "a", "other": LONG}, "other", 0, "This one has 31"),
        ("texts", {"texts": []}, "texts", None, "at least 1 item"),
        ("texts", {"texts": ["a"] * 5}, "texts", 4, "may have 4 items"),
        ("texts", {"texts": ["a"], "name": "x" * 201}, "name", None, "at most 200 characters"),
        ("search", {"query": "a", "texts": ["a"], "among": "b"}, "among", None, "either 'texts' or 'among'"),
        ("map", {"words": ["a"] * 9, "k": 0}, "words", 8, "may have 8 items"),
        ("map", {"words": ["a"], "k": -1}, "k", None, "greater than or equal to 0"),
    ],
)
def test_bad_requests_are_refused_in_one_sentence(
    make_app: MakeApp, question: str, body: dict[str, Any], *, field: str | None, index: int | None, said: str
) -> None:
    response = TestClient(make_app(LIMITS)).post(f"/v1/{question}", json=body)
    problem = response.json()
    assert response.status_code == 422, problem
    assert said in problem["error"]
    assert "\n" not in problem["error"]
    assert (problem.get("field"), problem.get("index")) == (field, index)


def test_unknown_models_are_named(client: TestClient) -> None:
    for question, body in (("algebra", {"positive": ["a"]}), ("texts", {"texts": ["a"]})):
        response = client.post(f"/v1/{question}", json={**body, "model": "tiny-dam"})
        assert (response.status_code, "did you mean 'tiny-dan'" in response.json()["error"]) == (404, True)
    assert client.post("/v1/correct", json={"texts": ["a"], "models": ["tiny-dam"]}).status_code == 404
