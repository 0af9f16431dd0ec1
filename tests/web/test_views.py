"""Every view in a real browser: readable, usable by keyboard and screen reader, small, and all from this service."""

from __future__ import annotations

import pytest

from everyword.web.views import VIEWS, View

from .browser import CHROMIUM, DRIVER, MISSING, POOR_CONTRAST, WITHOUT_A_NAME, Page

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)

SMALL = 150_000
"""Bytes of everything that a view loads before its first answer."""
LOADED = """
const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return loaded.filter(one => !one.name.includes("/v1/")).map(one => [new URL(one.name).origin, one.encodedBodySize]);
"""
WIDTH = "return document.documentElement.scrollWidth"


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_every_view_is_readable_small_and_usable_without_a_mouse(chromium: Page, address: str, view: View) -> None:
    chromium.window(1280, 900)
    chromium.driver.get("about:blank")
    chromium.driver.get(address + view.path)
    if view.name == "docs":
        chromium.until(lambda: chromium.all("details"), "the questions")
    else:
        chromium.wait()
    assert chromium.texts("nav [aria-current]") == [view.link]
    assert chromium.findings() == []
    assert chromium.script(WITHOUT_A_NAME) == []
    loaded: list[tuple[str, int]] = chromium.script(LOADED)  # type: ignore[assignment]
    assert {origin for origin, _ in loaded} == {address}, "nothing comes from elsewhere"
    assert sum(size for _, size in loaded) < SMALL
    chromium.window(320, 640, "dark")
    assert chromium.script(WIDTH) <= 320  # type: ignore[operator]
    assert chromium.script(POOR_CONTRAST) == []
    assert chromium.driver.get_log("browser") == []  # type: ignore[no-untyped-call]
