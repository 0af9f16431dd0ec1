"""Train, dev and test: given, or cut by seed where a data set has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from everyword.errors import InputError
from everyword.evaluation.tasks.extrinsic.tagged_data import TaggedSentences
from everyword.evaluation.tasks.extrinsic.texts import Texts

D = TypeVar("D", bound=Texts | TaggedSentences)


@dataclass(frozen=True)
class Splits(Generic[D]):
    """What a task is trained on, chosen by, and scored on."""

    train: D
    dev: D
    test: D
    home: Path | None = None
    """The folder that it was read from, where noisy copies may lie beside it."""


def chosen(data: D, places: Sequence[int], name: str) -> D:
    """Some of the items, in the order of the places."""
    what = "labels" if isinstance(data, Texts) else "tags"
    parts: dict[str, Any] = {part: tuple(getattr(data, part)[place] for place in places) for part in ("tokens", what)}
    return replace(data, name=name, **parts)


def cut_to(data: D, items: int | None, seed: int = 0) -> D:
    """So many items, drawn by seed and left in their order; all of them if there are no more, or for None."""
    if items is None or items >= len(data):
        return data
    order = np.random.default_rng(seed).permutation(len(data))
    return chosen(data, sorted(int(place) for place in order[:items]), data.name)


def cut_dev(train: D, share: float = 0.1, seed: int = 0) -> tuple[D, D]:
    """Cut a dev set from train: the same one for the same seed, whatever is trained on it."""
    if not 0 < share < 1:
        raise InputError(f"The share of train that becomes dev must lie between 0 and 1. Got {share} instead.")
    order = [int(place) for place in np.random.default_rng(seed).permutation(len(train))]
    held = round(share * len(order))
    if not 0 < held < len(order):
        raise InputError(f"{train.name} holds {len(order)} items, too few to cut {share:.0%} of them off as dev.")
    return chosen(train, sorted(order[held:]), train.name), chosen(train, sorted(order[:held]), f"{train.name}-dev")


def fold(data: D, number: int = 0, folds: int = 10, seed: int = 0, dev: float = 0.1) -> Splits[D]:
    """One fold of a cross-validation: it is the test set, and dev is cut from the rest."""
    if not 0 <= number < folds <= len(data):
        raise InputError(
            f"The fold must be one of 0 to {folds - 1}, and each fold needs an item. "
            f"Got fold {number} of {folds} over {len(data)} items."
        )
    order = [int(place) for place in np.random.default_rng([seed, folds]).permutation(len(data))]
    held = set(order[number::folds])
    rest = chosen(data, [place for place in range(len(data)) if place not in held], data.name)
    train, held_for_dev = cut_dev(rest, dev, seed)
    return Splits(train, held_for_dev, chosen(data, sorted(held), f"{data.name}-{number}"))


def labels_of(data: Texts | TaggedSentences) -> Sequence[tuple[str, ...]]:
    """What is to be predicted for each item: one label of a text, or a tag for each token."""
    return [(label,) for label in data.labels] if isinstance(data, Texts) else data.tags


def check(train: D, others: Sequence[D]) -> list[str]:
    """The labels of train, sorted; items that could not be trained on or scored are errors.

    Each label of the others must be one of train's; of BIO tags, its type must be.
    """
    splits: list[D] = [train, *others]
    for data in splits:
        if not len(data):
            raise InputError(f"The split {data.name!r} is empty; one item or more is needed.")
        for place, (tokens, labels) in enumerate(zip(data.tokens, labels_of(data), strict=True), start=1):
            wanted = 1 if isinstance(data, Texts) else len(tokens)
            if not tokens or len(labels) != wanted:
                raise InputError(
                    f"Item {place} of {data.name!r} has {len(tokens)} tokens and {len(labels)} labels; "
                    f"{'a text needs tokens' if isinstance(data, Texts) else 'each token needs a tag'}."
                )
    known = {label for labels in labels_of(train) for label in labels}
    # CoNLL-2000's test set has one I-LST and train only B-LST: never predicted, counted as wrong, but no mistake.
    is_bio = isinstance(train, TaggedSentences) and train.scheme == "bio"
    also = {f"{mark}-{label[2:]}" for label in known for mark in "BI" if label != "O"} | {"O"} if is_bio else set()
    for data in others:
        for place, labels in enumerate(labels_of(data), start=1):
            if new := set(labels) - known - also:
                raise InputError(
                    f"Item {place} of {data.name!r} has the label {min(new)!r}, which {train.name!r} never shows; "
                    f"it has {', '.join(sorted(known)[:20])}."
                )
    if len(known) < 2:
        raise InputError(f"The split {train.name!r} has one label only, {min(known)!r}; two or more are needed.")
    return sorted(known)
