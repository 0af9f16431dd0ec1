"""The page for texts in a real browser, with the embedded models behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from everyword.models.explanation import Source

from .browser import CHROMIUM, DRIVER, MISSING, POOR_CONTRAST, WITHOUT_A_NAME, Page

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)

ALL_SOURCES = "Teh untweetable 2 😡 well-beloved известный of \uf8ff"


@pytest.fixture
def page(chromium: Page, address: str) -> Iterator[Page]:
    chromium.window(1280, 900)
    opened(chromium, address)
    yield chromium
    complaints = [line for line in chromium.driver.get_log("browser") if " 422 " not in line["message"]]  # type: ignore[no-untyped-call]
    assert complaints == []


def opened(page: Page, address: str) -> None:
    page.driver.get("about:blank")
    page.driver.get(address)
    page.until(lambda: page.texts("#reading .detail p"), "the first text")


def typed(page: Page, text: str, first: str) -> None:
    page.type("#q", text)
    page.until(lambda: page.texts("#reading .mark")[:1] == [first], text)


def test_every_word_of_the_first_text_shows_where_it_comes_from(page: Page) -> None:
    assert page.texts("#reading .token .mark") == ["my", "docter", "diagnosed", "leukamia"]
    assert page.texts("#reading .token.retrieved .over") in (["doctor", "leukemia"], ["doctor", "leukaemia"])
    assert page.texts("#reading .token.known .mark") == ["my", "diagnosed"]
    assert page.texts("#reading .detail .word") == ["docter retrieved"]
    assert page.texts("#reading .detail .bars li")[0].startswith("doctor")
    assert page.texts("#reading .detail .sure")[0].startswith("Confidence ")


def test_the_corrected_text_stands_beside_it_and_can_be_used(page: Page) -> None:
    [corrected] = page.texts("#corrected .said")
    assert corrected.startswith("my doctor diagnosed ")
    page.one("#corrected button").click()
    page.until(lambda: page.texts("#reading .mark")[:2] == ["my", "doctor"], "the corrected text")
    typed(page, "The weather is nice today.", "The")
    page.until(lambda: page.texts("#corrected .body") == ["Nothing was changed."], "nothing to correct")


def test_the_legend_names_every_source_and_counts_it(page: Page) -> None:
    typed(page, ALL_SOURCES, "Teh")
    assert page.texts("#reading .kinds .mark") == [source.value for source in Source]
    shown = dict(zip(page.texts("#reading .kinds .mark"), page.texts("#reading .kinds li"), strict=True))
    assert shown["retrieved"].startswith("retrieved 1. ")
    assert shown["number"].startswith("number 1. ")
    assert shown["symbol"].startswith("symbol 1. ")
    # Not by colour alone: no two sources have the same line.
    lines = page.script(
        "return [...document.querySelectorAll('.kinds .mark')].map(e => (s => [s.textDecorationLine, "
        "s.textDecorationStyle, s.textDecorationThickness].join(' '))(getComputedStyle(e)))"
    )
    assert len(set(lines)) == len(Source)  # type: ignore[call-overload]


def test_pointing_and_keys_show_a_word(page: Page) -> None:
    focused = "return document.activeElement.getAttribute('aria-label')"
    page.script("document.querySelectorAll('.token')[3].dispatchEvent(new MouseEvent('mouseenter'))")
    assert page.texts("#reading .detail .word") == ["leukamia retrieved"]
    assert page.script("return document.querySelectorAll('.token[tabindex=\"0\"]').length") == 1
    page.all(".token")[3].send_keys("\ue014")  # right, round to the first word
    assert page.texts("#reading .detail .word") == ["my known"]
    assert page.all("#reading .detail .sure") == [], "what is stored is not sure to be good"
    assert page.script(focused) == "my, known"
    page.driver.switch_to.active_element.send_keys("\ue014")
    assert page.script(focused) == "docter, retrieved, read as doctor"
    page.all(".token")[3].click()  # as a tap does
    assert page.texts("#reading .detail .word") == ["leukamia retrieved"]
    assert page.one("#reading .detail").get_attribute("aria-live") == "polite", "it is read out"


def test_a_phone_keeps_its_keyboard_away(page: Page, address: str) -> None:
    focused, hint = "return document.activeElement.id", ".hint .keys"
    assert page.one(hint).is_displayed()
    page.all("#examples button")[1].click()
    assert page.script(focused) == "q"
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        opened(page, address)
        assert not page.one(hint).is_displayed(), "there is no such key"
        page.all("#examples button")[1].click()
        page.until(lambda: page.texts("#reading .mark")[:1] == ["Shakespear"], "the example")
        assert page.script(focused) != "q"
    finally:
        page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_punctuation_and_emoji_stay_where_they_are(page: Page) -> None:
    text = "😀 𝄞 “Teh, hosptial”…  (2 nurses)!"
    typed(page, text, "😀")
    read = page.script(
        "const copy = document.querySelector('.tokens').cloneNode(true);"
        "copy.querySelectorAll('.over').forEach(e => e.remove()); return copy.textContent"
    )
    assert read == text


def test_back_leads_to_the_text_before_and_an_address_can_be_shared(page: Page, address: str) -> None:
    page.all("#examples button")[4].click()
    page.until(lambda: page.texts("#reading .mark")[:2] == ["gonna", "grab"], "the example")
    shared = page.driver.current_url
    page.driver.back()
    page.until(lambda: page.texts("#reading .mark")[:1] == ["my"], "the first text")
    opened(page, shared)
    assert page.texts("#reading .mark")[:2] == ["gonna", "grab"]


def test_another_model_reads_otherwise(page: Page) -> None:
    page.one("#model option[value='love-en']").click()
    page.until(lambda: page.texts(".token.inferred .mark") == ["docter", "leukamia"], "a model without a gate")
    assert "not calibrated" in "".join(page.texts("#reading .detail"))


def test_bad_input_is_told_and_leaves_no_older_answer(page: Page) -> None:
    page.script(
        "const field = document.querySelector('#q'); field.value = 'x'.repeat(50001);"
        "field.dispatchEvent(new Event('input'))"
    )
    page.until(lambda: page.one("#problem").is_displayed(), "the problem")
    assert "A text may have 50,000 characters. This one has 50,001" in page.one("#problem").text
    assert not page.one("#answer").is_displayed()
    page.type("#q", "?!")
    page.until(lambda: "There is no word in it." in page.texts("#reading .detail p"), "a text without words")
    page.type("#q", " ")
    page.until(lambda: not page.one("#answer").is_displayed(), "nothing to show")


def test_markup_is_text(page: Page) -> None:
    typed(page, "<img src=x onerror=alert(1)> docter", "img")
    assert page.all("#reading img") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable(page: Page, scheme: str) -> None:
    page.window(1280, 900, scheme)
    typed(page, ALL_SOURCES, "Teh")
    assert page.script(POOR_CONTRAST) == []
    assert page.script(WITHOUT_A_NAME) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_small_phone(page: Page, scheme: str) -> None:
    page.window(320, 640, scheme)
    long = "antidisestablishmentarianism" * 4
    typed(page, f"{long} and {ALL_SOURCES}", long)
    assert page.script("return document.documentElement.scrollWidth") <= 320
    assert page.script(POOR_CONTRAST) == []
