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
WIDTH = 1120
COLOURS = 256
"""Enough for a page of few colours, and half of the bytes."""


def open_word(page: Page) -> None:
    """The word of the view, misspelt once more."""
    page.wait("#breaking .trail li", "#map .point")
    page.one("[data-kind=swap]").click()
    page.until(lambda: len(page.all("#breaking .trail li")) == 3, "another typo")
    page.script("document.activeElement.blur()")


def open_text(page: Page) -> None:
    page.wait("#corrected .said")


VIEWS = {
    "playground.png": ("/word", 1790, open_word),
    "playground-text.png": ("/", 860, open_text),
    "playground-search.png": ("/search", 900, Page.wait),
    "playground-compare.png": ("/compare", 740, Page.wait),
    "playground-map.png": ("/map", 1080, Page.wait),
    "playground-algebra.png": ("/algebra#expression=noble+%26+metal", 860, Page.wait),
    "playground-languages.png": ("/languages", 740, Page.wait),
    "playground-probes.png": ("/probes", 960, Page.wait),
}
"""Pictures, and the path, the height and what to wait for of each."""


def main() -> None:
    """Write the pictures."""
    names = tuple(sorted(embedded_models()))
    with in_a_thread(create_app(ModelStore.load(names), Settings(names))) as address, browser() as page:
        for name, (path, height, wait) in VIEWS.items():
            page.window(WIDTH, height)
            page.driver.get("about:blank")
            page.driver.get(address + path)
            wait(page)
            picture = Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
            few = picture.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
            few.save(PICTURES / name, optimize=True)
            print(f"{name}: {(PICTURES / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
