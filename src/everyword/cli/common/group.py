"""The kinds of command and group that the shell is made of."""

from __future__ import annotations

import copy
import importlib
import io
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

import click

from everyword.cli.common.errors import INTERRUPTED, explain
from everyword.errors import UnknownNameError, did_you_mean

Target = str | Callable[[], click.Command]
"""Where a command is: "module:attribute", imported on first use, or a function that makes it."""
Sections = Mapping[str, Mapping[str, Target]]
"""Titles in the help, and below each the commands in the order in which they are shown."""


def remark_renamed(old: str, new: str) -> None:
    """Say on standard error that a name will be gone one day."""
    click.echo(f"everyword: `{old}` is now `{new}`; the old name will be removed in the next release.", err=True)


class Command(click.Command):
    """A command that still takes options under their old names."""

    def __init__(self, *args: Any, old_options: Mapping[str, str] | None = None, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.old_options = old_options or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [*self._renamed(args)])

    def _renamed(self, args: list[str]) -> Iterator[str]:
        end = args.index("--") if "--" in args else len(args)
        for index, argument in enumerate(args):
            option, equals, value = argument.partition("=")
            if index < end and option in self.old_options:
                remark_renamed(option, self.old_options[option])
                yield self.old_options[option] + equals + value
            else:
                yield argument


def named_copy(command: click.Command, name: str, summary: str) -> click.Command:
    """Return a command under another name, with a first line of its own in the help."""
    named = copy.copy(command)
    named.name, named.short_help = name, summary
    if summary:
        _, _, rest = str(command.help).partition("\n")
        named.help = f"{summary}\n{rest}"
    return named


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called or listed.

    A command is looked up among those added by a decorator, in `sections`, and at last by `find`, for names that no
    list can hold, such as files. Without a command the group shows its help. Called as a program, it turns every
    error into one line on standard error and an exit code.
    """

    command_class = Command

    def __init__(
        self,
        *args: Any,
        what: str = "command",
        sections: Sections | Callable[[], Sections] | None = None,
        find: Callable[[str], click.Command | None] = lambda name: None,
        old_names: Mapping[str, str] | None = None,
        hint: str = "",
        **extra: Any,
    ) -> None:
        # Without arguments Click would exit with an error; asking for nothing is asking for help.
        super().__init__(*args, **{**extra, "invoke_without_command": True})
        self.what, self.old_names, self.hint = what, old_names or {}, hint
        self._sections, self._find = sections or {}, find

    @property
    def sections(self) -> Sections:
        return self._sections() if callable(self._sections) else self._sections

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*(name for commands in self.sections.values() for name in commands), *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        listed = {name: target for commands in self.sections.values() for name, target in commands.items()}
        command = self.commands.get(cmd_name)
        if command is None:
            command = _imported(listed[cmd_name]) if cmd_name in listed else self._find(cmd_name)
        if command is None and not ctx.resilient_parsing:  # otherwise the shell is completing, not calling
            meant = did_you_mean(cmd_name, self.list_commands(ctx))
            path = ctx.command_path.split()[1:] if self.what == "command" else []  # without the program's own name
            raise UnknownNameError(f"There is no {self.what} {' '.join([*path, cmd_name])!r}: {meant}{self.hint}")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, *rest = args
        if name in self.old_names:
            remark_renamed(name, self.old_names[name])
            name = self.old_names[name]
        return super().resolve_command(ctx, [name, *rest])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections = {**self.sections, "Commands": {**self.sections.get("Commands", {}), **self.commands}}
        for title, names in sections.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            width = formatter.width - 6 - max((len(name) for name in names), default=0)
            rows = [(name, command.get_short_help_str(width)) for name, command in commands if command is not None]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; with --debug, show where an error came from before it becomes one line."""
        try:
            result = super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except Exception:
            if ctx.params.get("debug"):
                traceback.print_exc()
            raise
        if ctx.invoked_subcommand is None:
            click.echo(ctx.get_help())
        return result

    def main(self, *args: Any, **extra: Any) -> Any:
        """Parse, run and exit; every error becomes one line on standard error and an exit code."""
        _write_utf8()
        extra["standalone_mode"] = False  # Click would print errors in its own way
        try:
            sys.exit(super().main(*args, **extra))
        except click.Abort:
            _end("interrupted.", INTERRUPTED)
        except Exception as error:
            _end(*explain(error))


def _imported(target: Target) -> click.Command:
    if callable(target):
        return target()
    module, attribute = target.split(":")
    command: click.Command = getattr(importlib.import_module(module), attribute)
    return command


def _end(sentence: str, code: int) -> NoReturn:
    click.echo(f"everyword: {sentence}", err=True)
    sys.exit(code)


def _write_utf8() -> None:
    """Print words of all languages in the same way, whatever the locale."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
