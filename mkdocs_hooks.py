"""What the site adds to MkDocs: files outside of docs/ as pages, links that fit, and examples in docstrings as code."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent
PAGES = {"README.md": "start.md", "CONTRIBUTING.md": "contributing/README.md", "CHANGELOG.md": "changelog.md"}
"""Files of the repository's root and the pages that they become."""
NOTEBOOKS = "notebooks"
"""A folder of the repository whose notebooks can be fetched from the site."""
BOOSTS = {
    "tutorials/": 3.0,
    "how-to/": 2.0,
    "words.md": 2.0,
    "texts.md": 2.0,
    "which-tool.md": 2.0,
    "reference/commands/": 0.5,
    "changelog.md": 0.2,
    "decisions.md": 0.2,
    "studies.md": 0.2,
    "studies/": 0.2,
}
"""How much pages count in a search of the site: those that one can follow more, those that record less."""
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""A prompt and all lines up to the next empty one."""


class FencedExamples(griffe.Extension):
    """Examples in docstrings, which Markdown would take for quotations, become blocks of code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Mend the docstring of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Make the pages, and take the notebooks along."""
    for path, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / path).read_text(encoding="utf-8")))
    for notebook in sorted((ROOT / NOTEBOOKS).glob("*.ipynb")):
        files.append(File.generated(config, f"{NOTEBOOKS}/{notebook.name}", abs_src_path=str(notebook)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let each link lead where it leads on a code host, and pages that one can follow come first in a search."""
    boost = next((boost for start, boost in BOOSTS.items() if page.file.src_uri.startswith(start)), 1.0)
    page.meta.setdefault("search", {"boost": boost})
    return with_links(markdown, page.file.src_uri, files.src_uris, config.repo_url or "")


def with_links(markdown: str, page: str, pages: Collection[str], repository: str) -> str:
    """The text of a page with links that fit the site; where there is nothing to lead to, only a link's words stay."""
    place = next((path for path, name in PAGES.items() if name == page), f"docs/{page}")

    def fitting(link: re.Match[str]) -> str:
        mark, words, target, anchor = link[1], link[2], link[3], link[4] or ""
        if ":" in target:
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
        on_site = PAGES.get(path, path.removeprefix("docs/") if path.startswith(("docs/", NOTEBOOKS)) else "")
        if on_site in pages:
            return f"{mark}[{words}]({posixpath.relpath(on_site, posixpath.dirname(page) or '.')}{anchor})"
        if mark:  # a picture that is not there: let the build say so
            return link[0]
        return f"[{words}]({repository.rstrip('/')}/blob/HEAD/{path}{anchor})" if repository else words

    return LINK.sub(fitting, markdown)
