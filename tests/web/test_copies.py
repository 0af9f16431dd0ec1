"""What the page copies does what the page did: a link, a request by curl, a program in Python."""

from __future__ import annotations

import shlex
import subprocess
import sys
from urllib.parse import urlencode

import httpx2
import pytest

from .browser import CHROMIUM, DRIVER, MISSING, Page
from .running import PATIENCE

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)

TEXT = """it's "teh" \\n hosptial, $5m & 😡 {x} «ß»\u2028!"""
"""Characters that mean something to a shell, to JSON or to Python."""
QUESTIONS = {
    "/": {"q": TEXT},
    "/word": {"q": "it's"},
    "/search": {"q": TEXT},
    "/compare": {"q": TEXT, "other": 'a clinic\'s "ward"'},
    "/map": {"words": "hosptial, it's, 😡, $5m"},
    "/algebra": {"positive": "king, woman", "negative": "man"},
    "/algebra?": {"expression": "(rose | violet) & ~colour"},
    "/languages": {"q": "Krankenhaus"},
}
"""Views with a question each; what stands behind ? only tells two of them apart."""


@pytest.mark.parametrize("path", QUESTIONS)
def test_copies_can_be_run(chromium: Page, address: str, path: str) -> None:
    chromium.driver.get("about:blank")
    chromium.driver.get(f"{address}{path}#{urlencode(QUESTIONS[path])}")
    chromium.wait("#copies button")
    copied = {}
    for name in ("Link", "curl", "Python"):
        chromium.one(f"[data-copy={name}]").click()
        [copied[name]] = chromium.texts("#copies pre")
    assert copied["Link"] == chromium.driver.current_url
    assert httpx2.get(copied["Link"], timeout=PATIENCE).status_code == 200
    assert_answered(copied["curl"], address)
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", copied["Python"]], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


def assert_answered(command: str, address: str) -> None:
    """A shell splits the command into what the service answers."""
    curl, silent, url, header, kind, data, body = shlex.split(command)
    assert (curl, silent, header, data) == ("curl", "-s", "-H", "-d")
    assert url.startswith(f"{address}/v1/")
    name, _, value = kind.partition(": ")
    response = httpx2.post(url, content=body.encode(), headers={name: value}, timeout=PATIENCE)
    assert response.status_code == 200, response.text


def test_a_copied_link_shows_the_same_answer(chromium: Page, address: str) -> None:
    chromium.driver.get(f"{address}/word#{urlencode({'q': 'leukamia', 'model': 'everyword-en-small'})}")
    chromium.wait("#near button")
    near = chromium.texts("#near button.link")
    link = chromium.driver.current_url
    chromium.driver.get("about:blank")
    chromium.driver.get(link)
    chromium.wait("#near button")
    assert chromium.texts("#near button.link") == near
    assert chromium.script("return document.querySelector('#model').value") == "everyword-en-small"
