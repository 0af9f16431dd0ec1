"""Sisters: is a word with the same hypernym nearer than nouns of another class?

Data: nouns with their hypernyms (WordNet). Sisters are nouns whose most frequent sense has the same direct hypernym;
rivals are drawn by seed from the nouns of other classes, so that a boat competes with feelings and foods.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np

from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task

COLUMNS = ("word", "pos", "sense_rank", "supersense", "hypernym1")
MOST, RIVALS = 5_000, 10
LARGEST_FAMILY = 100
"""A hypernym of more nouns than this says little about them."""


@dataclass(frozen=True)
class Noun:
    """A noun, its class and its hypernym."""

    word: str
    supersense: str
    hypernym: str


@dataclass(frozen=True)
class Family:
    """A noun with a sister, and rivals of other classes."""

    word: str
    sister: str
    rivals: Sequence[str]


@dataclass(frozen=True)
class SisterSet:
    """Nouns in their most frequent sense."""

    name: str
    nouns: Sequence[Noun]
    spellings: Mapping[str, str] = field(default_factory=dict)
    """Other spellings of the nouns, where they are misspelt; sisters and rivals stay clean."""

    @classmethod
    def load(cls, path: Path) -> SisterSet:
        """Read the first noun senses of word, pos, sense_rank, supersense and hypernym1 with one header line."""
        rows = (cells for _, cells in read_rows(path, "set of hypernyms", COLUMNS))
        nouns = {w: Noun(w, kind, parent) for w, pos, rank, kind, parent in rows if (pos, rank) == ("n", "1")}
        if len({noun.supersense for noun in nouns.values()}) < 2:
            raise InputError(f"{path} must hold nouns of two classes or more, with their hypernyms.")
        return cls(path.name.partition(".")[0], list(nouns.values()))

    def among(self, words: Collection[str]) -> SisterSet:
        """Return the same set with these words only."""
        return replace(self, nouns=[noun for noun in self.nouns if noun.word in words])

    def families(self, seed: int) -> list[Family]:
        """Draw a sister and ten rivals for each of at most 5,000 nouns; a misspelt copy draws the same ones."""
        sizes = Counter(noun.hypernym for noun in self.nouns)
        sisters = defaultdict[str, list[str]](list)
        for noun in self.nouns:
            sisters[noun.hypernym].append(noun.word)
        classes = {noun.supersense for noun in self.nouns}
        others = {one: [noun.word for noun in self.nouns if noun.supersense != one] for one in classes}
        able = [noun for noun in self.nouns if 2 <= sizes[noun.hypernym] <= LARGEST_FAMILY and others[noun.supersense]]
        rng = Random(seed)
        return [
            Family(
                self.spellings.get(noun.word, noun.word),
                rng.choice([word for word in sisters[noun.hypernym] if word != noun.word]),
                rng.choices(others[noun.supersense], k=RIVALS),
            )
            for noun in rng.sample(able, min(MOST, len(able)))
        ]


def run(model: EvaluatedModel, data: SisterSet, seed: int) -> Scores:
    """Score how often a sister is nearer than one rival, and than all ten; without a vector it never is."""
    families = data.families(seed)
    words = list(dict.fromkeys(word for one in families for word in (one.word, one.sister, *one.rivals)))
    known = np.array([model.known(one.word) and model.known(one.sister) for one in families])
    if not families or (model.policy == "zero" and not data.spellings and not any(map(model.known, words))):
        raise NoOverlapError(f"{data.name} has no sisters that {model.name} knows; is it of another language?")
    rows, units = {word: row for row, word in enumerate(words)}, model.units(words)
    own = units[[rows[one.word] for one in families]]
    near = np.einsum("ij,ij->i", own, units[[rows[one.sister] for one in families]])
    far = np.einsum("ij,ikj->ik", own, units[[[rows[rival] for rival in one.rivals] for one in families]])
    wins = near[:, None] > far
    scores = {"nearer": wins.mean(axis=1), "nearer_than_ten": wins.all(axis=1)}
    values: dict[str, float | None] = {name: 100 * float(won.mean()) for name, won in scores.items()}
    values |= {f"{name}_known": 100 * float(won[known].mean()) for name, won in scores.items() if known.any()}
    return Scores(values, len(families), int(known.sum()))


def misspelt(data: SisterSet, misspell: Misspell) -> SisterSet:
    """Return the same set with the nouns themselves in other spellings."""
    return replace(data, spellings={noun.word: misspell(noun.word) for noun in data.nouns})


TASK = Task(
    name="sisters",
    version=1,
    kind="hypernyms",
    summary="Is a noun with the same hypernym nearer than nouns of other classes? Share of comparisons.",
    main="nearer",
    load=SisterSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
