"""What commands print: remarks on standard error, and results as text or as JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from everyword.vectors.table import VectorTable


def say(sentence: str) -> None:
    """Print a remark or progress on standard error."""
    click.echo(sentence, err=True)


def aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Lay out two columns of text.

    >>> print(aligned([("name", "love"), ("dimension", "100")]))
    name       love
    dimension  100
    """
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:<{width}}  {text}".rstrip() for name, text in rows)


def json_text(record: Any) -> str:
    """Lay out a record as indented JSON."""
    return json.dumps(record, indent=2, ensure_ascii=False)


def save_table(table: VectorTable, output: Path, *, format: str | None = None, remark: str = "") -> None:
    """Write vectors to a file, and say so."""
    table.save(output, format=format)
    say(f"Saved {len(table):,} vectors of dimension {table.dim}{remark} to {output}.")


def say_saved_model(output: Path) -> None:
    """Say where a model of everyword is, and how to try it."""
    say(f"Saved the model to {output}. Try it:  everyword nearest mispelling --model {shlex.quote(str(output))}")
