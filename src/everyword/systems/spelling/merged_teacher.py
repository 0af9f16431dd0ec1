"""A teacher made of several sources: words that lists agree on, a language model's vectors and tables, merged.

Every stage leaves a file in the run folder, and a stage whose file is there is not run again. The one stage that wants
a GPU is the language model's; its file can be made elsewhere and put there. What a stage read is not looked at again:
other sources want another folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from everyword import config
from everyword.arrays import FloatArray
from everyword.atomic import write_atomic, write_lines
from everyword.corpus.vocabulary_selection import agreed_words, spelling_variants
from everyword.corpus.word_list import read_words
from everyword.errors import InputError
from everyword.files import read_lines, read_object
from everyword.space import merge, postprocess
from everyword.space.merge_record import MergeRecord
from everyword.space.pipeline import Pipeline, Tell, be_silent
from everyword.space.steps.whiten import Whiten
from everyword.systems.spelling.recipe import check_sources
from everyword.systems.spelling.related_words import read_synonym_pairs
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

WORDS, DISTILLED, TEACHER, STAMP = "words.txt", "distilled.npy", "teacher.npy", "teacher.json"
MERGE_RECORD, STEPS_RECORD = "merge.record", "steps.record"
"""With these two, `everyword merge --record` and `everyword postprocess --record` bring later words into the space."""


@dataclass(frozen=True)
class MergedTeacherConfig:
    """What the teacher is made of. Sources have names here; where they lie is said when the recipe is run."""

    lists: tuple[str, ...] = ()
    """Sources that are word lists or tables, most frequent words first."""
    synonyms: str | None = None
    """A source of pairs of words that mean the same; its words need no vote of a list."""
    votes: int = 2
    """How many lists must have a word."""
    encoder: str | None = None
    """The source that is a language model."""
    templates: tuple[str, ...] = ("{}",)
    tables: dict[str, float] = field(default_factory=dict)
    """Sources that are tables of vectors, each with its weight; the language model's is 1."""
    before: str = "pca:512,unit-rows"
    """Steps after the merge."""
    shrinkage: float = 3.0
    """How mildly the directions are shortened in which synonyms differ."""
    after: str = "pca:256,unit-rows"
    fit_on: int = 100_000
    """The most frequent words, to which steps are fitted."""

    def problems(self) -> Iterator[str]:
        """Parts that are missing."""
        if self.lists and (self.encoder is None or self.synonyms is None or not self.tables):
            yield "a merged teacher needs lists, an encoder, at least one table and synonyms"

    @property
    def sources(self) -> list[str]:
        """The names of all sources, each once."""
        named = [*self.lists, self.synonyms, self.encoder, *self.tables]
        return list(dict.fromkeys(name for name in named if name is not None))


def build_teacher(
    recipe: MergedTeacherConfig,
    sources: Mapping[str, Path],
    folder: Path,
    *,
    device: str = "auto",
    tell: Tell = be_silent,
    show_progress: bool = True,
) -> Path:
    """Make the teacher's table in the run folder, or find it there, and return its path."""
    check_sources(recipe.sources, sources)
    folder.mkdir(parents=True, exist_ok=True)
    _stamp(recipe, folder)
    if not (folder / WORDS).exists():
        tell("choosing the words")
        write_lines(folder / WORDS, choose_words(recipe, sources))
    if not (folder / DISTILLED).exists():
        words = read_lines(folder / WORDS, "list of words")
        tell(f"asking the language model about {len(words):,} words")
        distil(recipe, sources, words, device=device, show_progress=show_progress).save(folder / DISTILLED)
    if not (folder / TEACHER).exists():
        space = merged(recipe, sources, read_table(folder / DISTILLED), tell=tell)
        space.merge.save(folder / MERGE_RECORD)
        space.steps.save(folder / STEPS_RECORD)
        space.table.save(folder / TEACHER)  # last: where it lies, the records lie too
    return folder / TEACHER


def choose_words(recipe: MergedTeacherConfig, sources: Mapping[str, Path]) -> list[str]:
    """The vocabulary that the lists agree on."""
    lists = [[word.lower() for word in read_words(sources[name])] for name in recipe.lists]
    trusted = {word for pair in read_synonym_pairs(sources[str(recipe.synonyms)]) for word in pair}
    return agreed_words(lists, sorted(trusted), votes=recipe.votes)


def distil(
    recipe: MergedTeacherConfig, sources: Mapping[str, Path], words: list[str], *, device: str, show_progress: bool
) -> VectorTable:
    """What the language model makes of the words in all templates."""
    from everyword.language_models.language_model import LanguageModel
    from everyword.language_models.templates import template_table

    model = LanguageModel.load(str(sources[str(recipe.encoder)]), device=device)
    return template_table(model, words, recipe.templates, show_progress=show_progress)


class MergedSpace(NamedTuple):
    """The teacher, and the records by which later words come into its space."""

    table: VectorTable
    merge: MergeRecord
    steps: Pipeline


def merged(
    recipe: MergedTeacherConfig, sources: Mapping[str, Path], distilled: VectorTable, *, tell: Tell
) -> MergedSpace:
    """The language model's vectors and those of the tables in one space, in which synonyms lie closer."""
    tables = [_lowered(read_table(sources[name]), distilled) for name in recipe.tables]
    weights = [1.0, *recipe.tables.values()]
    joined, merge_record = merge([distilled, *tables], weights=weights, names=["encoder", *recipe.tables], tell=tell)
    flat, before = postprocess(joined.select(distilled.words), recipe.before, fit_on=recipe.fit_on, tell=tell)
    differences = _differences(flat, sources[str(recipe.synonyms)])
    tell(f"bringing {len(differences):,} pairs of synonyms closer")
    closer = Whiten(shrinkage=recipe.shrinkage).fit(differences)
    near = VectorTable(flat.words, closer.apply(flat.matrix))
    table, after = postprocess(near, recipe.after, fit_on=recipe.fit_on, tell=tell)
    variants = spelling_variants(table)
    tell(f"leaving out {len(variants):,} rare words that are variants of frequent ones")
    table = table.select([word for word in table.words if word not in variants])
    return MergedSpace(table, merge_record, Pipeline(joined.dim, (*before.steps, closer, *after.steps)))


def _lowered(table: VectorTable, wanted: VectorTable) -> VectorTable:
    """The rows of a table whose lower-cased word is wanted; of several spellings the first."""
    rows: dict[str, int] = {}
    for row, word in enumerate(table.words):
        if word.lower() in wanted:
            rows.setdefault(word.lower(), row)
    return VectorTable(list(rows), table.matrix[list(rows.values())])


def _differences(table: VectorTable, synonyms: Path) -> FloatArray:
    """The vector of a word less that of its synonym, each pair once, whichever way round it is listed."""
    pairs = {tuple(sorted(pair)) for pair in read_synonym_pairs(synonyms) if pair[0] != pair[1]}
    rows = [(table.index[one], table.index[other]) for one, other in sorted(pairs) if one in table and other in table]
    if not rows:
        raise InputError(f"{synonyms} shares no pair of words with the teacher; is it of another language?")
    first, second = np.array(rows).T
    differences: FloatArray = table.matrix[first] - table.matrix[second]
    return differences


def _recipe_in(path: Path) -> object:
    try:
        return read_object(path).get("recipe")
    except ValueError:
        return None


def _stamp(recipe: MergedTeacherConfig, folder: Path) -> None:
    """Refuse a folder whose stages were made by another configuration."""
    mark = hashlib.sha256(json.dumps(config.to_dict(recipe), sort_keys=True).encode()).hexdigest()
    path = folder / STAMP
    if path.exists() and _recipe_in(path) != mark:
        raise InputError(f"{folder} holds a teacher of another recipe; choose another --run-folder or remove it.")
    write_atomic(path, json.dumps({"recipe": mark}) + "\n")
