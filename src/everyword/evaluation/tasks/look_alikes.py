"""Look-alikes: is a related word nearer than all words that only look like it?

Data: a word, a related word, and one or more look-alikes: words with the same beginning, or one or two edits away, that
have nothing to do with the word. Equal cosines count against the related word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.files import read_lines

MARGIN = 1e-6
"""Cosines that differ by less are equal."""
TRIPLES = ("word", "related", "lookalike", "frequency", "likeness")
GROUPS = ("word", "related", "lookalikes")


@dataclass(frozen=True)
class Rivals:
    """A word, a related word, and words that only look like it."""

    word: str
    related: str
    look_alikes: Sequence[str]


@dataclass(frozen=True)
class LookAlikeSet:
    """Words with a related word and look-alikes."""

    name: str
    rivals: Sequence[Rivals]
    parts: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    """Which items belong to each part of the set."""
    noisy: bool = False
    """Whether words are misspelt on purpose, so that they may all be unknown."""

    @classmethod
    def load(cls, path: Path) -> LookAlikeSet:
        """Read triples (word, related, lookalike, frequency, likeness) or groups (word, related, lookalikes)."""
        name, what = path.name.partition(".")[0], "set of look-alikes"
        if "lookalikes" in read_lines(path, what)[0].split("\t"):
            groups = [Rivals(cells[0], cells[1], cells[2].split(",")) for _, cells in read_rows(path, what, GROUPS)]
            data = cls(name, groups)
        else:
            rows = [cells for _, cells in read_rows(path, what, TRIPLES)]
            frequencies = {name: [cells[3] == name for cells in rows] for name in dict.fromkeys(row[3] for row in rows)}
            prefix = [cells[4].startswith("prefix") for cells in rows]
            parts = {**frequencies, "prefix": prefix, "edits": [not same for same in prefix]}
            data = cls(name, [Rivals(cells[0], cells[1], [cells[2]]) for cells in rows], parts)
        if not data.rivals:
            raise InputError(f"{path} holds no words; a line needs a word, a related word and look-alikes.")
        return data


def run(model: EvaluatedModel, data: LookAlikeSet, seed: int) -> Scores:
    """Score how many words have their related word nearer than every look-alike, and how many look-alikes lose.

    A word is a miss if it, its related word or all its look-alikes have no vector; single look-alikes without one are
    left out.
    """
    words = list(dict.fromkeys(w for one in data.rivals for w in (one.word, one.related, *one.look_alikes)))
    known = np.array([all(map(model.known, (one.word, one.related, *one.look_alikes))) for one in data.rivals])
    if model.policy == "zero" and not data.noisy and not any(map(model.known, words)):
        raise NoOverlapError(f"No word of {data.name} is in {model.name}; is it of another language?")
    rows, units = {word: row for row, word in enumerate(words)}, model.units(words)
    beaten = np.zeros(len(data.rivals))
    for place, one in enumerate(data.rivals):
        word, related = units[rows[one.word]], units[rows[one.related]]
        others = units[[rows[other] for other in one.look_alikes]]
        others = others[others.any(axis=1)]
        if word.any() and related.any() and len(others):
            # Sums of products, and not a product of matrices: equal vectors then have exactly equal cosines.
            beaten[place] = float(((word * related).sum() > (others * word).sum(axis=1) + MARGIN).mean())
    won = beaten == 1
    values: dict[str, float | None] = {"all_beaten": 100 * float(won.mean()), "beaten": 100 * float(beaten.mean())}
    values["all_beaten_known"] = 100 * float(won[known].mean()) if known.any() else None
    sections = {
        name: {"n": sum(members), "all_beaten": 100 * float(won[np.array(members)].mean())}
        for name, members in data.parts.items()
        if any(members)
    }
    return Scores(values, len(won), int(known.sum()), sections=sections, items={"beaten": beaten.tolist()})


def misspelt(data: LookAlikeSet, misspell: Misspell) -> LookAlikeSet:
    """Return the same groups with the word itself in another spelling; those that compete for it stay clean."""
    rivals = [replace(one, word=misspell(one.word)) for one in data.rivals]
    return replace(data, rivals=rivals, noisy=True)


TASK = Task(
    name="look-alikes",
    version=1,
    kind="look-alikes",
    summary="Is a related word nearer than words that only look like it? Share of words.",
    main="all_beaten",
    load=LookAlikeSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
