"""Steps, mergers and methods of alignment as text: "centre,all-but-the-top:3,pca:256"."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from everyword import config, registry
from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.registry import Registry
from everyword.space.mergers.base import Merger
from everyword.space.steps.base import Step

if TYPE_CHECKING:
    from everyword.space.alignment.base import Method


def read_steps(steps: str | Sequence[str | Step]) -> tuple[Step, ...]:
    """Parse steps from one text with commas, or from several texts and steps.

    >>> read_steps("centre,pca:256")
    (Centre(), Pca(dims=256))
    """
    parts = [part for part in steps.split(",") if part.strip()] if isinstance(steps, str) else steps
    return tuple(_read(registry.space_steps, part) if isinstance(part, str) else part for part in parts)


def read_merger(merger: str | Merger) -> Merger:
    """Parse a merger from its name and value, such as "svd:300".

    >>> read_merger("svd:300")
    Svd(dims=300)
    """
    made: Merger = _read(registry.mergers, merger) if isinstance(merger, str) else merger
    return made


def read_alignment_method(method: str | Method) -> Method:
    """Parse a method of alignment from its name and options, such as "cca:reweight=0"."""
    made: Method = _read(registry.alignment_methods, method) if isinstance(method, str) else method
    return made


def read_part(kind: Registry, text: str) -> Any:
    """Parse one name with its values, such as "pq:64", of any registry of dataclasses."""
    return _read(kind, text)


def build_named(kind: Registry, name: str, options: dict[str, Any]) -> Any:
    """Build a step, merger or method from its name and options."""
    return config.build(kind.get(name), options, f"the {kind.kind} {name!r}")


def _read(kind: Registry, text: str) -> Any:
    """Parse "name", "name:value" or "name:option=value:option=value"; a lone value is that of the first option."""
    typed, *values = (part.strip() for part in text.split(":"))
    name = _with_version(kind, typed)
    fields = [field.name for field in dataclasses.fields(kind.get(name))]
    if values and not fields:
        raise InputError(f"The {kind.kind} {typed!r} takes no value. Got {text.strip()!r}; write {typed!r}.")
    options = {}
    for value in values:
        option, equals, given = value.rpartition("=")
        options[option if equals else fields[0]] = config.parse_value(given)
    return build_named(kind, name, options)


def _with_version(kind: Registry, typed: str) -> str:
    """Return the registered name; without a version, the latest."""
    if typed in kind:
        return typed
    versions = [name for name in kind if name.rpartition(".v")[0] == typed]
    if not versions:
        plain = {name.rpartition(".v")[0] for name in kind}
        raise UnknownNameError(f"There is no {kind.kind} {typed!r}: {did_you_mean(typed, plain)}")
    return max(versions, key=lambda name: int(name.rpartition(".v")[2]))
