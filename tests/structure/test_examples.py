"""Every command that help or a page shows: it parses, and if all that it needs is at hand, it runs."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

import everyword
from everyword.cli import main
from everyword.cli.common import group
from everyword.cli.embed import THREADS
from everyword.models.load import embedded_models
from everyword.vectors.table import VectorTable

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHELLS = ("", "bash", "sh", "shell", "console")
PARTS = re.compile(r"\s(?:&&|\||;)\s")
QUICK = {
    *(
        "nearest",
        "encode",
        "embed",
        "search",
        "similarity",
        "explain",
        "info",
        "list",
        "corrupt",
        "convert",
        "adapt",
        "add-vectors",
    ),
    *("postprocess", "merge", "export onnx", "plot clusters", "plot pairs", "plot relations", "plot attention"),
}
"""Commands that take seconds; the others are only parsed."""
OUTPUTS = {"output", "target", "record_folder"}
MODELS = {"model", "model_name"}


@dataclass(frozen=True)
class Example:
    """One command of a line, and what the line gives it on standard input."""

    arguments: tuple[str, ...]
    fed_by: str = ""


def examples_in(line: str) -> Iterator[Example]:
    """Find the calls of everyword in a line of a shell, such as `cat words.txt | everyword nearest > found.txt`."""
    before = ""
    for part in PARTS.split(line):
        words = shlex.split(part, comments=True)
        start = next((index for index, word in enumerate(words) if word == "everyword"), None)
        prefix = words[:start]
        called = all("=" in word for word in prefix) or prefix[:1] == ["torchrun"]
        if start is not None and called:
            end = next((index for index, word in enumerate(words) if word in (">", "<")), len(words))
            fed_by = f"cat {words[end + 1]}" if words[end : end + 1] == ["<"] else before
            yield Example(tuple(words[start + 1 : end]), fed_by)
        before = part


def commands(found: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """List a command and those inside it."""
    yield path, found
    if isinstance(found, click.Group):
        context = click.Context(found)
        for name in found.list_commands(context):
            inner = found.get_command(context, name)
            assert inner is not None
            yield from commands(inner, (*path, name))


def shown_in_help() -> Iterator[str]:
    """List the lines below "Examples:"; one that goes on is indented more."""
    for path, command in commands(main):
        _, _, shown = inspect.cleandoc(str(command.help)).partition("Examples:\n")
        assert shown, path
        yield from re.sub(r"\n {4,}", " ", shown).splitlines()


def shown_on_pages() -> Iterator[str]:
    for page in PAGES:
        for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            if language in SHELLS:
                yield from block.replace("\\\n", " ").splitlines()


EXAMPLES = sorted(
    {
        example
        for line in (*shown_in_help(), *shown_on_pages())
        if "everyword " in line
        for example in examples_in(line)
    },
    key=lambda example: example.arguments,
)


def parsed(arguments: tuple[str, ...]) -> tuple[str, click.Context]:
    """Parse a call without running it; return the name of its command, and what it was given."""
    context = main.make_context("everyword", [*arguments])
    names: list[str] = []
    while isinstance(context.command, click.Group) and (rest := [*context._protected_args, *context.args]):
        name, command, rest = context.command.resolve_command(context, rest)
        assert name is not None
        assert command is not None
        context = command.make_context(name, rest, parent=context)
        names.append(name)
    return " ".join(names), context


def test_there_are_many() -> None:
    assert len(EXAMPLES) > 150


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: shlex.join(example.arguments))
def test_it_parses_under_present_names(example: Example, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(old: str, new: str) -> None:
        raise AssertionError(f"{old} is now {new}")

    monkeypatch.setattr(group, "remark_renamed", refuse)
    monkeypatch.chdir(tmp_path)
    if example.arguments[-1:] not in (("--help",), ("-h",)):
        parsed(example.arguments)


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with the files that the examples name most often."""
    folder = tmp_path_factory.mktemp("sandbox")
    model = everyword.load()
    words = [word for word in model.known_words.words[:600] if word.isalpha()][:400]
    table = VectorTable(words, model.encode(words))
    for name in ("my-vectors.vec", "vectors.vec", "glove.vec", "other.vec", "other.npy", "scraped.vec"):
        table.save(folder / name)
    table.save(folder / "glove.6B.100d.txt", format="glove")
    VectorTable(words[:20], table.matrix[:20]).save(folder / "later.vec")
    everyword.adapt(table).save_pretrained(folder / "my-model")
    (folder / "words.txt").write_text("mispelling\nleukamia\n\ncovfefe\n")
    (folder / "pairs.tsv").write_text("leukamia\tleukemia\n")
    (folder / "misspellings.tsv").write_text("goverment\tgovernment\nbeleive\tbelieve\n")
    (folder / "capitals.tsv").write_text("france\tparis\nspain\tmadrid\nitaly\trome\n")
    (folder / "mine.tsv").write_text("cat\tanimal\ndog\tanimal\nrose\tplant\ntulip\tplant\n")
    (folder / "corpus.jsonl").write_text('{"text": "Treatment of leukemia"}\n{"text": "How to bake bread"}\n')
    (folder / "reviews.jsonl").write_text('{"id": 1, "body": "Friendly staff"}\n')
    (folder / "reviews.csv").write_text("id,review\n1,Friendly staff\n2,A bad breakfast\n")
    (folder / "texts.txt").write_text("Friendly staff\nA bad breakfast\n")
    (folder / "queries.txt").write_text("frendly stuff\n")
    for name in ("reviews.txt", "clean.txt"):
        (folder / name).write_text("A modern hospital with friendly doctors.\n")
    return folder


def is_at_hand(command: str, context: click.Context) -> bool:
    """Return whether a call takes seconds and everything that it reads exists."""
    given = {name: value for name, value in context.params.items() if name not in OUTPUTS and value is not None}
    paths = [path for value in given.values() for path in (value if isinstance(value, tuple) else (value,))]
    models = [value for name, value in given.items() if name in MODELS]
    return (
        command in QUICK
        and all(path.exists() for path in paths if isinstance(path, Path))
        and all(Path(name).exists() for name in given.get("inputs", ()))
        and all(Path(name).exists() or name in embedded_models() for name in models)
    )


def standard_input(fed_by: str) -> str:
    program, *words = shlex.split(fed_by) or [""]
    if program == "echo":
        return " ".join(words) + "\n"
    return Path(words[-1]).read_text() if program in ("cat", "sort") else ""


def test_what_is_at_hand_runs(sandbox: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sandbox)
    for name in THREADS:
        monkeypatch.setenv(name, "1")  # as "embed" does
    ran: dict[str, int] = {}
    for example in EXAMPLES:
        if example.arguments[-1:] in (("--help",), ("-h",)):
            continue
        command, context = parsed(example.arguments)
        if is_at_hand(command, context):
            again = ["--overwrite"] if "overwrite" in context.params else []
            done = CliRunner().invoke(main, [*example.arguments, *again], input=standard_input(example.fed_by))
            assert done.exit_code == 0, f"{shlex.join(example.arguments)}: {done.stderr}"
            ran[command] = ran.get(command, 0) + 1
    assert set(ran) == QUICK
    assert sum(ran.values()) > 45
    assert np.load(sandbox / "vectors.npy").shape[0] == 4, "a row for every line"
