"""The views of the playground: each is the content of a page, put into the frame that all of them share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, RedirectResponse

PAGE = Path(str(files("everyword.web") / "page"))


@dataclass(frozen=True)
class View:
    """One page: `page/NAME.html` is its content, `page/NAME.js` its script."""

    path: str
    name: str
    link: str
    summary: str
    takes_query: bool = True
    """Whether the question of another view is a question for this one too."""


VIEWS = (
    View("/", "text", "Text", "See how each word of a text is read, and the text put right."),
    View("/word", "word", "Word", "See where the vector of a word comes from, and try to break it."),
    View("/search", "search", "Search", "Search sentences by meaning, typos included."),
    View("/compare", "compare", "Compare", "See models, and a spelling corrector, side by side."),
    View(
        "/map",
        "map",
        "Map",
        "Lay words out on a plane, misspellings joined to their words.",
        takes_query=False,
    ),
    View("/algebra", "algebra", "Algebra", "Add, take away and join words.", takes_query=False),
    View("/languages", "languages", "Languages", "Look a word up across languages."),
    View("/probes", "probes", "Probes", "See what vectors know, by probes.", takes_query=False),
    View("/docs", "docs", "API", "The questions of the JSON API, to read and to try.", takes_query=False),
)
MOVED = {"/texts": "/"}
"""Paths of earlier versions."""


def add_views(app: FastAPI) -> None:
    """Add a route for each view; none of them is part of the API."""
    for view in VIEWS:
        app.add_api_route(view.path, _shown(view), include_in_schema=False, response_class=HTMLResponse)
    for old, new in MOVED.items():
        app.add_api_route(old, _moved(new), include_in_schema=False, response_class=RedirectResponse)


def _shown(view: View) -> Callable[[], Awaitable[HTMLResponse]]:
    async def page() -> HTMLResponse:
        return HTMLResponse(html_of(view))

    return page


def _moved(path: str) -> Callable[[], Awaitable[RedirectResponse]]:
    async def page() -> RedirectResponse:
        return RedirectResponse(path)

    return page


@cache
def html_of(view: View) -> str:
    """Return the whole page of a view."""
    frame = Template((PAGE / "frame.html").read_text(encoding="utf-8"))
    return frame.substitute(
        name=view.name,
        title="everyword" if view.path == "/" else f"everyword: {escape(view.link.lower())}",
        summary=escape(view.summary),
        links="\n      ".join(_link(other, here=other is view) for other in VIEWS),
        content=(PAGE / f"{view.name}.html").read_text(encoding="utf-8").strip(),
    )


def _link(view: View, *, here: bool) -> str:
    current = ' aria-current="page"' if here else ""
    takes = " data-takes-query" if view.takes_query else ""
    return f'<a href="{view.path}"{takes}{current}>{escape(view.link)}</a>'
