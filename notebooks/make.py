"""Make the notebooks from the tutorials: python notebooks/make.py. With --check, only say which are out of date.

A Python block becomes a cell, a bash block one that begins with `%%bash`, a text block the output of the cell
before it, and everything else stays Markdown. The first cell installs everyword with what the tutorial needs.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ROOT = Path(__file__).parent.parent
NOTEBOOKS = {
    "search": "everyword",
    "own-vectors": "everyword[train]",
    "classify": "everyword[train]",
    "bert": "everyword[sentence-transformers]",
}
"""Tutorials, and what has to be installed for each."""
INSTALL = "install"
"""The tag of the cell that installs everyword."""
BLOCK = re.compile(r"^```(python|bash|text)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
ITSELF = re.compile(r"^.*\.ipynb\).*\n\n", re.MULTILINE)
"""The line of a tutorial that leads to its notebook."""
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; fail if a notebook is out of date.")
def main(check: bool) -> None:
    """Write every notebook that differs from its tutorial."""
    stale = [name for name in NOTEBOOKS if kept(name) != text_of(name)]
    for name in stale:
        print(("out of date: " if check else "rewritten: ") + str(path_of(name).relative_to(ROOT)))
        if not check:
            path_of(name).write_text(text_of(name), encoding="utf-8", newline="\n")
    sys.exit(1 if check and stale else 0)


def path_of(name: str) -> Path:
    """The file of a notebook."""
    return ROOT / "notebooks" / f"{name}.ipynb"


def kept(name: str) -> str:
    """The text of the file of a notebook, if there is one."""
    return path_of(name).read_text(encoding="utf-8") if path_of(name).exists() else ""


def text_of(name: str) -> str:
    """A notebook as it should be, as the text of its file."""
    return nbformat.writes(notebook(name)) + "\n"


def notebook(name: str) -> NotebookNode:
    """The notebook of a tutorial."""
    page = f"docs/tutorials/{name}.md"
    markdown = ITSELF.sub("", (ROOT / page).read_text(encoding="utf-8")).replace("# Tutorial: ", "# ", 1)
    title, _, rest = LINK.sub(leading_from(page), markdown).removeprefix("# ").partition("\n")
    origin = f"This is [the tutorial](../{page}) as a notebook. The next cell installs everyword."
    cells = [
        new_markdown_cell(f"# {title[:1].upper()}{title[1:]}\n\n{origin}"),
        new_code_cell(f'%pip install -q "{NOTEBOOKS[name]}"', metadata={"tags": [INSTALL]}),
        *cells_of(rest),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def cells_of(markdown: str) -> Iterator[NotebookNode]:
    """The cells of a page, in order."""
    cell = None
    prose, *rest = BLOCK.split(markdown)  # and then language, block, prose, again and again
    yield from told(prose)
    for language, block, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        if language == "text":
            assert cell is not None
            cell["outputs"] = [new_output("stream", name="stdout", text=block)]
        else:
            cell = new_code_cell(("%%bash\n" if language == "bash" else "") + block.rstrip("\n"))
            yield cell
        yield from told(after)


def told(prose: str) -> Iterator[NotebookNode]:
    """A cell of Markdown, unless there is nothing to tell."""
    if prose.strip():
        yield new_markdown_cell(prose.strip("\n"))


def leading_from(page: str) -> Callable[[re.Match[str]], str]:
    """A function that makes a link of a page lead to the same file from the folder of the notebooks."""
    return lambda link: f"](../{posixpath.normpath(posixpath.join(posixpath.dirname(page), link[1]))}"


if __name__ == "__main__":
    main()
