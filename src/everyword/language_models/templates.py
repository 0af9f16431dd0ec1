"""Extract a language model's vector of a word: of the bare word, or inside texts such as "the meaning of {}"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from everyword.arrays import FloatArray
from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.errors import InputError
from everyword.extras import require
from everyword.language_models.language_model import LAST_LAYER, LanguageModel
from everyword.language_models.pieces import Span, TokenizedText, batches_by_length, prefetch, tokenize_spans
from everyword.language_models.pooling import Pool, get_pool
from everyword.vectors.table import VectorTable

SLOT = "{}"
BARE = (SLOT,)
TEXTS_AT_ONCE = 8192


def template_table(
    model: LanguageModel,
    words: Sequence[str],
    templates: Sequence[str] = BARE,
    *,
    pool: str = "mean",
    layers: Sequence[int] = LAST_LAYER,
    show_progress: bool = False,
) -> VectorTable:
    """Extract a vector for each word: the mean over templates of the pooled outputs for the word in each.

    Args:
        model: The language model.
        words: The words or phrases.
        templates: Texts with one {} for the word, such as "the meaning of {}"; by default the bare word.
        pool: How to make one vector of a text: the "mean" or "max" of all its pieces, the first piece ("cls"), or the
            mean of the pieces of the word alone ("word").
        layers: The layers that are averaged; 0 is the input, -1 the last layer.
        show_progress: Show a progress bar.

    Returns:
        A table of the words. Words that the tokenizer does not know are left out, with a warning that counts them.

    Raises:
        InputError: If the tokenizer knows no word, or if there is no such template, pooling or layer.
    """
    words = unique_words(words)
    _check_templates(templates)
    model.check_layers(layers)
    make_vector = get_pool(pool)
    sums = np.zeros((len(words), model.dim), dtype=np.float32)
    seen = np.ones(len(words), dtype=bool)
    bar = require("tqdm", "The progress bar").tqdm(
        total=len(words) * len(templates), disable=not show_progress, unit="text"
    )
    with bar:
        for rows, texts in prefetch(_tokenized(model, words, templates)):
            sums[rows] += _vectors(model, texts, make_vector, layers)
            seen[rows] &= [not text.spans[0].empty for text in texts]
            bar.update(len(texts))
    warn_left_out(
        [words[row] for row in np.flatnonzero(~seen)],
        len(words),
        f"the tokenizer of {model.name} knows no pieces for them",
        "choose a model made for these letters",
    )
    return VectorTable([words[row] for row in np.flatnonzero(seen)], sums[seen] / np.float32(len(templates)))


def _check_templates(templates: Sequence[str]) -> None:
    if not templates:
        raise InputError(f"At least one template is needed, such as 'the meaning of {SLOT}'. Got none.")
    for template in templates:
        if template.count(SLOT) != 1:
            raise InputError(
                f"A template must have one {SLOT} for the word, such as 'the meaning of {SLOT}'. "
                f"Got {template!r} instead."
            )


def _tokenized(
    model: LanguageModel, words: list[str], templates: Sequence[str]
) -> Iterator[tuple[slice, list[TokenizedText]]]:
    """Yield ranges of words, and those words in one template."""
    for template in templates:
        for start in range(0, len(words), TEXTS_AT_ONCE):
            rows = slice(start, start + TEXTS_AT_ONCE)
            yield rows, tokenize_in_template(model, words[rows], template)


def _vectors(model: LanguageModel, texts: list[TokenizedText], make_vector: Pool, layers: Sequence[int]) -> FloatArray:
    order, vectors = [], []
    for batch in batches_by_length([len(text.ids) for text in texts], model.pieces_per_batch):
        outputs, mask = model.outputs([texts[index].ids for index in batch], layers)
        vectors.append(make_vector(outputs, mask, [texts[index].spans[0] for index in batch]))
        order += batch
    # One copy for many batches: a GPU need not wait for each of them.
    in_order = np.empty((len(texts), model.dim), dtype=np.float32)
    in_order[order] = torch.cat(vectors).cpu().numpy()
    return in_order


def tokenize_in_template(model: LanguageModel, words: Sequence[str], template: str) -> list[TokenizedText]:
    """Tokenize each word in the template, with the pieces of the word as the only span."""
    before, after = template.split(SLOT)
    spans = [[Span(len(before), len(before) + len(word))] for word in words]
    return tokenize_spans(model, [before + word + after for word in words], spans)
