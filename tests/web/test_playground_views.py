"""The smaller views of the playground in a real browser, with the embedded models behind it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import everyword
from everyword.models.load import embedded_models
from everyword.web import correctors
from everyword.web.app import create_app, load_app
from everyword.web.corpus import Corpus
from everyword.web.model_store import ModelStore
from everyword.web.problems import Problem, Refusal
from everyword.web.settings import Settings
from everyword.web.uploads import Uploads

from .browser import CHROMIUM, DRIVER, MISSING, Page
from .running import in_a_thread

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)

SAMPLE = json.loads((Path(everyword.__file__).parent / "web" / "page" / "sentences.json").read_text(encoding="utf-8"))
Open = Callable[[str], Page]
PETS = "[aria-label='pets.txt'] "


@pytest.fixture
def view(chromium: Page, address: str) -> Iterator[Open]:
    def opened(path: str) -> Page:
        chromium.window(1280, 900)
        chromium.driver.get("about:blank")
        chromium.driver.get(address + path)
        chromium.wait()
        return chromium

    yield opened
    complaints = [line for line in chromium.driver.get_log("browser") if " 422 " not in line["message"]]  # type: ignore[no-untyped-call]
    assert complaints == []


def test_the_sample_is_varied_and_its_own() -> None:
    assert len(SAMPLE) == len(set(SAMPLE)) == 60
    assert all(20 <= len(text) <= 80 for text in SAMPLE)


def test_typos_find_what_was_meant(view: Open) -> None:
    page = view("/search")
    assert page.texts("#among") == ["The 60 sentences of a sample."]
    for text, expected in (
        ("forgoten pasword", "How can I change my password?"),
        ("my pacakge has not arived", "Where is my parcel? It should have arrived last week."),
        ("gaol keeper hurt in trainning", "The goalkeeper was injured during training."),
        ("astronomers fotographed a galxy", "The telescope took pictures of a distant galaxy."),
    ):
        page.type("#q", text)
        page.until(lambda expected=expected: page.texts("#found button")[:1] == [expected], expected)  # type: ignore[misc]
    page.one("#found button").click()
    page.until(lambda: page.texts("#found .value")[:1] == ["1.00"], "that sentence itself")
    page.type("#q", "?!")
    page.until(lambda: "nothing is near it" in "".join(page.texts("#found p")), "a query without words")


def test_a_file_is_searched_and_can_be_left(view: Open, tmp_path: Path) -> None:
    file = tmp_path / "pets.txt"
    file.write_text("cats and dogs\n\ncars and lorries\n", encoding="utf-8")
    page = view("/search#q=my+kittten")
    page.one("#file").send_keys(str(file))
    page.until(lambda: page.texts("#found button") == ["cats and dogs", "cars and lorries"], "the file")
    assert page.texts("#among") == ["2 texts of pets.txt."]
    page.type("#q", "truk")
    page.until(lambda: page.texts("#found button")[:1] == ["cars and lorries"], "another query")
    page.one("#sample").click()
    page.until(lambda: len(page.all("#found li")) == 8, "the sample")
    empty = tmp_path / "empty.txt"
    empty.write_text("\n", encoding="utf-8")
    page.one("#file").send_keys(str(empty))
    page.until(lambda: page.one("#problem").text == "empty.txt has no text.", "the problem")


def test_a_file_that_the_service_forgot_is_searched_all_the_same(chromium: Page, tmp_path: Path) -> None:
    file = tmp_path / "pets.txt"
    file.write_text("cats and dogs\ncars and lorries\n", encoding="utf-8")
    app = create_app(ModelStore.load(["everyword-en-small"]), Settings(("everyword-en-small",)))
    with in_a_thread(app) as address:
        chromium.driver.get(f"{address}/search#q=my+kittten")
        chromium.wait()
        chromium.one("#file").send_keys(str(file))
        chromium.until(lambda: chromium.texts("#found button")[:1] == ["cats and dogs"], "the file")
        app.state.service.uploads = Uploads()
        chromium.type("#q", "truk")
        chromium.until(lambda: chromium.texts("#found button")[:1] == ["cars and lorries"], "another query")
        assert not chromium.one("#problem").is_displayed()
        chromium.driver.get_log("browser")  # type: ignore[no-untyped-call]


def test_the_corpus_of_the_service_is_searched(chromium: Page) -> None:
    models = ModelStore.load(["everyword-en-small"])
    corpus = Corpus("pets.txt", ["cats and dogs", "cars and lorries"], models.get(None).model)
    app = create_app(models, Settings(("everyword-en-small",)), corpus)
    with in_a_thread(app) as address:
        chromium.driver.get(f"{address}/search#q=my+kittten")
        chromium.wait()
        assert chromium.texts("#among") == ["2 texts of pets.txt."]
        assert chromium.texts("#found button") == ["cats and dogs", "cars and lorries"]


def test_models_and_a_corrector_stand_side_by_side(view: Open) -> None:
    page = view("/compare")
    page.wait("[aria-label=symspell]")
    names = page.texts("#columns h2")
    assert sorted(names[:-2]) == sorted(embedded_models())
    assert names[-2:] == [f"The words of {names[0]} alone", "symspell"]
    assert page.texts("#columns .legend td")[-1] == "no vector", "a plain look-up knows no misspelling"
    assert float(page.texts("#columns .big")[0]) > 0.8
    assert page.texts("#columns .said .mark") == ["docter"] * len(embedded_models())
    page.type("#other", "banana")
    page.until(lambda: float(page.texts("#columns .big")[0].replace("−", "-")) < 0.5, "another word")
    page.type("#q", "i herd teh consert")
    page.until(lambda: len(page.all("#columns .mark")) == 4 * len(embedded_models()), "a text")
    corrected = "[aria-label=symspell] strong"
    page.until(lambda: page.texts(corrected) == ["i herd the concert"], "a corrector that knows no context")


def test_tables_stand_beside_models(chromium: Page, tmp_path: Path) -> None:
    rows = {"doctor": "1 0", "physician": "0.8 0.6", "banana": "0 -1"}
    (tmp_path / "pets.txt").write_text(
        "\n".join(f"{word} {row}" for word, row in rows.items()) + "\n", encoding="utf-8"
    )
    (tmp_path / "more.vec").write_text("2 2\nDoctor 1 0\nsun 0 1\n", encoding="utf-8")
    settings = Settings(("everyword-en-small",), tables=(str(tmp_path / "pets.txt"), str(tmp_path / "more.vec")))
    with in_a_thread(load_app(settings)) as address:
        chromium.driver.get(f"{address}/compare#q=docter&other=physician")
        chromium.wait("[aria-label=symspell]")
        assert chromium.texts("#columns h2")[2:-1] == ["pets.txt", "more.vec"]
        values = dict(zip(chromium.texts(PETS + "th"), chromium.texts(PETS + "td"), strict=True))
        assert values == {"nearest spelling": "0.80", "mean of pieces": "no vector", "plain look-up": "no vector"}
        assert "It is not stored as a word." in chromium.texts(PETS + ".quiet")
        chromium.type("#q", "doctor")
        chromium.until(lambda: "Near: physician, banana" in chromium.texts(PETS + ".quiet"), "its neighbours")
        chromium.type("#other", " ")
        chromium.until(
            lambda: "similarity" not in "".join(chromium.texts("#columns .quiet")).lower(), "nothing beside it"
        )
        chromium.wait("[aria-label=symspell]")
        assert chromium.texts("#columns h2")[1:-1] == ["pets.txt", "more.vec"]
        assert chromium.findings() == []
        chromium.driver.get_log("browser")  # type: ignore[no-untyped-call]


def test_models_stay_when_a_corrector_fails(chromium: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise Refusal(504, Problem(error="The request took too long."))

    monkeypatch.setattr(correctors, "correct", fail)
    app = create_app(ModelStore.load(["everyword-en-small"]), Settings(("everyword-en-small",)))
    with in_a_thread(app) as address:
        chromium.driver.get(f"{address}/compare")
        chromium.until(lambda: "The request took too long." in chromium.texts("#columns > p"), "the sentence")
        assert chromium.texts("#columns h2") == ["everyword-en-small", "The words of everyword-en-small alone"]
        assert not chromium.one("#problem").is_displayed()
        chromium.driver.get_log("browser")  # type: ignore[no-untyped-call]


def test_misspellings_are_joined_to_their_words(view: Open) -> None:
    page = view("/map")
    assert len(page.all("#map .point")) > 10
    assert len(page.all("#map .join")) >= 5
    assert "hosptial is joined to hospital" in page.one("#map svg.map").get_attribute("aria-label")
    page.type("#words", "nurze, \uf8ff")
    page.until(
        lambda: page.texts("#map .point title") == ["nurse: known", "nurze: retrieved"],
        "the word that was meant is added",
    )


def test_words_are_added_taken_away_and_joined(view: Open) -> None:
    page = view("/algebra#positive=king,woman&negative=man")
    assert page.texts("#sum") == ["king + woman − man"]
    assert any("queen" in word for word in page.texts("#near a"))
    page.type("#expression", "noble &")
    page.until(lambda: page.one("#problem").is_displayed(), "a problem")
    wrong = "return [...document.querySelectorAll('[aria-invalid=true]')].map(e => e.id)"
    assert page.script(wrong) == ["positive", "negative", "expression"], "they do not go together"
    page.type("#positive", " ")
    page.type("#negative", " ")
    page.until(lambda: page.script(wrong) == ["expression"], "the field that is at fault")
    assert not page.one("#answer").is_displayed()
    page.driver.get("about:blank")
    page = view("/algebra#expression=noble+%26+metal")
    assert len(page.texts("#near a")) == 10
    assert "cross-entropy" in page.texts("#near .quiet")[0]


def test_a_german_word_and_its_english_neighbours(view: Open) -> None:
    page = view("/languages#model=everyword-en&q=Krankenhaus")
    assert page.texts("#near button.link")[0] == "hospital"
    assert "hôpital" in page.texts("#foreign button.link")
    assert page.texts("#others h2") == ["Neighbours in everyword-en-small"]
    page.one("#model option[value='love-en']").click()
    page.until(lambda: page.texts("#foreign p") == ["love-en stores no words of other languages."], "another model")


def test_probes_are_pictures_and_a_link_leads_to_each(view: Open) -> None:
    page = view("/probes")
    first = page.texts("#scores-title")
    page.one("#probe option[value='polarity']").click()
    page.until(lambda: page.texts("#scores-title") != first, "another question")
    assert page.driver.current_url.endswith("/probes#probe=polarity")
    assert len(page.all("#scores .interval")) == len(page.texts("#scores th")) > 10
    page.driver.back()
    page.until(lambda: page.texts("#scores-title") == first, "the first question")
