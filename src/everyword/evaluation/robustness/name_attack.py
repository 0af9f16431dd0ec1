"""The attack on names by frequency band: names that the model knows, rarely sees or does not know; and their repair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from everyword.config import Count, Fraction, Natural, Positive
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.attack import AttackReport, Item, Predict, attack
from everyword.evaluation.robustness.attacked_sets import AttackedSet
from everyword.evaluation.robustness.names import BANDS, Bands, NameReplacer, Names, by_band, lower_case_words, words_in
from everyword.evaluation.robustness.repair import Canonical, Resemble, choose_canonical


@dataclass(frozen=True)
class NameAttackConfig:
    """How much is attacked, and how it is repaired."""

    budget: Count = 50
    """How many names are tried in each text."""
    items: Count = 200
    """How many texts with a name are attacked at most."""
    known: Count = 20_000
    """Words up to this rank are known; the others that are stored are rare."""
    canonical: Count = 1
    """How many canonical names take part in the repair."""
    candidates: Count = 10
    """Among how many of the most frequent names of each list development texts choose them."""
    confidence: Fraction = 1.0
    temperature: Positive = 2.0
    seed: Natural = 0


@dataclass(frozen=True)
class NameAttack:
    """The reports of a band."""

    plain: AttackReport
    repaired: AttackReport
    pool: int
    """How many names there are to draw from."""


def bands_of(model: EvaluatedModel, known: int = NameAttackConfig.known) -> Bands:
    """Return the function from a word to its band: known, rare or unknown."""

    def band(word: str) -> str:
        rank = model.candidate(word)
        return "unknown" if rank is None else "known" if rank < known else "rare"

    return band


@dataclass(frozen=True)
class NamePools:
    """The names of one kind that are put into the texts of a set."""

    names: Names
    """All of them, by which names are found."""
    banded: Mapping[str, Names]
    """By band, without those that occur in the training texts."""
    frequent: Names
    """Known names, for the repair."""
    ambiguous: frozenset[str]
    """Words that are names in other texts."""

    @classmethod
    def of(cls, names: Names, data: AttackedSet, bands: Bands) -> NamePools:
        """Sort names into bands; those that are also words of the texts (Joy, Gross) are not put in."""
        seen, ambiguous = words_in(data.texts), frozenset(lower_case_words(data.texts))
        banded = by_band(names.within(lambda name: name.lower() not in ambiguous), bands)
        unseen = {
            band: some.within(lambda name: not any(word in seen for word in name.split()))
            for band, some in banded.items()
        }
        return cls(names, unseen, banded[BANDS[0]], ambiguous)


def attack_names(
    predict: Predict, data: AttackedSet, pools: NamePools, config: NameAttackConfig | None = None
) -> dict[str, NameAttack]:
    """Attack the test texts of a set with names of each band, before and after repair.

    Args:
        predict: The classifier.
        data: The set.
        pools: Names of one kind.
        config: How much is attacked.

    Returns:
        What was found, by band; a band without names is left out.

    Raises:
        InputError: If no text has a name.
    """
    options, names = config or NameAttackConfig(), pools.names
    pairs = len(data.test[0].text) > 1
    finder = NameReplacer(names, names, pools.ambiguous, both=pairs)
    items = with_names(data.test, finder, options.items, options.seed)
    if not items:
        raise InputError(f"No text of {data.files.name} has a name of {names.kind}; choose another kind.")
    candidates = _candidates(pools, options.candidates)
    canonical = choose_canonical(predict, data.dev, finder, candidates, count=options.canonical)
    fixed = Resemble(predict, finder, canonical, options.confidence, options.temperature)
    found: dict[str, NameAttack] = {}
    for band, pool in pools.banded.items():
        replacer = NameReplacer(names, pool, pools.ambiguous, both=pairs)
        if not any(replacer.rewritten(item.text, 1, Random(0)) for item in items):
            continue
        plain, repaired = (
            attack(one, items, replacer, budget=options.budget, metric=data.files.metric, seed=options.seed)
            for one in (predict, fixed)
        )
        found[band] = NameAttack(plain, repaired, sum(map(len, pool.lists.values())))
    return found


def with_names(items: Sequence[Item], finder: NameReplacer, most: int, seed: int) -> list[Item]:
    """Return some of the texts that have a name, drawn at random."""
    able = [item for item in items if finder.mention(item.text) is not None]
    return Random(seed).sample(able, min(most, len(able)))


def _candidates(pools: NamePools, count: int) -> list[Canonical]:
    """Return the most frequent known names of each list, rank by rank."""
    lists = {part: (pools.frequent.lists[part] or every)[:count] for part, every in pools.names.lists.items()}
    return [{part: some[place] for part, some in lists.items()} for place in range(min(map(len, lists.values())))]
