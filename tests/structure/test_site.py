"""The documentation becomes a site: whole, without a broken link, and without a word to a foreign host."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from web.browser import CHROMIUM, DRIVER, MISSING, Page, browser

from everyword.cli import main
from everyword.cli.commands import SECTIONS

from .test_examples import commands

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "form": "action"}
"""What a browser fetches, or sends, without anybody's click."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "REPOSITORY": "", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def page(site: Path, name: str) -> str:
    return (site / name / "index.html").read_text(encoding="utf-8")


class Fetched(HTMLParser):
    """Addresses that a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for name, value in attrs if name == LOADED.get(tag) and value]


def test_every_page_is_a_page_of_the_site(site: Path) -> None:
    for source in DOCS.rglob("*.md"):
        own = source.relative_to(DOCS).with_suffix("")
        assert (site / ("" if own.name == "README" else own) / "index.html").is_file(), own
    for added in ("start", "contributing", "changelog"):
        assert (site / added / "index.html").is_file(), added


def test_nothing_is_loaded_from_a_foreign_host(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        fetched = Fetched()
        fetched.feed(text)
        foreign = [address for address in fetched.addresses if re.match(r"(?:https?:)?//", address)]
        assert not foreign, path
        assert 'class="mermaid"' not in text, path  # the theme would fetch a program to draw it
    for path in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import\s)['\"]?(?:https?:)?//", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("models", ["everyword.load", "everyword.Model.encode", "everyword.Model.nearest", "everyword.adapt"]),
        ("vectors", ["everyword.vectors.VectorTable.save", "everyword.vectors.read_table"]),
        ("space", ["everyword.space.merge", "everyword.space.Pca"]),
        ("evaluation", ["everyword.evaluation.evaluated_model.open_evaluated", "everyword.evaluation.run.evaluate"]),
        ("plugins", ["everyword.plugins.transformers.robustify", "everyword.plugins.spacy.EverywordVectors"]),
        ("bertram", ["everyword.systems.bertram.Bertram.infer", "everyword.systems.bertram.BertramConfig.variant"]),
        ("contexts", ["everyword.corpus.contexts.sentences.read_sentences"]),
        ("language_models", ["everyword.language_models.templates.template_table"]),
        ("web", ["everyword.web.app.create_app", "everyword.web.settings.Limits.words"]),
        (
            "labels",
            ["everyword.systems.taggers.saved.load_tagger", "everyword.systems.classifiers.train.train_classifier"],
        ),
        (
            "learning",
            ["everyword.learning.adversarial.AdversarialTraining", "everyword.learning.pruning.prune_network"],
        ),
        ("probes", ["everyword.evaluation.probes.probe.Probe", "everyword.evaluation.probes.trees.read_tree"]),
        ("robustness", ["everyword.evaluation.robustness.attack.attack"]),
    ],
)
def test_the_reference_shows_the_public_names(site: Path, name: str, shown: list[str]) -> None:
    text = page(site, f"reference/{name}")
    for one in shown:
        assert f'id="{one}"' in text, one
    assert "<blockquote>" not in text  # what Markdown makes of the prompt of an example


def test_links_out_of_the_docs_lead_to_pages_or_stay_words(site: Path) -> None:
    assert 'href="start/"' in (site / "index.html").read_text(encoding="utf-8")
    assert 'href="../how-to/own-vectors/"' in page(site, "start")
    assert "copy love-en.toml" in page(site, "how-to/train")


@pytest.mark.parametrize(
    ("link", "page", "expected"),
    [
        ("[it](../README.md)", "README.md", "[it](start.md)"),
        ("[it](../../CONTRIBUTING.md#rooms)", "how-to/train.md", "[it](../contributing/README.md#rooms)"),
        ("[it](docs/how-to/train.md)", "start.md", "[it](how-to/train.md)"),
        ("[`it`](../../src/x.py)", "how-to/train.md", "[`it`](https://example.org/us/blob/HEAD/src/x.py)"),
        ("[it](train.md#words)", "how-to/spaces.md", "[it](train.md#words)"),
        ("[it](https://example.org/a)", "README.md", "[it](https://example.org/a)"),
        ("![it](../pictures/a.svg)", "how-to/train.md", "![it](../pictures/a.svg)"),
    ],
)
def test_a_link_leads_where_it_leads_on_a_code_host(link: str, page: str, expected: str) -> None:
    spec = importlib.util.spec_from_file_location("mkdocs_hooks", ROOT / "mkdocs_hooks.py")
    assert spec is not None
    assert spec.loader is not None
    hooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    pages = ["README.md", "start.md", "contributing/README.md", "how-to/train.md"]

    assert hooks.with_links(link, page, pages, "https://example.org/us/") == expected


def test_every_command_has_its_place_on_one_page(site: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in (site / "reference" / "commands").rglob("index.html")]
    assert len(pages) == 1 + len(SECTIONS)
    for path, _ in commands(main):
        anchor = "-".join(("everyword", *path))
        assert not path or sum(f'id="{anchor}"' in page for page in pages) == 1, path


def test_a_command_leads_to_the_pages_that_show_it(site: Path) -> None:
    text = page(site, "reference/commands/use-a-model")
    entry = text[text.index('id="everyword-correct"') : text.index('id="everyword-similarity"')]
    assert "everyword correct [OPTIONS]" in entry
    assert "<code>--keep FILE</code>" in entry
    assert 'href="../../../how-to/correct/"' in entry


def test_a_tutorial_leads_to_its_notebook(site: Path) -> None:
    assert 'href="../../notebooks/search.ipynb"' in page(site, "tutorials/search")
    assert (site / "notebooks" / "search.ipynb").read_bytes() == (ROOT / "notebooks" / "search.ipynb").read_bytes()


class QuietHandler(SimpleHTTPRequestHandler):
    """A server of files that writes no log."""

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing."""


@pytest.fixture(scope="module")
def home(site: Path) -> Iterator[str]:
    """The address of the site, served on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def window() -> Iterator[Page]:
    with browser() as window:
        yield window


@pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("typo", "tutorials/search"),
        ("misspelling", "how-to/correct"),
        ("OOV", "words"),
        ("fastText", "which-tool"),
        ("gensim", "how-to/plug-ins"),
        ("spaCy", "tutorials/spacy"),
        ("BERT", "tutorials/bert"),
        ("NER", "how-to/tag"),
        ("classifier", "tutorials/classify"),
        ("correct", "how-to/correct"),
    ],
)
def test_a_search_soon_leads_to_a_page_that_answers(window: Page, home: str, typed: str, expected: str) -> None:
    window.driver.get(f"{home}?q={typed}")
    window.until(lambda: window.all(".md-search-result__item > a"), "results")
    found = [str(link.get_attribute("href")) for link in window.all(".md-search-result__item > a")]
    pages = dict.fromkeys(address.removeprefix(home).split("?")[0].rstrip("/") for address in found)
    assert expected in [*pages][:3], [*pages]


@pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["", "use/", "gallery/", "how-to/correct/", "reference/commands/use-a-model/"])
def test_no_page_is_wider_than_its_window(window: Page, home: str, name: str, width: int) -> None:
    window.window(width, 900)
    window.driver.get(f"{home}{name}")
    assert window.script("return document.documentElement.scrollWidth") == width


@pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out_and_links_are_seen(home: str, scheme: str) -> None:
    """What axe-core holds against the pages, but for two habits of the theme: its search, and code that scrolls."""
    habits = ("aria-dialog-name", "scrollable-region-focusable")
    with browser() as fresh:  # the theme remembers the colours of the first visit
        fresh.window(1280, 900, scheme)
        for name in ("", "use/", "gallery/", "reference/commands/use-a-model/"):
            fresh.driver.get(f"{home}{name}")
            assert not [finding for finding in fresh.findings() if not finding.startswith(habits)], name
