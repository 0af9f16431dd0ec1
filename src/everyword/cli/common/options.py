"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from everyword.errors import InputError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator = Callable[[Decorated], Decorated]

PATH = click.Path(path_type=Path)
COUNT = click.IntRange(min=1)
WRITABLE = ("word2vec", "word2vec-binary", "glove", "npy", "compact")
"""Vector formats that can be written; named here so that help need not import them."""
STRATEGIES = {
    "replace": "replaces the word's pieces (replace)",
    "linear": "is mixed into them (linear)",
    "add": "is added to them (add)",
    "slash": "follows them and a slash (slash)",
}
WHICH_WORDS = ("misspelt", "unknown", "split")
DEFAULT_RESULTS = "results"


def option(name: str, help: str, *, to: str | None = None, **extra: Any) -> Decorator[Any]:
    """Return an option; `to` is the name of its argument, and a default is shown in the help."""
    return click.option(name, *([to] if to else []), help=help, show_default="default" in extra, **extra)


def flag(name: str, help: str, **extra: Any) -> Decorator[Any]:
    """Return an option without a value."""
    return option(name, help, is_flag=True, **extra)


def file(name: str, help: str, **extra: Any) -> Decorator[Any]:
    """Return an option that names a file."""
    return option(name, help, **{"type": PATH, "metavar": "FILE", **extra})


def folder(name: str, help: str, **extra: Any) -> Decorator[Any]:
    """Return an option that names a folder."""
    return option(name, help, **{"type": PATH, "metavar": "FOLDER", **extra})


def count(name: str, help: str, **extra: Any) -> Decorator[Any]:
    """Return an option for a number from 1 up."""
    return option(name, help, **{"type": COUNT, "metavar": "N", **extra})


def choice(name: str, choices: Sequence[str], help: str, **extra: Any) -> Decorator[Any]:
    """Return an option with fixed choices."""
    return option(name, help, type=click.Choice(choices), **extra)


def text(name: str, metavar: str, help: str, **extra: Any) -> Decorator[Any]:
    """Return an option for a text."""
    return option(name, help, metavar=metavar, **extra)


def together(*options: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """Join options into one decorator; help shows them in this order."""

    def decorate(command: Decorated) -> Decorated:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def refuse_vector_file(
    _ctx: click.Context, _parameter: click.Parameter, given: str | tuple[str, ...] | None
) -> str | tuple[str, ...] | None:
    """Refuse a file where a model is needed, with advice on how to make one of it."""
    for name in (given,) if isinstance(given, str) else given or ():
        if Path(name).is_file():
            raise InputError(
                f"{name} is a file, not a model; make a model of a vector file first:  "
                f"everyword adapt {name} --output my-model"
            )
    return given


model = text(
    "--model",
    "NAME_OR_FOLDER",
    "An embedded model, a folder or a hub id such as user/model.  [default: everyword-en]",
    to="model_name",
    callback=refuse_vector_file,
)
json_lines = flag("--json", "Print JSON, one object per line.", to="as_json")
json_object = flag("--json", "Print one JSON object.", to="as_json")
overwrite = flag("--overwrite", "Replace what exists already.")
quiet = flag("--quiet", "Hide progress bars.")
run_folder = folder("--run-folder", "Checkpoint, log and prepared data.  [default: OUTPUT-run]")
resume = flag("--resume", "Resume from the checkpoint in the run folder.")
device = text("--device", "auto|cpu|cuda", "Device to compute on.", default="auto")
precision = choice(
    "--precision",
    ["float32", "bfloat16"],
    "Precision of the language model.  [default: bfloat16 on a GPU, else float32]",
)
computing = together(device, precision)
data = folder("--data", "Folder of the data sets.  [default: $EVERYWORD_DATA]")
results = folder("--results", "Where results are kept.", default=DEFAULT_RESULTS)
policy = text(
    "--policy",
    "NAME",
    "How words get vectors, as in 'everyword evaluate'.  [default: encode; zero for a vector file]",
)
format = choice("--format", WRITABLE, "Format to write.  [default: by the suffix]", to="format_name")
overrides = click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")


def output_file(help: str = "File to write; the suffix sets the format.", **extra: Any) -> Decorator[Any]:
    """Return the option --output for a file."""
    return file("--output", help, **{"required": True, **extra})


def output_folder(help: str = "Folder to save to.") -> Decorator[Any]:
    """Return the option --output for a folder."""
    return folder("--output", help, required=True)


def strategy(default: str = "replace", choices: tuple[str, ...] = tuple(STRATEGIES)) -> Decorator[Any]:
    """Return the option that says how a vector enters a language model."""
    *most, last = (STRATEGIES[name] for name in choices)
    return choice("--strategy", choices, f"How a vector enters: it {', '.join(most)} or {last}.", default=default)


def which(default: str) -> Decorator[Any]:
    """Return the option that says which words get vectors in a language model."""
    return choice(
        "--which",
        WHICH_WORDS,
        "Which of the words that the tokenizer splits get a vector: likely misspellings, all that the vectors' model "
        "does not know (unknown), or all of them (split).",
        to="words",
        default=default,
    )


def parse_numbers(text: str, option: str, example: str, number: Callable[[str], Any] = int) -> list[Any]:
    """Read numbers with commas between them."""
    try:
        return [number(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"{option} takes numbers with commas between them, as in {example}. Got {text!r} instead."
        ) from None
