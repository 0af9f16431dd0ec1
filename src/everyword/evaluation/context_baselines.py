"""What can be said of a rare word without training: its spelling alone, or the mean of the words around it.

Baselines for models that learn to read sentences, under the policies "form", "context" and "context-content".
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from everyword.arrays import FloatArray
from everyword.evaluation.context_vectors import ContextModel, Infer, Sentences
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_table, open_evaluated
from everyword.evaluation.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from everyword.language_models.language_model import LanguageModel

WORD = re.compile(r"\w+(?:['’-]\w+)*")


def form_only(vectors: Callable[[Sequence[str]], FloatArray]) -> Infer:
    """The sentences are not looked at."""
    return lambda sentences: vectors(list(sentences))


def mean_of_context_words(model: EvaluatedModel, *, without: Collection[str] = ()) -> Infer:
    """The mean over all known words of all sentences, the word itself left out."""

    def infer(sentences: Sentences) -> FloatArray:
        bags = [[model.spell(other) for other in _others(word, texts)] for word, texts in sentences.items()]
        rows = {other: -1 if other in without or not model.known(other) else 0 for bag in bags for other in bag}
        known = [other for other, row in rows.items() if row == 0]
        rows |= {other: row for row, other in enumerate(known)}
        vectors = model.encode(known)
        found = np.zeros((len(bags), model.dim), dtype=np.float32)
        for place, bag in enumerate(bags):
            if chosen := [row for other in bag if (row := rows[other]) >= 0]:
                found[place] = vectors[chosen].mean(axis=0)
        return found

    return infer


def mean_of_pieces(ids: Callable[[Sequence[str]], Iterable[Sequence[int]]], matrix: FloatArray) -> Infer:
    """What a language model itself has for a word: the mean of the input vectors of its pieces."""

    def infer(sentences: Sentences) -> FloatArray:
        pieces = ids(list(sentences))
        means = [matrix[list(row)].mean(axis=0) if row else np.zeros(matrix.shape[1]) for row in pieces]
        return np.array(means, dtype=np.float32).reshape(len(sentences), matrix.shape[1])

    return infer


def open_context_model(name: str | None, policy: str, *, candidates: int | None = None) -> ContextModel:
    """A model, a vector file or a language model of transformers under a policy that reads sentences."""
    if name is not None and is_language_model(Path(name)):
        return _of_language_model(name, policy, candidates)
    base = open_evaluated(name, candidates=candidates)
    form = form_only(open_evaluated(name, "infer").encode) if policy == "form" else None
    return _baseline(base, policy, form)


def _baseline(base: EvaluatedModel, policy: str, form: Infer | None) -> ContextModel:
    without = STOP_WORDS if policy == "context-content" else ()
    infer = form or mean_of_context_words(base, without=without)
    return ContextModel(base, policy, infer, fingerprint=base.fingerprint)


def is_language_model(folder: Path) -> bool:
    """Whether a folder holds a model of transformers, and not one of everyword."""
    from everyword.models.saved.layout import CONFIG

    config = folder / CONFIG
    return config.is_file() and '"model_type"' in config.read_text(encoding="utf-8", errors="replace")


def _of_language_model(name: str, policy: str, candidates: int | None) -> ContextModel:
    from everyword.language_models.language_model import LanguageModel

    model = LanguageModel.load(name, precision="float32")
    base = evaluated_inputs(model, candidates=candidates)
    return _baseline(base, policy, input_pieces(model) if policy == "form" else None)


def evaluated_inputs(model: LanguageModel, *, candidates: int | None = None) -> EvaluatedModel:
    """The input vectors of a language model's whole words."""
    from everyword.language_models.input_embeddings import input_table

    fingerprint = hashlib.sha256(model.fingerprint().encode()).hexdigest()
    return evaluated_table(input_table(model), Path(model.name).name, fingerprint=fingerprint, candidates=candidates)


def input_pieces(model: LanguageModel) -> Infer:
    """The mean of the input vectors of a word's pieces, in a language model."""

    def ids(words: Sequence[str]) -> list[list[int]]:
        # With a blank before it, because byte-pair tokenizers cut a word inside a text in another way.
        found: list[list[int]] = model.tokenizer([f" {word}" for word in words], add_special_tokens=False)["input_ids"]
        return found

    return mean_of_pieces(ids, model.input_matrix())


def _others(word: str, texts: Iterable[str]) -> Iterable[str]:
    lowered = word.lower()
    return (other for text in texts for other in WORD.findall(text) if other.lower() != lowered)
