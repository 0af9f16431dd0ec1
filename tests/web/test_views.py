"""Every view in a real browser: readable, usable by keyboard and screen reader, small, and all from this service."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from everyword.web.views import VIEWS, View

from .browser import CHROMIUM, DRIVER, MISSING, POOR_CONTRAST, WITHOUT_A_NAME, Page

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)

SMALL = 150_000
"""Bytes of everything that a view loads, its first answer included."""
LOADED = """
const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return loaded.map(one => [new URL(one.name).origin, one.transferSize]);
"""
WIDTH = "return document.documentElement.scrollWidth"
LONG = "antidisestablishmentarianism" * 4
SENTENCE = (
    "Yesterday my nieghbour, who is a docter at the hosptial near the old station, told me that the consert in the "
    "park was cancled becuase of the heavy rain, and that everybody who had bougth a tiket would get their mony back "
    "within a fortnigth, if they wrote a leter to the organisers before the end of the month."
)
HTML = "<script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"
FIELDS = {"map": "words", "algebra": "positive"}
"""The field of a view that takes a word; in the others it is q."""
ASKING = [view for view in VIEWS if view.name not in ("docs", "probes")]
CONTROLS = """
const shown = node => node.checkVisibility() && !node.disabled && !node.matches('[type=hidden], [tabindex="-1"]');
const controls = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
return [...controls].filter(shown).length;
"""
FOCUSED = """
const node = document.activeElement, style = getComputedStyle(node.matches("#file") ? node.parentElement : node);
if (node === document.body) return null;
const before = node.dataset.seen;
node.dataset.seen = "yes";
const seen = style.outlineStyle !== "none" || (node.matches(".question") && style.boxShadow !== "none");
return [before ?? "", seen, node.outerHTML.slice(0, 80)];
"""


def opened(page: Page, address: str, view: View, question: dict[str, str] | None = None) -> None:
    page.driver.get("about:blank")
    page.driver.get(f"{address}{view.path}" + (f"#{urlencode(question)}" if question else ""))
    if view.name == "docs":
        page.until(lambda: page.all("details"), "the questions")
    else:
        page.wait()


def by_name(view: View) -> str:
    return view.name


@pytest.mark.parametrize("view", VIEWS, ids=by_name)
def test_every_view_is_small_and_comes_from_here(chromium: Page, address: str, view: View) -> None:
    chromium.window(1280, 900)
    chromium.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    opened(chromium, address, view)
    chromium.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})
    assert chromium.texts("nav [aria-current]") == [view.link]
    loaded: list[tuple[str, int]] = chromium.script(LOADED)  # type: ignore[assignment]
    assert {origin for origin, _ in loaded} == {address}, "nothing comes from elsewhere"
    assert 5_000 < sum(size for _, size in loaded) <= SMALL
    assert chromium.driver.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("view", VIEWS, ids=by_name)
def test_every_view_is_readable_by_day_and_by_night(chromium: Page, address: str, view: View, width: int) -> None:
    for scheme in ("light", "dark"):
        chromium.window(width, 900, scheme)
        opened(chromium, address, view)
        assert chromium.findings() == [], scheme
        assert chromium.script(POOR_CONTRAST) == [], scheme
        assert chromium.script(WITHOUT_A_NAME) == []
        assert chromium.script(WIDTH) <= width  # type: ignore[operator]


@pytest.mark.parametrize("view", VIEWS, ids=by_name)
def test_every_view_can_be_zoomed(chromium: Page, address: str, view: View) -> None:
    chromium.window(640, 450)  # what is left of a window of 1280 at 200 %
    opened(chromium, address, view)
    assert chromium.script(WIDTH) <= 640  # type: ignore[operator]
    chromium.script("document.documentElement.style.fontSize = '200%'")
    assert chromium.script(WIDTH) <= 640  # type: ignore[operator]


@pytest.mark.parametrize("view", VIEWS, ids=by_name)
def test_nothing_moves_where_that_is_not_wanted(chromium: Page, address: str, view: View) -> None:
    chromium.window(1280, 900)  # which asks for reduced motion
    opened(chromium, address, view)
    moving = "e => getComputedStyle(e).transitionDuration !== '0s' || getComputedStyle(e).animationName !== 'none'"
    assert chromium.script(f"return [...document.querySelectorAll('*')].filter({moving}).length") == 0


@pytest.mark.parametrize("view", VIEWS, ids=by_name)
def test_every_control_is_reached_by_keyboard_and_shows_it(chromium: Page, address: str, view: View) -> None:
    chromium.window(1280, 900)
    opened(chromium, address, view)
    controls = chromium.script(CONTROLS)
    reached = []
    for _ in range(controls + 5):  # type: ignore[operator]
        chromium.press(Keys.TAB)
        focused: tuple[str, bool, str] | None = chromium.script(FOCUSED)  # type: ignore[assignment]
        if focused is None or focused[0]:
            break
        reached.append(focused[2])
        assert focused[1], f"nothing shows that it has the focus: {focused[2]}"
    assert len(reached) == controls, reached
    assert 'class="skip"' in reached[0]


def test_the_first_key_leads_past_the_menu(chromium: Page, address: str) -> None:
    opened(chromium, address, VIEWS[0])
    chromium.press(Keys.TAB)
    skip = chromium.one(".skip")
    assert skip.rect["x"] >= 0, "it is seen while it has the focus"
    skip.send_keys(Keys.ENTER)
    assert chromium.script("return document.activeElement.id") == "content"


@pytest.mark.parametrize("text", [LONG, SENTENCE], ids=["word", "sentence"])
@pytest.mark.parametrize("view", ASKING, ids=by_name)
def test_what_is_long_fits_a_small_phone(chromium: Page, address: str, view: View, text: str) -> None:
    chromium.window(320, 640)
    field = FIELDS.get(view.name, "q")
    opened(chromium, address, view, {field: text[:200] if view.name == "languages" else text})  # it takes a word
    assert chromium.script(WIDTH) <= 320  # type: ignore[operator]
    cut = "const field = document.getElementById(arguments[0]); return field.scrollHeight - field.clientHeight"
    assert chromium.script(cut, field) <= 1, "it is shown whole"  # type: ignore[operator]
    inside = "return [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > 321).length"
    assert chromium.script(inside) == 0


@pytest.mark.parametrize("view", ASKING, ids=by_name)
def test_markup_in_a_word_is_text(chromium: Page, address: str, view: View) -> None:
    opened(chromium, address, view, {FIELDS.get(view.name, "q"): HTML})
    assert chromium.driver.title.startswith("everyword")
    assert chromium.all("main img, main script") == []
    assert chromium.driver.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("view", ASKING, ids=by_name)
def test_a_link_that_makes_no_sense_leads_somewhere(chromium: Page, address: str, view: View) -> None:
    if view.name != "compare":
        opened(chromium, address, view, {"model": "no-such-model", "constructor": "1", "__proto__": "2"})
        problem = chromium.one("#problem")
        assert problem.text.startswith("The link asks for “no-such-model”, which this service does not offer")
        assert chromium.one("#answer").is_displayed()
    opened(chromium, address, view, {"toString": "1", "": "2", "%": "&", "method": "😡"})
    assert chromium.one("#answer").is_displayed()
    assert chromium.driver.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("view", ASKING, ids=by_name)
def test_back_leads_to_the_question_before(chromium: Page, address: str, view: View) -> None:
    asked = "return [...document.querySelectorAll('.ask textarea, .ask input[type=text]')].map(e => e.value)"
    opened(chromium, address, view)
    first = chromium.script(asked)
    chromium.all("#examples button")[1].click()
    chromium.until(lambda: chromium.script(asked) != first, "an example")
    second = chromium.script(asked)
    chromium.driver.back()
    chromium.until(lambda: chromium.script(asked) == first, "the question before")
    chromium.driver.forward()
    chromium.until(lambda: chromium.script(asked) == second, "the example again")
    chromium.wait()


@pytest.mark.parametrize("view", ASKING, ids=by_name)
def test_no_older_answer_stands_beside_a_problem(chromium: Page, address: str, view: View) -> None:
    opened(chromium, address, view)
    field = FIELDS.get(view.name, "q")
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    chromium.driver.execute_cdp_cmd("Network.enable", {})
    chromium.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    try:
        chromium.type(f"#{field}", "another word")
        chromium.until(lambda: chromium.one("#problem").is_displayed(), "the problem")
        assert chromium.one("#problem").text == "The service does not answer; is it still running?"
        assert chromium.one("#problem").get_attribute("role") == "alert", "it is read out"
        assert not chromium.one("#answer").is_displayed()
    finally:
        chromium.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**offline, "offline": False})
        chromium.driver.get_log("browser")  # type: ignore[no-untyped-call]
    chromium.type(f"#{field}", "bread")
    chromium.wait()
    assert not chromium.one("#problem").is_displayed()
    chromium.until(lambda: chromium.texts("#status") != [""], "what is read out")
    assert chromium.one("#status").get_attribute("role") == "status"
