"""everyword list: everything that has a name."""

from __future__ import annotations

import inspect
from typing import Any

import click

from everyword import registry
from everyword.cli.common import options
from everyword.cli.common.output import aligned, json_text

Entry = dict[str, Any]


@click.command("list")
@options.json_object
def list_parts(as_json: bool) -> None:
    """List models, recipes, tasks and formats.

    These are the names that --model, "everyword train", "everyword reproduce", --kind, --steps, --method, --format,
    --tasks and --probe take: embedded models, recipes, studies, encoders, losses, corruptions, steps and mergers of
    spaces, ways to store tables, vector formats, tasks and probes.

    \b
    Examples:
      everyword list
      everyword list --json
    """
    from everyword.cli.reproduce import reproduce
    from everyword.cli.train import train

    parts = {
        "models": _models(),
        "recipes": _commands_of(train),
        "studies": _commands_of(reproduce),
        "encoders": _encoders(),
        "units": [_described(name, registry.unit_vocabularies.get(name)) for name in registry.unit_vocabularies],
        # Without descriptions: looking at a loss would need torch.
        "losses": [{"name": name} for name in registry.losses],
        "corruptions": [_described(name, registry.corruptions.get(name)) for name in registry.corruptions],
        "space_steps": [_described(name, registry.space_steps.get(name)) for name in registry.space_steps],
        "mergers": [_described(name, registry.mergers.get(name)) for name in registry.mergers],
        "alignment_methods": [
            _described(name, registry.alignment_methods.get(name)) for name in registry.alignment_methods
        ],
        "table_storages": [_described(name, registry.table_storages.get(name)) for name in registry.table_storages],
        "vector_formats": [_vector_format(name) for name in registry.vector_formats],
        "tasks": [_task(name) for name in registry.tasks],
        "probes": [{"name": name, "description": registry.probes.get(name).summary} for name in registry.probes],
    }
    click.echo(json_text(parts) if as_json else _as_text(parts))


def _models() -> list[Entry]:
    from everyword.models.load import DEFAULT, embedded_models
    from everyword.models.saved.config_schema import read_description

    return [
        {
            "name": name,
            "description": read_description(folder)["training"].get("summary", ""),
            "default": name == DEFAULT,
        }
        for name, folder in embedded_models().items()
    ]


def _commands_of(group: click.Group) -> list[Entry]:
    """List the commands of a group, as its help does."""
    context = click.Context(group)
    commands = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    return [{"name": name, "description": command.short_help or ""} for name, command in commands if command]


def _encoders() -> list[Entry]:
    # A forward pass is its encoder without torch, under the same name.
    passes = registry.forward_passes
    return [_described(name, passes.get(name)) if name in passes else {"name": name} for name in registry.encoders]


def _described(name: str, thing: object) -> Entry:
    return {"name": name, "description": (inspect.getdoc(thing) or "").partition("\n")[0]}


def _vector_format(name: str) -> Entry:
    form = registry.vector_formats.get(name)
    writable = form.open_sink is not None
    return {"name": name, "description": form.description, "suffixes": list(form.suffixes), "writable": writable}


def _task(name: str) -> Entry:
    from everyword.evaluation.catalogue import DATA_SETS

    task = registry.tasks.get(name)
    sets = [data.name for data in DATA_SETS if data.kind == task.kind]
    return {"name": name, "description": task.summary, "data_sets": sets}


def _as_text(parts: dict[str, list[Entry]]) -> str:
    return "\n\n".join(f"{title.replace('_', ' ')}\n{_section(entries)}" for title, entries in parts.items())


def _section(entries: list[Entry]) -> str:
    if not entries:
        return "  none"
    return aligned((f"  {entry['name']}", _remark(entry)) for entry in entries)


def _remark(entry: Entry) -> str:
    remarks = [entry.get("description", "")]
    if entry.get("default"):
        remarks.append("[default]")
    if "writable" in entry:
        remarks.append("[read and write]" if entry["writable"] else "[read]")
    if entry.get("data_sets"):
        remarks.append(f"[{', '.join(entry['data_sets'])}]")
    return " ".join(filter(None, remarks))
