"""The context part of a saved model: n-grams, counts of words, networks and thresholds in one file."""

from __future__ import annotations

from typing import Any

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.errors import DamagedModelError
from everyword.models.model import Model
from everyword.sentences.context.features import Counts
from everyword.sentences.context.ngram_table import NgramTable
from everyword.sentences.context.reader import ContextReader, Thresholds
from everyword.sentences.context.scorer import Scorer
from everyword.sentences.context.stream import MARKS, Numbering

PART, NAME = "context", "context.v1"
WORDS, NGRAMS = "words", "n-grams"
KNOWN, UNKNOWN = "known", "unknown"
RATIO = 1.1
"""Counts of words are saved as logarithms to this base, in a byte each."""


def tensors_of(reader: ContextReader, reach: int) -> dict[str, AnyArray]:
    """Return the arrays of a context part; counts of words are saved for the first `reach` of them, and for marks."""
    counts = reader.counts.words
    kept = np.concatenate([counts[: min(reach, reader.numbering.words)], counts[reader.numbering.words :]])
    levels = np.rint(np.log(np.maximum(kept, 1)) / np.log(RATIO)).clip(0, 255)
    return {
        WORDS: levels.astype(np.uint8),
        **reader.counts.ngrams.to_tensors(NGRAMS),
        **reader.known_scorer.to_tensors(KNOWN),
        **reader.unknown_scorer.to_tensors(UNKNOWN),
    }


def described(reader: ContextReader) -> dict[str, Any]:
    """Return what the configuration of a model says of its context part."""
    thresholds = {KNOWN: reader.thresholds.known, UNKNOWN: reader.thresholds.unknown}
    return {"name": NAME, "n-grams": len(reader.counts.ngrams), "thresholds": thresholds}


def read_context(model: Model) -> ContextReader | None:
    """Return what reads the words of a model by context; None if the model has no such part.

    Raises:
        DamagedModelError: If the part is damaged, or of a version that this everyword does not read.
    """
    part = model.parts.get(PART)
    if part is None:
        return None
    part.check_name(NAME)
    tensors, numbering = part.tensors(), Numbering(model.parts_of, model.normalise)
    thresholds = part.described.get("thresholds")
    if not isinstance(thresholds, dict) or not all(_is_share(thresholds.get(name)) for name in (KNOWN, UNKNOWN)):
        raise DamagedModelError("The thresholds of the model's context part must be two numbers from 0 to 1.")
    counts = Counts(_counts(tensors, numbering), NgramTable.from_tensors(tensors, NGRAMS), numbering.words)
    scorers = Scorer.from_tensors(tensors, KNOWN), Scorer.from_tensors(tensors, UNKNOWN)
    return ContextReader(model, counts, scorers, Thresholds(thresholds[KNOWN], thresholds[UNKNOWN]), numbering)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _counts(tensors: dict[str, AnyArray], numbering: Numbering) -> FloatArray:
    levels = tensors.get(WORDS, np.empty(0))
    if levels.dtype != np.uint8 or levels.ndim != 1 or not MARKS < len(levels) <= len(numbering):
        raise DamagedModelError(
            f"The counts of words of the model's context part must be {len(numbering):,} bytes or fewer. "
            "Download or save the model again."
        )
    saved = (RATIO ** levels.astype(np.float32)).astype(np.float32)
    counts = np.ones(len(numbering), dtype=np.float32)
    counts[: len(saved) - MARKS], counts[-MARKS:] = saved[:-MARKS], saved[-MARKS:]
    return counts
