"""Prepare the data of a training: words, units, synonyms and hard negatives.

They are saved to one file, so that training can be resumed, or run on another machine, without the teacher.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from everyword import config, registry
from everyword.arrays import ByteArray, FloatArray, IdArray
from everyword.atomic import write_atomic
from everyword.extras import require
from everyword.files import fingerprint
from everyword.learning.checkpoint import read_arrays, write_arrays
from everyword.models.known import sections_of
from everyword.systems.spelling.examples import SYNONYM
from everyword.systems.spelling.related_words import (
    NONE,
    NegativesConfig,
    SynonymsConfig,
    find_synonyms,
    mine_negatives,
)
from everyword.systems.spelling.teacher import Teacher, draw_evaluated, split_held_out
from everyword.text.units import Units
from everyword.vectors.neighbours import unit_rows

if TYPE_CHECKING:
    from everyword.systems.spelling.config import RecipeConfig


@dataclass(frozen=True)
class TrainingData:
    """Everything that training needs, and what the saved model contains besides the encoder."""

    words: list[str]
    targets: FloatArray
    held_out_words: list[str]
    held_out_targets: FloatArray
    evaluated_words: list[str]
    """Words that take no part in anything, for evaluation."""
    known_words: list[str]
    known_matrix: FloatArray
    units: Units
    synonyms: IdArray
    negatives: IdArray
    teacher_description: str
    teacher_sha256: str
    sections: dict[str, int] = field(default_factory=dict)
    """How many of the known words, in their order, each section has; empty if all are of one kind."""
    reliability: ByteArray | None = None
    """How much the vectors of the known words can be relied on, in 255ths, if that is known."""

    @property
    def dim(self) -> int:
        """Dimension of the teacher's vectors."""
        return int(self.targets.shape[1])

    def save(self, path: Path, fingerprint: str) -> None:
        """Write arrays as tensors and everything else as a JSON header."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        header: dict[str, Any] = {name: value for name, value in values.items() if isinstance(value, list | str | dict)}
        units = self.units
        header["units"] = {"name": units.NAME, "units": units.units, "config": asdict(units.config)}
        write_arrays(path, arrays, header, fingerprint)

    @classmethod
    def load(cls, path: Path, fingerprint: str) -> TrainingData:
        """Read a file that `save` wrote, or raise InputError if it was prepared for another configuration."""
        arrays, header = read_arrays(path, fingerprint)
        units = header["units"]
        kind = registry.unit_vocabularies.get(units["name"])
        header["units"] = kind(units["units"], config.build(kind.Config, units["config"]))
        return cls(**header, **cast("dict[str, Any]", arrays))


def prepare(
    recipe: RecipeConfig, teacher: Teacher, *, show_progress: bool, device: str = "cpu", cache: Path | None = None
) -> TrainingData:
    """Choose the words, build units and find synonyms and hard negatives among the training words.

    Both take minutes where there are many words; in the folder `cache`, they are found for the same words only once.
    """
    sections = recipe.store.sections or first_of_each(teacher.sections, recipe.store.words)
    if sections:
        sections_of(sections, len(teacher.words[: recipe.store.words]))  # better now than after training
    evaluated = draw_evaluated(teacher.words[: teacher.first_section], recipe.words)
    chosen = teacher.choose(recipe.words, leave_out=frozenset(evaluated))
    kept, held = split_held_out(len(chosen), recipe.words.held_out, recipe.training.seed)
    words, held_out_words = ([teacher.words[row] for row in chosen[indices]] for indices in (kept, held))
    targets, held_out_targets = (teacher.matrix[chosen[indices]] for indices in (kept, held))
    directions = unit_rows(targets)
    return TrainingData(
        words=words,
        targets=targets,
        held_out_words=held_out_words,
        held_out_targets=held_out_targets,
        evaluated_words=evaluated,
        known_words=teacher.words[: recipe.store.words],
        known_matrix=teacher.matrix[: recipe.store.words],
        units=_units(recipe, words),
        synonyms=_synonyms(recipe, words, directions, device, cache),
        negatives=_negatives(recipe, words, directions, cache, show_progress=show_progress),
        teacher_description=teacher.description,
        teacher_sha256=teacher.sha256,
        sections=sections,
        reliability=None if teacher.reliability is None else teacher.reliability[: recipe.store.words],
    )


def first_of_each(sections: Mapping[str, int], count: int | None) -> dict[str, int]:
    """Return how many of the first words of a list are in each of its sections.

    >>> first_of_each({"words": 5, "phrases": 3}, 6)
    {'words': 5, 'phrases': 1}
    """
    left, kept = sum(sections.values()) if count is None else count, {}
    for name, size in sections.items():
        kept[name] = min(size, left)
        left -= kept[name]
    return {name: size for name, size in kept.items() if size}


def _units(recipe: RecipeConfig, words: list[str]) -> Units:
    build = registry.unit_builders.get(recipe.units.name)
    kind = registry.unit_vocabularies.get(recipe.units.name)
    units: Units = build(words, recipe.vocabulary, config.build(kind.Config, recipe.units.options))
    return units


def _synonyms(
    recipe: RecipeConfig, words: list[str], directions: FloatArray, device: str, cache: Path | None
) -> IdArray:
    if not recipe.augmentation.shares.get(SYNONYM):
        return _none(words)
    if recipe.synonyms.file:
        cache = None  # a file of the same name may say something else tomorrow
    found_by = (words, directions, recipe.synonyms)
    return _found_once(cache, found_by, lambda: find_synonyms(*found_by, device=device))


def _negatives(
    recipe: RecipeConfig, words: list[str], directions: FloatArray, cache: Path | None, *, show_progress: bool
) -> IdArray:
    if not recipe.negatives.per_word:
        return _none(words)
    progress = require("tqdm", "The progress bar").tqdm(
        desc="hard negatives", total=len(words), disable=not show_progress, unit="word"
    )
    # How many are drawn, and how they are shown, decides nothing here.
    found_by = (words, directions, replace(recipe.negatives, per_word=1, shown=True))
    with progress:
        return _found_once(cache, found_by, lambda: mine_negatives(*found_by, on_progress=progress.update))


def _found_once(
    cache: Path | None,
    found_by: tuple[list[str], FloatArray, SynonymsConfig | NegativesConfig],
    find: Callable[[], IdArray],
) -> IdArray:
    """Return related words from the cache, or find them and put them there."""
    if cache is None:
        return find()
    words, directions, options = found_by
    digest = hashlib.sha256("\n".join(words).encode("utf-8") + directions.tobytes()).hexdigest()
    name = fingerprint([type(options).__name__, config.to_dict(options), digest])[:16]
    path = cache / f"{name}.npy"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        saved = BytesIO()
        np.save(saved, find())
        write_atomic(path, saved.getvalue())
    found: IdArray = np.load(path)
    return found


def _none(words: list[str]) -> IdArray:
    return np.full((len(words), 1), NONE, dtype=np.int32)
