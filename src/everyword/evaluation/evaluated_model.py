"""A way to get vectors: what a task judges.

A model can be judged in several ways, so a *policy* is part of every score:

- "encode": as a user gets it, stored if known and inferred if not;
- "infer": every vector made from spelling, those of the candidates among which answers are looked for too;
- "zero", "mean", "spelling", "pieces": stored if known; an unknown word gets what a registered policy makes of the
  stored ones. These need no training and also serve a plain table;
- "characters": as "zero", and a tagger trains character features beside the vectors, which other tasks cannot;
- "form", "context", "context-content": for tasks that give sentences; a word's vector is made of its spelling alone, of
  all known words around it, or of those that are no stop words (`context_way.py`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from time import perf_counter

import numpy as np

from everyword import registry
from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.models.unknown import stored_or
from everyword.vectors.formats.fasttext import FastTextModel, load_fasttext
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

INFERRING = ("encode", "infer")
CHARACTERS = "characters"
GIVING_VECTORS = (*INFERRING, *registry.unknown_policies)
"""Policies that are nothing but vectors, and so can be drawn as well."""
READING_SENTENCES = ("form", "context", "context-content")
POLICIES = (*GIVING_VECTORS, CHARACTERS, *READING_SENTENCES)
WORDS_AT_ONCE = 8192


class EvaluatedModel:
    """How words get vectors, with the list of known words among which answers are looked for."""

    reads_sentences = False
    """Whether it can make a vector of sentences that a word stands in."""

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
    ) -> None:
        self.name = name
        self.policy = policy
        self.spell = spell
        """A word as the list of known words spells it."""
        self.fingerprint = fingerprint
        """A checksum of what gives the vectors; None if it cannot be known, and then no kept result is taken for it."""
        if candidates is not None and candidates < 1:
            raise InputError(f"The number of candidates must be 1 or more. Got {candidates} instead.")
        self.candidates = list(words[:candidates])
        """The words among which analogies, misspellings and neighbours look for their answer."""
        self.limited = len(self.candidates) < len(words)
        """Whether those are fewer than all known words."""
        self.encode_seconds = 0.0
        """Time spent getting vectors so far."""
        self._vectors = vectors
        self._known = frozenset(words)

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Vectors of words, one row each; a word without one gets zeros."""
        start = perf_counter()
        vectors = self._vectors(words)
        self.encode_seconds += perf_counter() - start
        finite = np.isfinite(vectors).all(axis=1)
        if not finite.all():
            bad = words[int(np.argmin(finite))]
            raise InputError(f"{self.name} gives {bad!r} a vector that holds NaN or infinity; mend it, then score it.")
        return vectors

    @cached_property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self._vectors(["a"]).shape[1])

    def units(self, words: Sequence[str]) -> FloatArray:
        """Vectors of length 1; zeros stay zero. Each different word is encoded once."""
        rows = {word: row for row, word in enumerate(dict.fromkeys(words))}
        return unit_rows(self.encode(list(rows)))[[rows[word] for word in words]]

    def known(self, word: str) -> bool:
        """Whether the word's vector is stored."""
        return self.spell(word) in self._known

    @cached_property
    def candidate_rows(self) -> dict[str, int]:
        """The row of each candidate."""
        return {word: row for row, word in enumerate(self.candidates)}

    @cached_property
    def candidate_units(self) -> FloatArray:
        """The candidates' vectors under this policy, of length 1."""
        blocks = [
            unit_rows(self.encode(self.candidates[start : start + WORDS_AT_ONCE]))
            for start in range(0, len(self.candidates), WORDS_AT_ONCE)
        ]
        if not blocks:
            raise InputError(f"{self.name} stores no words among which an answer could be looked for.")
        return np.concatenate(blocks)

    def candidate(self, word: str) -> int | None:
        """The row of a word among the candidates."""
        return self.candidate_rows.get(self.spell(word))


def evaluated_model(
    model: Model, policy: str = "encode", *, fingerprint: str | None = None, candidates: int | None = None
) -> EvaluatedModel:
    """A model, under one of the policies."""
    check_policy(policy)
    known = model.known_words
    if policy in INFERRING:
        vectors: Callable[[Sequence[str]], FloatArray] = model.encode if policy == "encode" else model.infer
    else:
        table = VectorTable.from_checked(list(known.words), known.matrix.floats())
        vectors = stored_or(_without_training(policy), table, model.normalise)
    return EvaluatedModel(
        model.name, policy, vectors, known.words, model.normalise, fingerprint=fingerprint, candidates=candidates
    )


def evaluated_table(
    table: VectorTable,
    name: str,
    policy: str = "zero",
    *,
    fingerprint: str | None = None,
    candidates: int | None = None,
) -> EvaluatedModel:
    """A plain table: a word is looked up as it is, then in lower case; what is not there is left to the policy."""
    check_policy(policy)
    if policy in INFERRING:
        others = ", ".join(registry.unknown_policies)
        raise InputError(f"{name} is a table of vectors and can infer none. Choose the policy {others} instead.")

    def spell(word: str) -> str:
        return word if word in table.index else word.lower()

    vectors = stored_or(_without_training(policy), table, spell)
    return EvaluatedModel(name, policy, vectors, table.words, spell, fingerprint=fingerprint, candidates=candidates)


def evaluated_fasttext(
    model: FastTextModel, name: str, *, fingerprint: str | None = None, candidates: int | None = None
) -> EvaluatedModel:
    """A fastText model: every word gets the mean of its n-grams, as fastText itself does."""

    def vectors(words: Sequence[str]) -> FloatArray:
        return np.array([model.vector(word) for word in words], dtype=np.float32).reshape(len(words), model.dim)

    return EvaluatedModel(name, "encode", vectors, model.words, str, fingerprint=fingerprint, candidates=candidates)


def _without_training(policy: str) -> str:
    """What gives vectors under a policy of which the rest is trained by a task."""
    return "zero" if policy == CHARACTERS else policy


def open_evaluated(
    name: str | None = None, policy: str | None = None, *, candidates: int | None = None
) -> EvaluatedModel:
    """A model by name, folder or hub id, or a file of vectors, with the checksum that says which one it is."""
    if policy in READING_SENTENCES:
        from everyword.evaluation.context_baselines import open_context_model

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
    """One checksum of all that decides a saved model's vectors; its card and its training record do not."""
    from everyword.models.saved.config_schema import read_description

    described = read_description(folder)
    decisive = {key: described[key] for key in ("normalise", "units", "encoder", "files")}
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def _open_file(path: Path, policy: str | None, candidates: int | None) -> EvaluatedModel:
    from everyword.files import checksum
    from everyword.vectors.formats.guess import guess

    name, fingerprint = path.name.partition(".")[0], checksum(path)
    if policy in (None, "encode") and guess(path).name == "fasttext":
        return evaluated_fasttext(load_fasttext(path), name, fingerprint=fingerprint, candidates=candidates)
    return evaluated_table(
        VectorTable.load(path), name, policy or "zero", fingerprint=fingerprint, candidates=candidates
    )


def check_policy(policy: str | None) -> None:
    """Refuse what is no policy; None stands for the usual one."""
    if policy is not None and policy not in POLICIES:
        raise InputError(f"The policy must be {', '.join(POLICIES[:-1])} or {POLICIES[-1]}. Got {policy!r} instead.")
