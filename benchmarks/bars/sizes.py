"""How the number of stored words trades what is known against typos that are words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bars.meaning import kinds_part, similarity_part
from bars.reading import birkbeck_part, typos_part
from bars.subject import Subject

SIZES = (50_000, 100_000, 150_000, 256_000)
"""How many of the most frequent English words are stored; the whole model has phrases and foreign words besides."""


def sizes_part(subject: Subject) -> dict[str, Any] | None:
    """Score the model as if it stored fewer words."""
    if subject.development:
        return None
    known = subject.model.known_words
    models = {size: subject.model.without(known.words[size : len(known)]) for size in SIZES}
    models[len(known)] = subject.model
    return {
        "metric": "as in the parts of the same name; everything but the stored words is the same",
        "sizes": {str(size): _scores(replace(subject, model=model, notes=None)) for size, model in models.items()},
    }


def _scores(subject: Subject) -> dict[str, float]:
    typos, birkbeck = typos_part(subject), birkbeck_part(subject)
    assert typos is not None
    return {
        "six sets": similarity_part(subject)["encode"]["mean"],
        "kinds": kinds_part(subject)["hit@10"],
        "typos that are stored": typos["typos_that_are_stored"],
        "typos, kept": typos["kept"]["typo"],
        "typos, kept of oracle": typos["kept_of_oracle"],
        "birkbeck": birkbeck["unlisted"]["contenders"]["everyword"]["mrr"],
    }
