"""The vectors of a model under a policy: what a task evaluates.

A model can be evaluated in several ways, so a *policy* is part of every score:

- "encode": as users get it, stored if known and inferred if not;
- "infer": every vector is made from spelling, including those of the candidates among which answers are searched;
- "zero", "mean", "spelling", "pieces": stored if known; unknown words get what a registered policy makes of the stored
  vectors. These need no training and also serve a plain table;
- "characters": like "zero", and taggers also train character features beside the vectors; other tasks refuse it;
- "form", "context", "context-content": for tasks that give sentences; a word's vector is made from its spelling alone,
  from all known words around it, or from those that are not stop words (`context_models.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from time import perf_counter

import numpy as np

from everyword import files, registry
from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.models.unknown import stored_or
from everyword.space.scorer import Scorer
from everyword.vectors.formats.fasttext import load_fasttext
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

INFERRING = ("encode", "infer")
CHARACTERS = "characters"
GIVING_VECTORS = (*INFERRING, *registry.unknown_policies)
"""Policies that only make vectors, which can be plotted too."""
READING_SENTENCES = ("form", "context", "context-content")
POLICIES = (*GIVING_VECTORS, CHARACTERS, *READING_SENTENCES)
WORDS_AT_ONCE = 8192


class EvaluatedModel:
    """A function from words to vectors, with the list of known words among which tasks search for answers.

    Args:
        name: The model's name, part of each result.
        policy: How unknown words get vectors, part of each result.
        vectors: Returns one row per word; zeros for a word without a vector.
        words: The known words, most frequent first.
        spell: Returns a word as the list of known words spells it.
        fingerprint: A checksum of whatever decides the vectors. Without it, no result is reused.
        candidates: Search for answers among this many of the first known words only.
        confidences: Returns how reliable the vectors of words are, from 0 to 1; None trusts known words only.
        scorer: How words are compared; None is by the cosine of their vectors.

    Raises:
        InputError: If `candidates` is less than 1.
    """

    reads_sentences = False
    """Whether it can make a vector from sentences that contain a word."""

    def __init__(
        self,
        name: str,
        policy: str,
        vectors: Callable[[Sequence[str]], FloatArray],
        words: Sequence[str],
        spell: Callable[[str], str],
        *,
        fingerprint: str | None = None,
        candidates: int | None = None,
        confidences: Callable[[Sequence[str]], Sequence[float | None]] | None = None,
        scorer: Scorer | None = None,
    ) -> None:
        if candidates is not None and candidates < 1:
            raise InputError(f"The number of candidates must be 1 or more. Got {candidates} instead.")
        self.name, self.policy, self.spell, self.fingerprint = name, policy, spell, fingerprint
        self.candidates = list(words[:candidates])
        """The words among which analogies, misspellings and neighbours search for their answer."""
        self.limited = len(self.candidates) < len(words)
        """Whether there are fewer candidates than known words."""
        self.encode_seconds = 0.0
        """Time spent getting vectors so far."""
        self.scorer = scorer
        """How words are compared, by tasks that can compare them in several ways; None is by cosine."""
        self._vectors, self._confidences = vectors, confidences
        self._known = frozenset(words)

    def compared_by(self, scorer: Scorer | None) -> EvaluatedModel:
        """Return the same model with another way to compare words; vectors that it has already are shared."""
        other = copy(self)
        other.scorer = scorer
        return other

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words, one row each; a word without a vector gets zeros."""
        start = perf_counter()
        vectors = self._vectors(words)
        self.encode_seconds += perf_counter() - start
        self.check_finite(words, vectors)
        return vectors

    def check_finite(self, words: Sequence[str], vectors: FloatArray) -> None:
        """Raise an InputError that names the first word whose vector is not finite."""
        if not (finite := np.isfinite(vectors).all(axis=1)).all():
            bad = words[int(np.argmin(finite))]
            raise InputError(f"{self.name} gives {bad!r} a vector that holds NaN or infinity; fix it, then score it.")

    @cached_property
    def dim(self) -> int:
        """The length of the vectors."""
        return int(self._vectors(["a"]).shape[1])

    def units(self, words: Sequence[str]) -> FloatArray:
        """Return unit vectors; zeros stay zero. Each distinct word is encoded once."""
        rows = {word: row for row, word in enumerate(dict.fromkeys(words))}
        return unit_rows(self.encode(list(rows)))[[rows[word] for word in words]]

    def known(self, word: str) -> bool:
        """Whether the word's vector is stored."""
        return self.spell(word) in self._known

    def confidences(self, words: Sequence[str]) -> list[float]:
        """Return how reliable the vectors of words are, from 0 to 1; where nothing is said, known words are trusted."""
        given = [None] * len(words) if self._confidences is None else self._confidences(words)
        return [float(self.known(word)) if one is None else one for word, one in zip(words, given, strict=True)]

    @cached_property
    def candidate_rows(self) -> dict[str, int]:
        """The row of each candidate."""
        return {word: row for row, word in enumerate(self.candidates)}

    @cached_property
    def candidate_units(self) -> FloatArray:
        """The candidates' unit vectors under this policy."""
        return np.concatenate([unit_rows(block) for block in self._candidate_blocks()])

    @cached_property
    def candidate_vectors(self) -> FloatArray:
        """The candidates' vectors under this policy, in their own lengths."""
        return np.concatenate(list(self._candidate_blocks()))

    def _candidate_blocks(self) -> Iterator[FloatArray]:
        if not self.candidates:
            raise InputError(f"{self.name} stores no words among which to search for an answer.")
        for start in range(0, len(self.candidates), WORDS_AT_ONCE):
            yield self.encode(self.candidates[start : start + WORDS_AT_ONCE])

    def candidate(self, word: str) -> int | None:
        """Return the row of a word among the candidates."""
        return self.candidate_rows.get(self.spell(word))


def evaluated_model(
    model: Model, policy: str = "encode", *, fingerprint: str | None = None, candidates: int | None = None
) -> EvaluatedModel:
    """Evaluate a model under one of the policies.

    Args:
        model: A loaded model.
        policy: One of `POLICIES` except those that read sentences.
        fingerprint: A checksum of the model. Without it, no result is reused.
        candidates: Search for answers among this many known words only.

    Returns:
        What tasks evaluate.

    Raises:
        InputError: If there is no such policy.
    """
    check_policy(policy)
    known = model.known_words
    if policy in INFERRING:
        vectors: Callable[[Sequence[str]], FloatArray] = model.encode if policy == "encode" else model.infer
    else:
        table = VectorTable.from_checked(list(known.words), known.matrix.floats())
        vectors = stored_or(_without_training(policy), table, model.normalise)
    return EvaluatedModel(
        model.name,
        policy,
        vectors,
        known.words,
        model.normalise,
        fingerprint=fingerprint,
        candidates=candidates,
        confidences=_explained(model) if policy == "encode" else None,
    )


def _explained(model: Model) -> Callable[[Sequence[str]], list[float | None]]:
    return lambda words: [explanation.confidence for explanation in model.explain(words)]


def evaluated_table(
    table: VectorTable,
    name: str,
    policy: str = "zero",
    *,
    fingerprint: str | None = None,
    candidates: int | None = None,
) -> EvaluatedModel:
    """Evaluate a plain table, in which words are looked up as they are and then in lower case.

    Args:
        table: Words and their vectors.
        name: The name of the table, part of each result.
        policy: What gives unknown words their vectors: "zero", "mean", "spelling", "pieces" or "characters".
        fingerprint: A checksum of the table. Without it, no result is reused.
        candidates: Search for answers among this many known words only.

    Returns:
        What tasks evaluate.

    Raises:
        InputError: If there is no such policy, or if it infers vectors.
    """
    check_policy(policy)
    if policy in INFERRING:
        others = ", ".join(registry.unknown_policies)
        raise InputError(f"{name} is a table of vectors and cannot infer any. Choose the policy {others} instead.")

    def spell(word: str) -> str:
        return word if word in table.index else word.lower()

    vectors = stored_or(_without_training(policy), table, spell)
    return EvaluatedModel(name, policy, vectors, table.words, spell, fingerprint=fingerprint, candidates=candidates)


def _without_training(policy: str) -> str:
    """Return the policy that gives the vectors, where a task trains the rest."""
    return "zero" if policy == CHARACTERS else policy


def open_evaluated(
    name: str | None = None, policy: str | None = None, *, candidates: int | None = None
) -> EvaluatedModel:
    """Open a model by name, folder or hub id, or a vector file, with its fingerprint.

    Args:
        name: A model's name, folder or hub id, or the path of a vector file; None for the default model.
        policy: One of `POLICIES`; None for "encode", or "zero" for a vector file that cannot infer.
        candidates: Search for answers among this many known words only.

    Returns:
        What tasks evaluate.

    Raises:
        InputError: If there is no such policy, or the file cannot be read.
        UnknownNameError: If there is no such model.
    """
    if policy in READING_SENTENCES:
        from everyword.evaluation.context_models import open_context_model

        return open_context_model(name, policy, candidates=candidates)
    if name is not None and Path(name).is_file():
        return _open_file(Path(name), policy, candidates)
    from everyword.models.load import find_model
    from everyword.models.saved.read import read_model

    folder = find_model(name)
    return evaluated_model(
        read_model(folder), policy or "encode", fingerprint=model_fingerprint(folder), candidates=candidates
    )


def model_fingerprint(folder: Path) -> str:
    """Return a checksum of what decides a saved model's vectors, which excludes its card and training record."""
    from everyword.models.saved.config_schema import read_description

    described = read_description(folder)
    return files.fingerprint({key: described[key] for key in ("normalise", "units", "encoder", "files")})


def _open_file(path: Path, policy: str | None, candidates: int | None) -> EvaluatedModel:
    from everyword.vectors.formats.guess import guess

    name, checksum = path.name.partition(".")[0], files.checksum(path)
    if policy in (None, "encode") and guess(path).name == "fasttext":
        model = load_fasttext(path)

        def vectors(words: Sequence[str]) -> FloatArray:
            return np.array([model.vector(word) for word in words], dtype=np.float32).reshape(len(words), model.dim)

        return EvaluatedModel(name, "encode", vectors, model.words, str, fingerprint=checksum, candidates=candidates)
    table = VectorTable.load(path)
    return evaluated_table(table, name, policy or "zero", fingerprint=checksum, candidates=candidates)


def check_policy(policy: str | None) -> None:
    """Raise an InputError for an unknown policy; None stands for the default."""
    if policy is not None and policy not in POLICIES:
        raise InputError(f"The policy must be {', '.join(POLICIES[:-1])} or {POLICIES[-1]}. Got {policy!r} instead.")
