"""What the site says about the shell: pages of every command, made from its help, and the pages that show it in use."""

from __future__ import annotations

import inspect
import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from everyword.cli import main
from everyword.cli.commands import SECTIONS

FOLDER = "reference/commands"
INDEX = f"{FOLDER}/README.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHELLS = ("", "bash", "sh")
SPECIAL = re.compile(r"([*_\[\]|\\])")
"""What Markdown would read as marks in the text of help."""
SHOWN = 4
"""How many pages are named that show a command in use."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Make a page for every section of `everyword --help`."""
    uses = pages_that_use(files)
    for title, names in SECTIONS.items():
        files.append(File.generated(config, page_of(title), content=section_page(title, names, uses)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """List all commands on the first page of them."""
    return f"{markdown}\n{index()}" if page.file.src_uri == INDEX else markdown


def page_of(title: str) -> str:
    """The page of a section: "Use a model" is reference/commands/use-a-model.md."""
    return f"{FOLDER}/{title.lower().replace(' ', '-')}.md"


def index() -> str:
    """A table of all commands for every section."""
    context = click.Context(main, info_name="everyword")
    lines: list[str] = []
    for title, names in SECTIONS.items():
        lines += [f"## [{title}]({posixpath.basename(page_of(title))})", "", "| command | |", "|---|---|"]
        for name in names:
            command = main.get_command(context, name)
            assert command is not None
            link = f"{posixpath.basename(page_of(title))}#everyword-{name}"
            lines.append(f"| [`{name}`]({link}) | {plain(command.get_short_help_str(200))} |")
        lines.append("")
    return "\n".join(lines)


def section_page(title: str, names: Mapping[str, object], uses: dict[str, list[str]]) -> str:
    """A page with the help of some commands and of those inside them."""
    context = click.Context(main, info_name="everyword", max_content_width=100)
    parts = [f"# {title}\n"]
    for name in names:
        command = main.get_command(context, name)
        assert command is not None
        parts += entries(command, name, context, 2, uses)
    return "\n".join(parts)


def entries(
    command: click.Command, name: str, parent: click.Context, level: int, uses: dict[str, list[str]]
) -> Iterator[str]:
    """The help of a command, then that of the commands inside it; those that differ by a sentence share an entry."""
    context = click.Context(command, info_name=name, parent=parent, max_content_width=100)
    yield entry(command, context, level, uses)
    if isinstance(command, click.Group):
        alike: dict[str, list[tuple[click.Command, str]]] = {}
        for inner_name in command.list_commands(context):
            inner = command.get_command(context, inner_name)
            assert inner is not None
            inner_context = click.Context(inner, info_name=inner_name, parent=context)
            rest = text_of(inner)[1] + options_of(inner, inner_context)
            alike.setdefault(rest or inner_name, []).append((inner, inner_name))
        for (inner, inner_name), *others in alike.values():
            yield from entries(inner, inner_name, context, level + 1, uses)
            if others:
                yield table_of(others, context)


def table_of(others: list[tuple[click.Command, str]], parent: click.Context) -> str:
    """Commands whose help is that of the entry above it, but for the first paragraph."""
    rows = []
    for command, name in others:
        path = f"{parent.command_path} {name}"
        summary = plain(" ".join(text_of(command)[0].split()))
        rows.append(f'| <span id="{path.replace(" ", "-")}"></span>`{path}` | {summary} |')
    return "\n".join(["In the same way:", "", "| command | |", "|---|---|", *rows, ""])


def entry(command: click.Command, context: click.Context, level: int, uses: dict[str, list[str]]) -> str:
    """The help of one command as Markdown."""
    path = context.command_path
    summary, text, examples = text_of(command)
    parts = [f"{'#' * level} {path}", *paragraphs(summary), *paragraphs(text)]
    parts.append("```text\n" + command.get_usage(context).removeprefix("Usage: ") + "\n```")
    if options := options_of(command, context):
        parts.append(options)
    if examples:
        parts.append(f"```sh\n{inspect.cleandoc(examples)}\n```")
    if found := uses.get(path):
        parts.append("In use: " + " · ".join(found))
    return "\n\n".join(parts) + "\n"


def text_of(command: click.Command) -> tuple[str, str, str]:
    """The first paragraph of the help of a command, the other ones, and its examples."""
    text, _, examples = inspect.cleandoc(str(command.help)).partition("Examples:\n")
    summary, _, rest = text.partition("\n\n")
    return summary, rest.strip("\b\n "), examples


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of help; a block that keeps its lines becomes a block of text."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.startswith("\b"):
            kept = inspect.cleandoc(paragraph.removeprefix("\b\n"))
            if kept.strip("\b\n "):
                yield f"```text\n{kept}\n```"
        elif paragraph.strip():
            yield plain(" ".join(paragraph.split()))


def options_of(command: click.Command, context: click.Context) -> str:
    """A table of options, and of arguments that have a text, as help shows them."""
    records = [record for option in command.get_params(context) if (record := option.get_help_record(context))]
    rows = [f"| `{names}` | {plain(text)} |" for names, text in records if text and "--help" not in names]
    return "\n".join(["| option | |", "|---|---|", *rows]) if rows else ""


def plain(text: str) -> str:
    """Help as text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text).replace("<", "&lt;")


def pages_that_use(files: Files) -> dict[str, list[str]]:
    """Links to the pages whose examples call each command, those that call it most often first."""
    counts: dict[str, Counter[str]] = {}
    links: dict[str, str] = {}
    for file in files.documentation_pages():
        text = file.content_string
        title = text.partition("\n")[0].lstrip("# ")
        links[file.src_uri] = f"[{title}]({posixpath.relpath(file.src_uri, FOLDER)})"
        for path in (path for language, block in BLOCK.findall(text) if language in SHELLS for path in called(block)):
            counts.setdefault(path, Counter())[file.src_uri] += 1
    return {path: [links[page] for page, _ in found.most_common(SHOWN)] for path, found in counts.items()}


def called(block: str) -> Iterator[str]:
    """The commands that a block of a shell calls, such as `everyword plot clusters`."""
    for words in re.findall(r"\beveryword ([a-z-]+(?: [a-z-]+)?)", block):
        first, _, second = words.partition(" ")
        yield f"everyword {first}"
        if second:
            yield f"everyword {first} {second}"
