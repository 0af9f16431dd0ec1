"""everyword info: what a model or a vector file is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from everyword.cli.common import options
from everyword.cli.common.output import aligned, json_text

FIRST_WORDS = 10


@click.command()
@click.argument("model", required=False, metavar="[MODEL_OR_FILE]")
@options.json_object
def info(model: str | None, as_json: bool) -> None:
    """Describe a model or a vector file.

    For a model (an embedded name, a folder or a hub id; default: everyword-en): its size, encoder, teacher and the
    command that made it, and whether compiled code or NumPy computes its vectors; the checksums of its files are
    verified. For a vector file: its format, dimension, number of
    rows if the header has it, and first words; the rest of the file is not read.

    \b
    Examples:
      everyword info
      everyword info my-model --json
      everyword info glove.6B.100d.txt
    """
    is_file = model is not None and Path(model).is_file()
    facts = _about_file(Path(str(model))) if is_file else _about_model(model)
    click.echo(json_text(facts) if as_json else _as_text(facts))


def _about_model(name: str | None) -> dict[str, Any]:
    from everyword import kernel
    from everyword.models.load import find_model
    from everyword.models.pruned import PRUNED
    from everyword.models.saved.config_schema import read_description
    from everyword.models.saved.read import read_model

    folder = find_model(name)
    model = read_model(folder)  # compares all checksums
    record = model.record
    return {
        "name": model.name,
        "summary": record.get("summary"),
        "folder": str(folder),
        "dimension": model.dim,
        "known_words": len(model.known_words),
        "sections": model.known_words.section_sizes(),
        "stored_as": model.known_words.matrix.precision,
        "encoder": model.form_encoder.encoder,
        **({PRUNED: f"{record[PRUNED]['zeros']:.0%} zeros in the encoder"} if PRUNED in record else {}),
        "parameters": record.get("parameters"),
        "bytes_on_disk": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        "checksums_verified": list(read_description(folder)["files"]),
        "teacher": record.get("teacher", {}).get("description"),
        "teacher_checksum": record.get("teacher", {}).get("sha256"),
        "license": record.get("license"),
        "command": record.get("command"),
        "computed_by": kernel.status,
    }


def _about_file(path: Path) -> dict[str, Any]:
    from everyword.vectors.formats.guess import guess
    from everyword.vectors.problems import Problems
    from everyword.vectors.read import open_rows

    form = guess(path)
    # A bad row further down is not a reason to say nothing about the file.
    with open_rows(path, format=form.name, problems=Problems(lenient=True)) as rows:
        words, _ = next(rows.blocks, ([], None))
        return {
            "file": str(path),
            "format": form.name,
            "description": form.description,
            "dimension": rows.dim,
            "rows": rows.count,
            **({"stored_as": rows.stored_as} if rows.stored_as else {}),
            "bytes_on_disk": path.stat().st_size,
            "first_words": words[:FIRST_WORDS],
        }


def _as_text(facts: dict[str, Any]) -> str:
    return aligned((name.replace("_", " "), _text(value)) for name, value in facts.items())


def _text(value: Any) -> str:
    if value is None or value == "":
        return "not recorded"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
