"""Models that make a word's vector from sentences: what the tasks about rare words evaluate, and baselines for them.

The rare word's vector comes from sentences that contain it. All other words have the vectors of a base model, and the
new vector must lie in the same space. Any function like `Infer` can be evaluated: see `ContextModel`. The baselines
need no training. They use the spelling alone, or the mean of the words around it, under the policies "form", "context"
and "context-content".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.evaluated_model import READING_SENTENCES, EvaluatedModel, evaluated_table, open_evaluated
from everyword.files import fingerprint
from everyword.vectors.neighbours import unit_rows

if TYPE_CHECKING:
    from everyword.language_models.language_model import LanguageModel

Sentences = Mapping[str, Sequence[str]]
"""Words, each with sentences that contain it."""
Infer = Callable[[Sentences], FloatArray]
"""A vector for each word, in their order; zeros for a word that the sentences tell nothing about."""
WORD = re.compile(r"\w+(?:['’-]\w+)*")
_STOP_WORDS = """
a an the this that these those such same each every either neither some any no all both few many much more most
other another own several enough
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its
itself they them their theirs themselves who whom whose which what one ones
be am is are was were been being have has had having do does did doing done will would shall should can could may
might must ought need let get got
and or but nor so yet if then else because as since while until unless though although whereas whether than
of in on at by for with about against between among into onto through during before after above below to from up
down out off over under near along across behind beyond within without upon toward towards per via
not never ever also only just very too quite rather even still already again once here there where when why how
now often always sometimes however therefore thus hence
s t d ll m re ve n't 's 't 'd 'll 'm 're 've
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English function words."""


class ContextModel(EvaluatedModel):
    """A base model that can also make vectors of words from sentences.

    Args:
        base: Gives all other words their vectors, and the candidates.
        policy: A name for how vectors are made of sentences; part of each result.
        infer: Makes a vector for each word from its sentences, in the space of `base`.
        fingerprint: A checksum of whatever decides the vectors. Without it, no result is reused.
    """

    reads_sentences = True

    def __init__(self, base: EvaluatedModel, policy: str, infer: Infer, *, fingerprint: str | None = None) -> None:
        super().__init__(base.name, policy, base.encode, base.candidates, base.spell, fingerprint=fingerprint)
        self.limited = base.limited
        self._base, self._infer = base, infer

    def known(self, word: str) -> bool:
        """Whether the base model stores the word's vector."""
        return self._base.known(word)

    def units_in(self, sentences: Sentences) -> FloatArray:
        """Make unit vectors from sentences, one row per word; zeros stay zero."""
        start = perf_counter()
        vectors = np.asarray(self._infer(sentences), dtype=np.float32)
        self.encode_seconds += perf_counter() - start
        if vectors.shape != (len(sentences), self.dim):
            raise InputError(
                f"{self.name} must return an array of shape {(len(sentences), self.dim)} for {len(sentences)} words "
                f"and their sentences. Got {vectors.shape}; the vectors must lie in the space of its known words."
            )
        self.check_finite(list(sentences), vectors)
        return unit_rows(vectors)


def reading(model: EvaluatedModel, task: str) -> ContextModel:
    """Return the model if it reads sentences; otherwise the task has no score for it."""
    if not isinstance(model, ContextModel):
        raise NoScoreError(
            f"The task {task} gives sentences, which the policy {model.policy!r} does not read; choose "
            f"{', '.join(READING_SENTENCES[:-1])} or {READING_SENTENCES[-1]}."
        )
    return model


def form_only(vectors: Callable[[Sequence[str]], FloatArray]) -> Infer:
    """Use the spelling alone and ignore the sentences."""
    return lambda sentences: vectors(list(sentences))


def mean_of_context_words(model: EvaluatedModel, *, without: Collection[str] = ()) -> Infer:
    """Use the mean over all known words of all sentences, except the word itself."""

    def infer(sentences: Sentences) -> FloatArray:
        bags = [[model.spell(other) for other in _others(word, texts)] for word, texts in sentences.items()]
        unique = dict.fromkeys(other for bag in bags for other in bag)
        known = [other for other in unique if other not in without and model.known(other)]
        row_of = {other: row for row, other in enumerate(known)}
        vectors = model.encode(known)
        means = np.zeros((len(bags), model.dim), dtype=np.float32)
        for mean, bag in zip(means, bags, strict=True):
            if rows := [row_of[other] for other in bag if other in row_of]:
                mean[:] = vectors[rows].mean(axis=0)
        return means

    return infer


def _others(word: str, texts: Iterable[str]) -> Iterable[str]:
    lowered = word.lower()
    return (other for text in texts for other in WORD.findall(text) if other.lower() != lowered)


def mean_of_pieces(ids: Callable[[Sequence[str]], Iterable[Sequence[int]]], matrix: FloatArray) -> Infer:
    """Use the mean of the input vectors of a word's pieces: what a language model itself has for it."""

    def infer(sentences: Sentences) -> FloatArray:
        pieces = ids(list(sentences))
        means = [matrix[list(row)].mean(axis=0) if row else np.zeros(matrix.shape[1]) for row in pieces]
        return np.array(means, dtype=np.float32).reshape(len(sentences), matrix.shape[1])

    return infer


def open_context_model(name: str | None, policy: str, *, candidates: int | None = None) -> ContextModel:
    """Open a model, a vector file or a language model under a policy that reads sentences."""
    form = None
    if name is not None and is_language_model(Path(name)):
        from everyword.language_models.language_model import LanguageModel

        encoder = LanguageModel.load(name, precision="float32")
        base = evaluated_inputs(encoder, candidates=candidates)
        if policy == "form":
            form = input_pieces(encoder)
    else:
        base = open_evaluated(name, candidates=candidates)
        if policy == "form":
            form = form_only(open_evaluated(name, "infer").encode)
    infer = form or mean_of_context_words(base, without=STOP_WORDS if policy == "context-content" else ())
    return ContextModel(base, policy, infer, fingerprint=base.fingerprint)


def is_language_model(folder: Path) -> bool:
    """Whether a folder holds a transformers model rather than an everyword model."""
    from everyword.models.saved.layout import CONFIG

    config = folder / CONFIG
    return config.is_file() and '"model_type"' in config.read_text(encoding="utf-8", errors="replace")


def evaluated_inputs(encoder: LanguageModel, *, candidates: int | None = None) -> EvaluatedModel:
    """Evaluate the input vectors of a language model's whole words."""
    from everyword.language_models.input_embeddings import input_table

    table, name = input_table(encoder), Path(encoder.name).name
    return evaluated_table(table, name, fingerprint=fingerprint(encoder.fingerprint()), candidates=candidates)


def input_pieces(encoder: LanguageModel) -> Infer:
    """Use the mean of the input vectors of a word's pieces, in a language model."""

    def ids(words: Sequence[str]) -> list[list[int]]:
        # With a blank before it, because byte-pair tokenizers cut a word inside a text in another way.
        rows: list[list[int]] = encoder.tokenizer([f" {word}" for word in words], add_special_tokens=False)["input_ids"]
        return rows

    return mean_of_pieces(ids, encoder.input_matrix())
