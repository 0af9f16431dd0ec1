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


def open_words(page: Page, address: str) -> None:
    """The page for words with its first word, misspelt once more."""
    page.window(WIDTH, 1790)
    page.driver.get(f"{address}/word")
    page.until(lambda: page.texts("#breaking .trail li") and page.texts("#map .point"), "the cards")
    page.one("[data-kind=swap]").click()
    page.until(lambda: len(page.all("#breaking .trail li")) == 3, "another typo")
    page.script("document.activeElement.blur()")


def open_texts(page: Page, address: str) -> None:
    """The page for texts with its first text."""
    page.window(WIDTH, 1200)
    page.driver.get(address)
    page.until(lambda: page.texts("#corrected .said"), "the corrected text")


def main() -> None:
    """Write the pictures."""
    names = tuple(sorted(embedded_models()))
    with in_a_thread(create_app(ModelStore.load(names), Settings(names))) as address, browser() as page:
        for name, open_page in (("playground.png", open_words), ("playground-texts.png", open_texts)):
            open_page(page, address)
            picture = Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
            few = picture.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
            few.save(PICTURES / name, optimize=True)
            print(f"{name}: {(PICTURES / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
