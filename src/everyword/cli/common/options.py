"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from everyword.errors import InputError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator = Callable[[Decorated], Decorated]

PATH = click.Path(path_type=Path)
COUNT = click.IntRange(min=1)
WRITABLE = ("word2vec", "word2vec-binary", "glove", "npy")
"""Vector formats that can be written; named here so that help need not import them."""
STRATEGIES = ("replace", "linear", "add", "slash")
WHICH_WORDS = ("misspelt", "unknown", "split")
DEFAULT_RESULTS = "results"


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


model_option = click.option(
    "--model",
    "model_name",
    metavar="NAME_OR_FOLDER",
    callback=refuse_vector_file,
    help="An embedded model, a folder or a hub id such as user/model.  [default: everyword-en]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line.")
one_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
overwrite_option = click.option("--overwrite", is_flag=True, help="Replace what exists already.")
quiet_option = click.option("--quiet", is_flag=True, help="Hide progress bars.")
run_folder_option = click.option(
    "--run-folder", type=PATH, metavar="FOLDER", help="Checkpoint, log and prepared data.  [default: OUTPUT-run]"
)
resume_option = click.option("--resume", is_flag=True, help="Resume from the checkpoint in the run folder.")
device_option = click.option(
    "--device", default="auto", show_default=True, metavar="auto|cpu|cuda", help="Device to compute on."
)
precision_option = click.option(
    "--precision",
    type=click.Choice(["float32", "bfloat16"]),
    help="Precision of the language model.  [default: bfloat16 on a GPU, else float32]",
)
computing_options = together(device_option, precision_option)
data_option = click.option(
    "--data", type=PATH, metavar="FOLDER", help="Folder of the data sets.  [default: $EVERYWORD_DATA]"
)
results_option = click.option(
    "--results", type=PATH, metavar="FOLDER", default=DEFAULT_RESULTS, show_default=True, help="Where results are kept."
)
policy_option = click.option(
    "--policy",
    metavar="NAME",
    help="How words get vectors, as in 'everyword evaluate'.  [default: encode; zero for a vector file]",
)
format_option = click.option(
    "--format", "format_name", type=click.Choice(WRITABLE), help="Format to write.  [default: by the suffix]"
)
overrides_argument = click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")


def output_file(help: str = "File to write; the suffix sets the format.", **extra: Any) -> Decorator[Any]:
    """Return the option --output for a file."""
    return click.option("--output", type=PATH, metavar="FILE", help=help, **{"required": True, **extra})


def output_folder(help: str = "Folder to save to.") -> Decorator[Any]:
    """Return the option --output for a folder."""
    return click.option("--output", type=PATH, metavar="FOLDER", required=True, help=help)


def strategy_option(default: str = "replace", choices: tuple[str, ...] = STRATEGIES) -> Decorator[Any]:
    """Return the option that says how a vector enters a language model."""
    return click.option(
        "--strategy",
        type=click.Choice(choices),
        default=default,
        show_default=True,
        help="How a vector enters: it replaces the word's pieces, is mixed into them (linear), is added to them (add), "
        "or follows them and a slash (slash).",
    )


def which_option(default: str) -> Decorator[Any]:
    """Return the option that says which words get vectors in a language model."""
    return click.option(
        "--which",
        "words",
        type=click.Choice(WHICH_WORDS),
        default=default,
        show_default=True,
        help="Which of the words that the tokenizer splits get a vector: likely misspellings, all that the vectors' "
        "model does not know (unknown), or all of them (split).",
    )


def parse_numbers(text: str, option: str, example: str, number: Callable[[str], Any] = int) -> list[Any]:
    """Read numbers with commas between them."""
    try:
        return [number(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"{option} takes numbers with commas between them, as in {example}. Got {text!r} instead."
        ) from None
