"""Vectors of words put into a language model before it is evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword.cli.common import options


@dataclass(frozen=True)
class Injection:
    """What is put into a language model; nothing without vectors."""

    vectors: str | None
    strategy: str
    words: str

    def into(self, network: Any, tokenizer: Any) -> Any:
        """Return the network, changed if there are vectors to put into it."""
        if self.vectors is None:
            return network
        from everyword.plugins.transformers import robustify

        return robustify(network, tokenizer, read_vectors(self.vectors), self.strategy, words=self.words)

    def record(self) -> dict[str, str]:
        """Describe what was put in, for a result, by the names of files."""
        if self.vectors is None:
            return {}
        return {"vectors": Path(self.vectors).name, "strategy": self.strategy, "words": self.words}


def read_vectors(vectors: str | None) -> Any:
    """Read a vector file; the name of a model stays as it is."""
    if vectors is None or not Path(vectors).is_file():
        return vectors
    from everyword.vectors.table import VectorTable

    return VectorTable.load(vectors)


injection_options = options.together(
    options.text(
        "--vectors",
        "FILE_OR_MODEL",
        "Put vectors into the language model first: those of a file, for its words only, or a model's.",
    ),
    options.strategy(),
    options.which("unknown"),
)
"""Options that reach the command as `vectors`, `strategy` and `words`."""
OLD_INJECTION = {"--words": "--which"}
