"""Options that put vectors of words into a language model before it is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click


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
