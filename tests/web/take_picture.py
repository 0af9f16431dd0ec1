"""Take the pictures of the pages that the docs show: `python -m web.take_picture` in the folder `tests`."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from everyword.models.load import embedded_models
from everyword.web.app import create_app
from everyword.web.model_store import ModelStore
from everyword.web.settings import Settings

from .browser import Page, browser
from .running import in_a_thread

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WIDTH, HEIGHT = 1120, 860
BELOW = 12
"""Pixels below the last thing that a picture shows."""
COLOURS = 256
"""Enough for a page of few colours, and a third of the bytes."""


def open_word(page: Page) -> None:
    """The word of the view, misspelt once more, always in the same way."""
    page.wait("#breaking .trail li", "#map .point")
    page.script("Math.random = () => 0.1")
    page.one("[data-kind=swap]").click()
    page.until(lambda: len(page.all("#breaking .trail li")) == 3, "another typo")
    page.script("document.activeElement.blur(); scrollTo(0, 0)")


def open_compare(page: Page) -> None:
    page.wait("[aria-label=symspell]")


def open_text(page: Page) -> None:
    page.wait("#corrected .said")


VIEWS = {
    "playground.png": ("/word", "#units", open_word),
    "playground-text.png": ("/", "#reading", open_text),
    "playground-search.png": ("/search", "#found", Page.wait),
    "playground-compare.png": ("/compare", "#columns", open_compare),
    "playground-map.png": ("/map", "#map", Page.wait),
    "playground-algebra.png": ("/algebra#positive=king%2C+woman&negative=man", "#near", Page.wait),
    "playground-languages.png": ("/languages", "#near", Page.wait),
    "playground-probes.png": ("/probes", "#scores", Page.wait),
}
"""Pictures, and of each the path, the last thing that it shows and what to wait for."""
BOTTOM = "return Math.ceil(document.querySelector(arguments[0]).getBoundingClientRect().bottom + scrollY)"


def main() -> None:
    """Write the pictures."""
    names = tuple(sorted(embedded_models()))
    with in_a_thread(create_app(ModelStore.load(names), Settings(names))) as address, browser() as page:
        for name, (path, last, wait) in VIEWS.items():
            page.window(WIDTH, HEIGHT)
            page.driver.get("about:blank")
            page.driver.get(address + path)
            wait(page)
            page.window(WIDTH, page.script(BOTTOM, last) + BELOW)  # type: ignore[operator]
            picture = Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
            few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
            few.save(PICTURES / name, optimize=True)
            print(f"{name}: {(PICTURES / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
