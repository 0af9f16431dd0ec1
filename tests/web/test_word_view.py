"""The page in a real browser, with the embedded models behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from everyword.web.app import create_app
from everyword.web.model_store import ModelStore
from everyword.web.settings import Settings

from .browser import CHROMIUM, DRIVER, MISSING, POOR_CONTRAST, WITHOUT_A_NAME, Page
from .running import in_a_thread

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)

CARDS = ("origin", "near", "breaking", "map", "units", "curves")


@pytest.fixture
def page(chromium: Page, address: str) -> Iterator[Page]:
    chromium.window(1280, 900)
    chromium.driver.get("about:blank")
    chromium.driver.get(f"{address}/word")
    chromium.until(lambda: all(chromium.texts(f"#{card} .body > *") for card in CARDS), "all cards")
    chromium.until(lambda: chromium.texts("#breaking .trail li"), "the first word is broken")
    yield chromium
    complaints = [line for line in chromium.driver.get_log("browser") if " 422 " not in line["message"]]  # type: ignore[no-untyped-call]
    assert complaints == []


def test_the_first_word_is_shown_from_all_sides(page: Page) -> None:
    assert page.texts("#origin .word") == ["mispelling retrieved"]
    assert page.texts("#near button")[0] == "misspelling"
    assert page.texts("#breaking .trail li") == ["misspelling", "mispelling"]
    assert len(page.all("#curves path.line")) == 8, "four lines and their marks in the legend"


def test_neighbours_of_one_stem_are_one_line(page: Page) -> None:
    lines = "return [...document.querySelectorAll('#near li')].filter(e => !e.hidden).length"
    assert page.script(lines) == 10
    more = page.one("#near .more")
    others = int(more.text.split()[1])
    assert more.text == f"+ {others} {'form' if others == 1 else 'forms'}"
    more.click()
    assert (page.script(lines), more.get_attribute("aria-expanded")) == (10 + others, "true")
    more.click()
    assert page.script(lines) == 10


def test_back_and_forward_walk_through_questions(page: Page, address: str) -> None:
    page.all("#examples button")[1].click()
    page.until(lambda: page.texts("#origin .word") == ["Schwarzeneger retrieved"], "an example")
    page.type("#q", "teh")
    page.until(lambda: page.texts("#origin .word") == ["teh retrieved"], "what was typed")
    shared = page.driver.current_url
    page.driver.back()
    page.until(lambda: page.texts("#origin .word") == ["Schwarzeneger retrieved"], "the example")
    page.driver.back()
    page.until(lambda: page.texts("#origin .word") == ["mispelling retrieved"], "the first word")
    page.driver.forward()
    page.driver.forward()
    page.until(lambda: page.texts("#origin .word") == ["teh retrieved"], "what was typed")
    assert page.driver.current_url == shared
    page.one("nav a").click()
    page.until(lambda: page.texts("#reading .token .mark") == ["teh"], "the same question in another view")
    page.driver.back()
    page.until(lambda: page.texts("#origin .word") == ["teh retrieved"], "the view before")


def test_known_does_not_claim_to_be_good(page: Page) -> None:
    page.type("#q", "hospital")
    page.until(lambda: page.texts("#origin .word") == ["hospital known"], "a known word")
    assert page.all("#origin .sure") == []
    assert "depends on how often the model saw the word" in page.texts("#origin .stored")[0]
    page.until(lambda: page.texts("#breaking .trail li") == ["hospital"], "a word that nobody misspelt")


def test_methods_without_a_vector_have_no_line(page: Page) -> None:
    page.type("#q", "untweetable")
    page.until(lambda: page.texts("#breaking .trail li") == ["untweetable"], "the word")
    values = dict(zip(page.texts("#breaking .legend th"), page.texts("#breaking .legend td"), strict=True))
    assert (values["everyword"], values["plain look-up"]) == ("1.00", "no vector")
    assert len(page.all("#breaking .chart circle")) == sum(value != "no vector" for value in values.values())


def test_the_question_can_be_copied(page: Page) -> None:
    expected = {
        "Link": page.driver.current_url,
        "curl": """{"words":["mispelling"],"k":10,"model":"everyword-en"}""",
        "Python": 'model.nearest("mispelling")',
    }
    for name, text in expected.items():
        page.one(f"[data-copy={name}]").click()
        assert text in page.texts("#copies pre")[0]


def test_typing_asks(page: Page) -> None:
    page.type("#q", "untweetable")
    page.until(lambda: "".join(page.texts("#origin .word")).startswith("untweetable "), "the new word")
    page.until(lambda: page.texts("#map .asked text") == ["untweetable"], "the new map")
    points = page.all("#map .point circle")
    assert len(points) > 15
    assert len({(point.get_attribute("cx"), point.get_attribute("cy")) for point in points}) > 15
    assert "untweetable" in page.driver.current_url


def test_a_sentence_is_its_words(page: Page) -> None:
    page.type("#q", "teh hospitl, known")
    page.until(lambda: len(page.all("#words .chip")) == 3, "three words")
    page.until(lambda: page.texts("#origin .word") == ["teh retrieved"], "the first word that needs help")
    page.all("#words .chip")[2].click()
    page.until(lambda: page.texts("#origin .word") == ["known known"], "the word that was clicked")
    page.until(lambda: page.script("return document.activeElement.dataset.word") == "known", "its focus")
    assert page.all("#words .chip")[2].get_attribute("aria-pressed") == "true"
    page.driver.back()
    page.until(lambda: page.texts("#origin .word") == ["teh retrieved"], "the word before")


def test_clicks_break_the_word(page: Page) -> None:
    for typos, kind in enumerate(("swap", "drop", "insert"), start=2):
        page.one(f"[data-kind={kind}]").click()
        page.until(lambda typos=typos: len(page.all("#breaking .trail li")) == typos + 1, kind)  # type: ignore[misc]
    assert page.texts("#breaking .legend th")[0] == "everyword"
    assert len(page.all("#breaking .chart circle.a")) == 5
    assert len(page.all("#breaking .chart circle.d")) == 1, "a look-up knows no typo"
    page.one("#breaking .plain").click()
    page.until(lambda: len(page.all("#breaking .trail li")) == 4, "undone")


def test_attention_where_the_model_has_it(page: Page) -> None:
    page.one("#model option[value='love-en']").click()
    page.until(lambda: page.all("#units .square .cell"), "a square of weights")
    assert page.texts("#curves p") == ["This was measured for everyword-en only, not for love-en."]
    cells = len(page.all("#units .cell"))
    assert cells == round(cells**0.5) ** 2


def test_neighbours_of_another_model_of_the_same_space(page: Page) -> None:
    page.one("#model option[value='everyword-en']").click()
    page.until(lambda: page.one("#among-choice").is_displayed(), "a choice")
    assert page.texts("#among option") == ["everyword-en", "everyword-en-small"]
    page.one("#among option[value='everyword-en-small']").click()
    page.until(lambda: "among=everyword-en-small" in page.driver.current_url, "the address")
    page.type("#q", "leukamia")
    page.until(lambda: page.texts("#near button")[:1] in (["leukemia"], ["leukaemia"]), "the word of the other model")
    page.one("#model option[value='everyword-en-small']").click()
    page.one("#among option[value='everyword-en']").click()
    page.until(lambda: "among=everyword-en&" in page.driver.current_url, "the other way round")
    page.driver.refresh()
    page.wait("#near button")
    assert page.script("return document.querySelector('#among').value") == "everyword-en", "a link keeps it"
    page.driver.back()
    page.driver.back()
    page.until(lambda: page.script("return document.querySelector('#among').value") == "everyword-en-small", "before")
    page.wait("#near button")
    page.one("#near button").click()
    page.until(
        lambda: page.script("return document.querySelector('#model').value") == "everyword-en-small", "its model"
    )
    page.one("#model option[value='love-en']").click()
    page.until(lambda: not page.one("#among-choice").is_displayed(), "no other model has vectors of that length")


def test_bad_input_is_told(page: Page) -> None:
    page.type("#q", "x" * 201)
    page.until(lambda: page.one("#problem").is_displayed(), "the problem")
    assert "A word may have 200 characters. This one has 201" in page.one("#problem").text
    assert page.one("#q").get_attribute("aria-invalid") == "true"
    assert not page.one("#answer").is_displayed(), "an older answer would be taken for this one"
    page.type("#q", "fine")
    page.until(lambda: not page.one("#problem").is_displayed(), "the problem goes away")
    page.type("#q", "\uf8ff")  # a character without a name
    page.until(lambda: "none" in "".join(page.texts("#origin .word")), "a word without a vector")
    page.until(lambda: "None of the words has a vector" in "".join(page.texts("#map .body")), "no map")
    page.until(lambda: "there is nothing to break" in "".join(page.texts("#breaking .body")), "nothing to break")


def test_the_keyboard_is_enough(page: Page) -> None:
    page.one("#near button").send_keys("/")
    assert page.script("return document.activeElement.id") == "q"
    third = page.one("#near li:not([hidden]) ~ li:not([hidden]) button")
    word = third.text
    third.send_keys("\ue007")  # Enter
    page.until(lambda: page.texts("#origin .word") == [f"{word} known"], "the neighbour")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable(page: Page, scheme: str) -> None:
    page.window(1280, 900, scheme)
    assert page.script(POOR_CONTRAST) == []
    assert page.script(WITHOUT_A_NAME) == []
    background = "return getComputedStyle(document.documentElement).backgroundColor"
    assert page.script(background) == {"light": "rgb(250, 248, 244)", "dark": "rgb(20, 24, 26)"}[scheme]


def test_it_fits_a_phone(page: Page) -> None:
    page.window(320, 640)
    long = "antidisestablishmentarianism" * 3
    page.type("#q", long)
    page.until(lambda: page.texts("#map .asked title") == [f"{long}: inferred"], "the map")
    assert page.script("return document.documentElement.scrollWidth") <= 320
    cut = "const field = document.querySelector('#q'); return field.scrollHeight - field.clientHeight"
    assert page.script(cut) <= 1, "a long question is shown whole"  # type: ignore[operator]


def test_the_api_page_tries_out_questions(page: Page, address: str) -> None:
    page.driver.get(f"{address}/docs")
    page.until(lambda: len(page.all("details")) >= 12, "all questions")
    for question, found in (("POST /v1/search", "blood cancer"), ("POST /v1/nearest", "misspelling")):
        place = page.texts("details summary code").index(question)
        page.script(f"document.querySelectorAll('details').forEach((one, at) => one.open = at === {place})")
        page.one("details[open] button").click()
        page.until(lambda found=found: found in "".join(page.texts("details[open] .answer")), "the answer")  # type: ignore[misc]
    assert "GET /v1/models/{model}" in page.texts("details summary code")
    assert page.script(WITHOUT_A_NAME) == []


def test_a_token_is_asked_for(chromium: Page) -> None:
    app = create_app(ModelStore.load(["love-en"]), Settings(("love-en",), token="secret"))
    with in_a_thread(app) as address:
        chromium.driver.get(f"{address}/word")
        chromium.until(lambda: chromium.all("#token"), "the question for the token")
        chromium.type("#token input", "wrong")
        chromium.one("#token button").click()
        chromium.until(lambda: chromium.script("return document.querySelector('#token input')?.value") == "", "again")
        chromium.type("#token input", "secret")
        chromium.one("#token button").click()
        chromium.until(lambda: chromium.texts("#near li"), "the answer")
        chromium.driver.get_log("browser")  # type: ignore[no-untyped-call]
