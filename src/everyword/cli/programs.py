"""A command whose first argument may name a program of its own, with its own options and help."""

from __future__ import annotations

from typing import Any

import click

from everyword.registry import Registry


class WithPrograms(click.Command):
    """Hands over to the program that is named; anything else is the command's own argument."""

    def __init__(self, *args: Any, programs: Registry, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.programs = programs

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the program, or of the command itself."""
        if args and args[0] in self.programs:
            program: click.Command = self.programs.get(args[0])
            return program.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)
