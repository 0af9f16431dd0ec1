"""The command `everyword`: finds its commands by name, and ends every one of them in the same way.

A command is imported when it is called, and imports models and arrays itself, so that help is instant.
"""

from __future__ import annotations

import io
import sys
import traceback
from typing import Any, NoReturn

import click

from everyword import __version__
from everyword.cli.common.errors import INTERRUPTED, explain
from everyword.registry import Registry

COMMANDS = Registry(
    "command",
    {
        "encode": "everyword.cli.encode:encode",
        "nearest": "everyword.cli.nearest:nearest",
        "similarity": "everyword.cli.similarity:similarity",
        "explain": "everyword.cli.explain:explain",
        "serve": "everyword.cli.serve:serve",
        "adapt": "everyword.cli.adapt:adapt",
        "attach": "everyword.cli.attach:attach",
        "train": "everyword.cli.train.recipe:train",
        "distil": "everyword.cli.extract:distil",
        "contexts": "everyword.cli.contexts:contexts",
        "robustify": "everyword.cli.robustify:robustify",
        "bertram": "everyword.cli.bertram:bertram",
        "evaluate": "everyword.cli.evaluate:evaluate",
        "table": "everyword.cli.compare:table",
        "probe": "everyword.cli.cloze:probe",
        "rarify": "everyword.cli.rare_texts:rarify",
        "plot": "everyword.cli.plot:plot",
        "reproduce": "everyword.cli.reproduce.models:reproduce",
        "merge": "everyword.cli.merge:merge",
        "postprocess": "everyword.cli.postprocess:postprocess",
        "convert": "everyword.cli.convert:convert",
        "export": "everyword.cli.export:export",
        "corrupt": "everyword.cli.corrupt:corrupt",
        "info": "everyword.cli.info:info",
        "list": "everyword.cli.list:list_parts",
    },
)


class Shell(click.Group):
    """A group whose commands are looked up in `COMMANDS` and whose errors are one line each."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; a mistyped one gets a suggestion."""
        if ctx.resilient_parsing and cmd_name not in COMMANDS:  # the shell is completing, not calling
            return None
        command: click.Command = COMMANDS.get(cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; with --debug, show where an error came from before it becomes one line."""
        try:
            return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except Exception:
            if ctx.params["debug"]:
                traceback.print_exc()
            raise

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


def _end(sentence: str, code: int) -> NoReturn:
    click.echo(f"everyword: {sentence}", err=True)
    sys.exit(code)


def _write_utf8() -> None:
    """Words of all languages come out the same, whatever the locale."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


@click.group(
    "everyword",
    cls=Shell,
    # Without arguments Click would exit with an error; asking for nothing is asking for help.
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="everyword", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.pass_context
def main(ctx: click.Context, debug: bool) -> None:
    """A good vector for every word: typos, rare words, new words, names and slang.

    Results go to standard output, remarks to standard error. The exit code is 0 if all went well, 2 if something
    you gave cannot be used, 1 if everyword itself failed, 130 after Ctrl-C.

    \b
    Examples:
      everyword nearest mispelling
      everyword encode leukamia covfefe > vectors.jsonl
      everyword train --help
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
