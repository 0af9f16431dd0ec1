"""A tokenizer by itself: what of a language model can be sent to other processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Tokenising:
    """A fast tokenizer of transformers, and how many pieces of a text its model sees."""

    tokenizer: Any
    longest: int

    def tokenise(self, texts: Sequence[str], *, bare: bool = False) -> list[Any]:
        """Each text as an `Encoding` of the package tokenizers: its pieces, and the letters that each covers.

        `bare` leaves out the special pieces around a text and cuts nothing off.
        """
        # Not through the tokenizer of transformers, which takes several times as long to copy the same numbers.
        backend = self.tokenizer.backend_tokenizer
        backend.no_padding()
        if bare:
            backend.no_truncation()
        else:
            backend.enable_truncation(self.longest)
        return list(backend.encode_batch(list(texts), add_special_tokens=not bare))
