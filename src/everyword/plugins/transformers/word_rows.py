"""The rows of a language model's matrices for new tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.extras import require
from everyword.plugins.transformers.word_tokens import PURPOSE


def input_rows(model: Any, tokenizer: Any) -> Any:
    """The input matrix of a model, one row a token of its tokenizer and perhaps some that are free."""
    try:
        rows = model.get_input_embeddings().weight
    except (AttributeError, NotImplementedError):
        raise InputError(
            f"A model of transformers with input embeddings is needed. Got {type(model).__name__}, which has none."
        ) from None
    if len(rows) < len(tokenizer):
        raise InputError(
            f"The tokenizer has {len(tokenizer):,} tokens and the model {len(rows):,} input rows; give the tokenizer "
            "that belongs to the model."
        )
    return rows


def check_dim(dim: int, rows: Any, name: str) -> None:
    """Refuse vectors that are no input rows."""
    if dim != rows.shape[1]:
        raise InputError(
            f"{name} gives vectors of dimension {dim}, and the model's input rows have {rows.shape[1]}; give vectors "
            "of their space, or no imputer to have them made."
        )


def mean_of_pieces(matrix: Any, pieces: Sequence[Sequence[int]]) -> FloatArray:
    """The mean of the rows, or of the biases, that the pieces of each word have; zeros for a word without pieces."""
    rows: FloatArray = matrix.detach().float().cpu().numpy()
    means = np.zeros((len(pieces), *rows.shape[1:]), dtype=np.float32)
    for place, ids in enumerate(pieces):
        if ids:
            means[place] = rows[list(ids)].mean(axis=0)
    return means


def beside_pieces(vectors: FloatArray, rows: Any, pieces: Sequence[Sequence[int]], unknown: int | None) -> FloatArray:
    """The means of vectors and of the words' pieces, where these are known.

    A word's own vector says what it means, its pieces what the layers above are used to; benchmarks/added_words.py
    measures both and their mean.
    """
    readable = np.array([bool(ids) and unknown not in ids for ids in pieces], dtype=np.bool_)
    means: FloatArray = vectors.copy()
    means[readable] = (vectors[readable] + mean_of_pieces(rows, pieces)[readable]) / 2
    return means


def write_rows(
    model: Any, tokens: int, ids: Sequence[int], vectors: FloatArray, pieces: Sequence[Sequence[int]]
) -> None:
    """Make room for so many tokens, then write the vectors of the new ones.

    Output rows, unless they are the input rows, and output biases start as the means of the words' pieces.
    """
    torch = require("torch", PURPOSE)
    if tokens > len(model.get_input_embeddings().weight):
        model.resize_token_embeddings(tokens, mean_resizing=False)
    rows = model.get_input_embeddings().weight
    output = model.get_output_embeddings()
    new = [(rows, vectors)]
    if output is not None and output.weight is not rows:
        new.append((output.weight, mean_of_pieces(output.weight, pieces)))
    if output is not None and getattr(output, "bias", None) is not None:
        new.append((output.bias, mean_of_pieces(output.bias, pieces)))
    with torch.no_grad():
        for target, values in new:
            target[list(ids)] = torch.from_numpy(values).to(target)
