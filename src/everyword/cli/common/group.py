"""Commands of a command."""

from __future__ import annotations

from typing import Any

import click

from everyword.errors import UnknownNameError, did_you_mean


class Kinds(click.Group):
    """Commands in the order in which they are written; a mistyped one gets a suggestion."""

    def __init__(self, *args: Any, what: str = "command", **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.what = what

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in self.commands and not ctx.resilient_parsing:
            raise UnknownNameError(f"There is no {self.what} {cmd_name!r}: {did_you_mean(cmd_name, self.commands)}")
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they are written."""
        return list(self.commands)
