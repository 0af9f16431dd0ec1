"""Vectors of words put into a language model, before it is asked or for good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from everyword.cli.common.checks import check_place
from everyword.cli.common.errors import warnings_as_lines
from everyword.errors import InputError
from everyword.extras import require


@dataclass(frozen=True)
class Injection:
    """What is put into a language model; nothing without vectors."""

    vectors: str | None
    strategy: str
    words: str

    def into(self, network: Any, tokenizer: Any) -> Any:
        """The network, changed if there is something to put into it."""
        if self.vectors is None:
            return network
        from everyword.plugins.transformers import robustify
        from everyword.vectors.table import VectorTable

        given = VectorTable.load(self.vectors) if Path(self.vectors).is_file() else self.vectors
        return robustify(network, tokenizer, given, self.strategy, words=self.words)

    def record(self) -> dict[str, str]:
        """For a result: what was put in, by the names of files."""
        if self.vectors is None:
            return {}
        return {"vectors": Path(self.vectors).name, "strategy": self.strategy, "words": self.words}


def injecting(command: Callable[..., None]) -> Callable[..., None]:
    """The options, which reach the command as `vectors`, `strategy` and `words`."""
    for option in (
        click.option("--words", default="unknown", show_default=True, help="Of a model: misspelt, unknown or split."),
        click.option("--strategy", default="replace", show_default=True, help="replace, linear, add or slash."),
        click.option(
            "--vectors",
            metavar="FILE_OR_MODEL",
            help="Put vectors into the language model: those of a file, for its words only, or a model's.",
        ),
    ):
        command = option(command)
    return command


def write_robust(
    language_model: str, imputer: Any, output: Path, *, strategy: str, words: str, overwrite: bool
) -> None:
    """A language model with vectors put into it, as a folder; everything is checked before it is loaded."""
    check_place(output, "a language model is saved to a folder")
    if (output / "config.json").exists() and not overwrite:
        raise InputError(f"{output} holds a model already; choose another --out, or replace it with --overwrite.")
    require("transformers", "Putting vectors into a language model")
    from everyword.language_models.heads import load_as_saved, save_for_transformers
    from everyword.plugins.transformers import robustify

    with warnings_as_lines():
        network, tokenizer = load_as_saved(language_model)
        save_for_transformers(robustify(network, tokenizer, imputer, strategy, words=words), tokenizer, output)
