"""The vectors that training aims at: input vectors of a language model, its own and those made for longer words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.errors import InputError
from everyword.language_models.input_embeddings import single_pieces
from everyword.language_models.language_model import LanguageModel
from everyword.vectors.table import VectorTable


def target_table(model: LanguageModel, words: Sequence[str], made: VectorTable | None = None) -> VectorTable:
    """A target for each word that is one piece, or that stands in a table of vectors made for the same model.

    All others are left out, with a warning that counts them.
    """
    if made is not None and made.dim != model.input_dim:
        raise InputError(
            f"Targets must be input vectors of {model.name}, of dimension {model.input_dim}. Got vectors of dimension "
            f"{made.dim} instead; make them by everyword extract --how one-token."
        )
    listed = unique_words(words)
    matrix = model.input_matrix()
    found = {}
    for word, piece in zip(listed, single_pieces(model, listed), strict=True):
        vector = matrix[piece] if piece is not None else made.get(word) if made is not None else None
        if vector is not None:
            found[word] = vector
    warn_left_out(
        [word for word in listed if word not in found],
        len(listed),
        f"they are not one piece to the tokenizer of {model.name} and have no target",
        "make targets for them by everyword extract --how one-token",
    )
    return VectorTable(list(found), np.stack(list(found.values())))
