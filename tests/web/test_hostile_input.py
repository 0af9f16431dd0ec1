"""Texts and files that nobody expects: one clear sentence for each, and the page stays alive."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

import everyword

from .browser import CHROMIUM, DRIVER, MISSING, Page

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)

LONGEST = 50_000
EMOJI = "👍🏽 is fine, 👨‍👩‍👧 too, ❤️‍🔥 and 🏳️‍🌈"
ARABIC = "مرحبا بالعالم هذا نص"
STRANGE = (
    EMOJI,
    ARABIC,
    "teh hospitl, known",
    "don't U.S.A. 3.14 1,250 $5m 50 % #ThrowbackThursday user@example.org https://example.org/a?b=c",
    "“Teh” — hosptial…\tnaïve\u00a0café ﬁne\u200b x\u0301 𝄞 东京 C++ e-mail well-beloved rock 'n' roll",
)
CHOOSE = ".file input"
Choose = Callable[[str, bytes], None]


def opened(page: Page, address: str, path: str, **question: str) -> None:
    page.driver.get("about:blank")
    page.driver.get(f"{address}{path}#{urlencode(question)}")
    page.wait()


def is_alive(page: Page) -> bool:
    page.type("#q", "bread")
    page.until(lambda: not page.one("#problem").is_displayed(), "no problem any more")
    page.wait()
    return page.one("#answer").is_displayed()


@pytest.fixture
def choose(chromium: Page, address: str, tmp_path: Path) -> Choose:
    opened(chromium, address, "/search", q="my kittten")

    def choose(name: str, content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        chromium.one(CHOOSE).send_keys(str(tmp_path / name))

    return choose


@pytest.mark.parametrize("text", STRANGE)
def test_words_are_those_of_the_library(chromium: Page, address: str, text: str) -> None:
    expected = [token.text for token in everyword.load("everyword-en").read(text)]
    opened(chromium, address, "/", q=text)
    assert chromium.texts("#reading .token .mark") == expected
    opened(chromium, address, "/word", q=text)
    assert chromium.texts("#words button") == [
        word + source for word, source in zip(expected, chromium.texts("#words small"), strict=True)
    ]


def test_the_longest_text_is_read_and_the_page_stays_quick(chromium: Page, address: str) -> None:
    opened(chromium, address, "/")
    text = ("my docter diagnosed leukamia in teh hosptial " * 2_000)[:LONGEST]
    chromium.script(
        "const field = document.querySelector('#q'); field.value = arguments[0];"
        "field.dispatchEvent(new Event('input'))",
        text,
    )
    words = len(text.split())
    chromium.until(lambda: len(chromium.texts("#reading .token")) == words, "all words")
    # Pointing at ten words takes no longer than a blink each.
    pointed = (
        "const tokens = document.querySelectorAll('.token'), begin = performance.now();"
        "for (let at = 0; at < 10; at++) tokens[700 * at].dispatchEvent(new MouseEvent('mouseenter'));"
        "return performance.now() - begin"
    )
    assert chromium.script(pointed) < 1_000  # type: ignore[operator]
    assert is_alive(chromium)


def test_text_from_right_to_left_runs_that_way(chromium: Page, address: str) -> None:
    opened(chromium, address, "/", q=ARABIC)
    first, second, *_ = (token.rect["x"] for token in chromium.all("#reading .token"))
    assert first > second
    assert chromium.script("return getComputedStyle(document.querySelector('#q')).direction") == "rtl"


def test_emoji_with_modifiers_are_one_word_each(chromium: Page, address: str) -> None:
    opened(chromium, address, "/", q=EMOJI)
    assert {"👍🏽", "👨‍👩‍👧"} <= set(chromium.texts("#reading .token.symbol .mark"))
    for word in ("👍🏽", "👨‍👩‍👧"):
        opened(chromium, address, "/word", q=word)
        assert chromium.texts("#origin .word") == [f"{word} symbol"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("cat.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 50, "cat.png is not a text file; choose one"),
        ("zeros.bin", b"\0" * 5000, "zeros.bin is not a text file; choose one"),
        ("empty.txt", b"", "empty.txt has no text."),
        ("blank.txt", b" \n\n\t\n", "blank.txt has no text."),
        ("mark.txt", b"\xef\xbb\xbf", "mark.txt has no text."),
    ],
)
def test_files_without_texts(chromium: Page, choose: Choose, name: str, content: bytes, told: str) -> None:
    choose(name, content)
    chromium.until(lambda: chromium.one("#problem").text.startswith(told), "the sentence")
    assert not chromium.one("#answer").is_displayed()
    assert chromium.texts("#among") == ["The 60 sentences of a sample."]
    assert is_alive(chromium)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("le café\nla forêt\n".encode(), "2 texts of file.txt."),
        ("le café\nla forêt\n".encode("utf-8-sig"), "2 texts of file.txt."),
        ("le café\r\nla forêt\r\n".encode("latin-1"), "2 texts of file.txt, read as Latin-1."),
        ("le café\rla forêt".encode("utf-16"), "2 texts of file.txt, read as UTF-16."),
        ("le café\nla forêt".encode("utf-16-be").join([b"\xfe\xff", b""]), "2 texts of file.txt, read as UTF-16."),
    ],
)
def test_files_in_any_encoding(chromium: Page, choose: Choose, content: bytes, told: str) -> None:
    choose("file.txt", content)
    chromium.until(lambda: chromium.texts("#among") == [told], told)
    chromium.wait()
    assert sorted(chromium.texts("#found button")) == ["la forêt", "le café"]


def test_a_large_file_is_searched_as_far_as_it_fits(chromium: Page, choose: Choose) -> None:
    choose("large.txt", "ein Kätzchen spielt im Garten\n".encode() * 1_000_000)  # 31 MB
    told = "The first 2,048 texts of large.txt; everyword serve --corpus searches all of a file."
    chromium.until(lambda: chromium.texts("#among") == [told], told)
    chromium.until(lambda: chromium.texts("#found button")[:1] == ["ein Kätzchen spielt im Garten"], "its texts")
    assert is_alive(chromium)


def test_a_large_file_of_one_line_is_cut(chromium: Page, choose: Choose) -> None:
    choose("line.txt", "né a kitten ".encode() * 200_000)
    told = "The first text of line.txt; everyword serve --corpus searches all of a file."
    chromium.until(lambda: chromium.texts("#among") == [told], told)
    chromium.until(lambda: len(chromium.texts("#found button")) == 1, "its text")
    [shown] = chromium.texts("#found button")
    assert len(shown) <= LONGEST


def test_markup_in_a_file_is_text(chromium: Page, choose: Choose) -> None:
    script = "<script>document.title='broken'</script>"
    choose("page.html.txt", f"{script}\n<img src=x onerror=alert(1)>\n".encode())
    chromium.until(lambda: script in chromium.texts("#found button"), "the markup as text")
    assert chromium.all("#found img, #found script") == []
    assert chromium.driver.title.startswith("everyword")
