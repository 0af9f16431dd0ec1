"""transformers: whole words as new tokens of a language model, with good vectors to start from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from everyword.arrays import FloatArray
from everyword.corpus.word_list import unique_words
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.plugins.inputs import given_model, renamed_argument
from everyword.plugins.transformers.choices import adapt_to
from everyword.plugins.transformers.word_tokens import (
    WordTokens,
    as_array,
    beside_pieces,
    check_dim,
    input_rows,
    mean_of_pieces,
    word_tokens,
    write_rows,
)
from everyword.text.normalise import listed_words
from everyword.vectors.table import VectorTable

MEAN_OF_PIECES = "mean-of-pieces"
NAMED_IN_AN_ERROR = 5
WordVectors: TypeAlias = Mapping[str, Any] | VectorTable
"""A vector for each word."""


@dataclass(frozen=True)
class AddedWords:
    """The result of `add_words`."""

    added: tuple[str, ...]
    """Words that are one token now."""
    already_there: tuple[str, ...]
    """Words that were one token before; nothing about them has changed."""
    ids: Mapping[str, int]
    """The token of each of these words; in a byte-pair vocabulary that of the word behind a blank."""
    from_pieces: tuple[str, ...] = ()
    """Added words that `vectors` knows nothing about; they start as the mean of their pieces."""


@dataclass(frozen=True)
class _New:
    """The words to add: their tokens, and the pieces they were before."""

    words: list[str]
    forms: list[list[str]]
    pieces: list[list[int]]


def add_words(
    model: Any,
    tokenizer: Any,
    words: Iterable[str],
    vectors: Model | str | Path | WordVectors | None = None,
    *,
    imputer: Any = None,
) -> AddedWords:
    """Add whole words as tokens to a language model and its tokenizer, in place; all other rows stay as they are.

    Args:
        model: A model of transformers.
        tokenizer: Its fast tokenizer, of word pieces (BERT) or byte pairs (RoBERTa).
        words: Single words, each once.
        vectors: Where the new rows come from: a Model, its name or folder, in the space of the input rows; a table or
            a dict with a vector for each word; "mean-of-pieces", the mean of the rows of the word's pieces; or None,
            the mean of that and of the default model adapted to the input rows, which comes nearest to how the model
            read the word before.
        imputer: The old name of `vectors`.

    Returns:
        Which words were added, which were tokens before, and the ids of all.

    Raises:
        InputError: If something cannot be used; nothing is changed then.
    """
    vectors = renamed_argument(vectors, imputer)
    listed = _listed(words)
    rows, tokens = input_rows(model, tokenizer), word_tokens(tokenizer)
    pieces = dict(zip(listed, tokens.pieces(listed), strict=True))
    one_piece = {word for word in listed if len(pieces[word]) == 1 and pieces[word][0] != tokenizer.unk_token_id}
    there = [word for word in listed if word in one_piece]
    new = _new_words(tokens, [word for word in listed if word not in one_piece], pieces)
    new_rows, from_pieces = _vectors(model, tokenizer, vectors, new, rows)
    if new.words:
        _add(model, tokens, new, new_rows)
    ids = {word: pieces[word][0] for word in there}
    ids |= {word: tokenizer.convert_tokens_to_ids(forms[0]) for word, forms in zip(new.words, new.forms, strict=True)}
    return AddedWords(tuple(new.words), tuple(there), ids, from_pieces)


def _listed(words: Iterable[str]) -> list[str]:
    listed = listed_words(words)
    for index, word in enumerate(listed):
        if not word or any(map(str.isspace, word)):
            raise InputError(f"A word has letters and no blanks. Item {index} is {word!r}; give single words.")
    if len(unique_words(listed)) < len(listed):
        twice = next(word for word, count in Counter(listed).items() if count > 1)
        raise InputError(f"The word {twice!r} is in the list twice; give each word once.")
    return listed


def _new_words(tokens: WordTokens, words: list[str], pieces: Mapping[str, list[int]]) -> _New:
    """Return the tokens that each word needs; a further form that the vocabulary has already is kept."""
    vocabulary = tokens.tokenizer.get_vocab()
    owner: dict[str, str] = {}
    forms = []
    for word in words:
        needed = tokens.forms(word)
        if needed[0] in vocabulary:
            raise InputError(f"{word!r} is already a piece of other words in the vocabulary; leave it out.")
        if needed[0] in owner:
            raise InputError(f"The words {owner[needed[0]]!r} and {word!r} are the same to the tokenizer; give one.")
        owner[needed[0]] = word
        forms.append([needed[0], *(form for form in needed[1:] if form not in vocabulary)])
    return _New(words, forms, [pieces[word] for word in words])


def _vectors(model: Any, tokenizer: Any, given: Any, new: _New, weight: Any) -> tuple[FloatArray, tuple[str, ...]]:
    """Return a row for each word, and the words whose row had to come from their pieces."""
    rows = as_array(weight)
    if isinstance(given, VectorTable | Mapping):
        vectors = _from_table(given, new.words)
    elif given == MEAN_OF_PIECES:
        return mean_of_pieces(rows, new.pieces), ()
    elif given is None or isinstance(given, Model | str | Path):
        source = adapt_to(model, tokenizer) if given is None else given_model(given)
        check_dim(source.dim, rows, source.name)
        vectors = source.encode(new.words)
    else:
        raise InputError(
            f"'vectors' must be None, a Model, a name, a folder, a table, a dict or {MEAN_OF_PIECES!r}. "
            f"Got {given!r}, of type {type(given).__name__}, instead."
        )
    if not new.words:
        return vectors, ()
    check_dim(vectors.shape[-1], rows, "'vectors'")
    vectors, unknown = _without_zeros(vectors, new, rows)
    if given is None:
        vectors = beside_pieces(vectors, rows, new.pieces, tokenizer.unk_token_id)
    return vectors, unknown


def _from_table(table: WordVectors, words: Sequence[str]) -> FloatArray:
    missing = [word for word in words if word not in table]
    if missing:
        more = ", ..." if len(missing) > NAMED_IN_AN_ERROR else ""
        named = ", ".join(map(repr, missing[:NAMED_IN_AN_ERROR])) + more
        raise InputError(f"The table has no vector for {len(missing):,} of {len(words):,} words ({named}); add them.")
    try:
        vectors = np.array([table[word] for word in words], dtype=np.float32)
    except (TypeError, ValueError):
        vectors = np.empty(0, dtype=np.float32)
    if words and (vectors.ndim != 2 or not np.isfinite(vectors).all()):
        raise InputError("The table must give every word a vector of finite numbers, all of one dimension.")
    return vectors


def _without_zeros(vectors: FloatArray, new: _New, rows: FloatArray) -> tuple[FloatArray, tuple[str, ...]]:
    """Start words without a vector as the mean of their pieces, which is better than zeros."""
    unknown = np.flatnonzero(~vectors.any(axis=1)).tolist()
    if unknown:
        vectors = vectors.copy()
        vectors[unknown] = mean_of_pieces(rows, [new.pieces[index] for index in unknown])
    return vectors, tuple(new.words[index] for index in unknown)


def _add(model: Any, tokens: WordTokens, new: _New, vectors: FloatArray) -> None:
    forms = [form for of_word in new.forms for form in of_word]
    of_form = [index for index, of_word in enumerate(new.forms) for _ in of_word]
    first = len(tokens.tokenizer)
    # The model first: it is what may lack the memory.
    ids = range(first, first + len(forms))
    write_rows(model, ids.stop, ids, vectors[of_form], [new.pieces[index] for index in of_form])
    tokens.add(forms)
