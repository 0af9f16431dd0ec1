"""Take the picture of the page that the docs show: `python -m web.take_picture` in the folder `tests`."""

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

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "playground.png"
SIZE = (1120, 1790)
COLOURS = 256
"""Enough for a page of few colours, and half of the bytes."""


def open_page(page: Page, address: str) -> None:
    """The page with its first word, misspelt once more."""
    page.window(*SIZE)
    page.driver.get(address)
    page.until(lambda: page.texts("#breaking .trail li") and page.texts("#map .point"), "the cards")
    page.one("[data-kind=swap]").click()
    page.until(lambda: len(page.all("#breaking .trail li")) == 3, "another typo")
    page.script("document.activeElement.blur()")


def main() -> None:
    """Write the picture."""
    names = tuple(sorted(embedded_models()))
    with in_a_thread(create_app(ModelStore.load(names), Settings(names))) as address, browser() as page:
        open_page(page, address)
        picture = Image.open(io.BytesIO(page.driver.get_screenshot_as_png()))
    picture.convert("RGB").quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
        PICTURE, optimize=True
    )
    print(f"{PICTURE.name}: {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
