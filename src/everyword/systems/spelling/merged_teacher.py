"""Build a teacher from several sources: words that lists agree on, a language model's vectors and tables, merged.

Every stage leaves a file in the run folder, and a stage whose file exists is not run again. Only the stage of the
language model needs a GPU; its file can be made on another machine. Files that a stage has read are not checked again:
use another folder for other sources.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from everyword import config
from everyword.arrays import FloatArray
from everyword.atomic import write_atomic, write_lines
from everyword.config import Count
from everyword.corpus.vocabulary_selection import agreed_words, spelling_variants
from everyword.corpus.word_list import read_words
from everyword.errors import InputError
from everyword.files import fingerprint, read_lines, read_object
from everyword.space import merge, postprocess
from everyword.space.merge_record import MergeRecord
from everyword.space.pipeline import Pipeline, Reporter, no_report
from everyword.space.steps.whiten import Whiten
from everyword.systems.spelling.recipe import check_sources
from everyword.systems.spelling.related_words import read_synonym_pairs
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

WORDS, EXTRACTED, TEACHER, FINGERPRINT = "words.txt", "distilled.npy", "teacher.npy", "teacher.json"
MERGE_RECORD, STEPS_RECORD = "merge.record", "steps.record"
"""With them, `everyword merge --record` and `everyword postprocess --record` map new words into the space."""


@dataclass(frozen=True)
class MergedTeacherConfig:
    """The sources of the teacher, by name (their paths are given when the recipe is run), and how they are merged."""

    lists: tuple[str, ...] = ()
    """Sources that are word lists or tables, most frequent words first."""
    synonyms: str | None = None
    """A source of pairs of synonyms; its words need no vote of a list."""
    votes: Count = 2
    """How many lists must have a word."""
    encoder: str | None = None
    """The source that is a language model."""
    templates: tuple[str, ...] = ("{}",)
    tables: dict[str, float] = field(default_factory=dict)
    """Sources that are tables of vectors, each with its weight; the language model's is 1."""
    before: str = "pca:512,unit-rows"
    """Steps after the merge, before synonyms are moved closer."""
    shrinkage: float = 3.0
    """How mildly the directions in which synonyms differ are shortened."""
    after: str = "pca:256,unit-rows"
    """Steps after synonyms are moved closer."""
    fit_on: Count = 100_000
    """How many of the most frequent words the steps are fitted to."""

    def problems(self) -> Iterator[str]:
        """Yield a message if a source is missing."""
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
    report: Reporter = no_report,
    show_progress: bool = True,
) -> Path:
    """Build the table of a teacher in a run folder, skipping finished stages.

    Args:
        recipe: The sources and how they are merged.
        sources: The path of each source.
        folder: The run folder.
        device: The device of the language model.
        report: Called with a sentence about each stage.
        show_progress: Show a progress bar for the language model.

    Returns:
        The path of the table.
    """
    check_sources(recipe.sources, sources)
    folder.mkdir(parents=True, exist_ok=True)
    _check_fingerprint(recipe, folder)
    if not (folder / WORDS).exists():
        report("choosing the words")
        write_lines(folder / WORDS, choose_words(recipe, sources))
    if not (folder / EXTRACTED).exists():
        words = read_lines(folder / WORDS, "list of words")
        report(f"extracting the vectors of {len(words):,} words from the language model")
        extract(recipe, sources, words, device=device, show_progress=show_progress).save(folder / EXTRACTED)
    if not (folder / TEACHER).exists():
        space = merge_sources(recipe, sources, read_table(folder / EXTRACTED), report=report)
        space.merge.save(folder / MERGE_RECORD)
        space.steps.save(folder / STEPS_RECORD)
        space.table.save(folder / TEACHER)  # last: where it is, the records are too
    return folder / TEACHER


def choose_words(recipe: MergedTeacherConfig, sources: Mapping[str, Path]) -> list[str]:
    """Return the vocabulary that the lists agree on."""
    lists = [[word.lower() for word in read_words(sources[name])] for name in recipe.lists]
    trusted = {word for pair in read_synonym_pairs(sources[str(recipe.synonyms)]) for word in pair}
    return agreed_words(lists, sorted(trusted), votes=recipe.votes)


def extract(
    recipe: MergedTeacherConfig, sources: Mapping[str, Path], words: list[str], *, device: str, show_progress: bool
) -> VectorTable:
    """Extract the language model's vectors of words in all templates."""
    from everyword.language_models.language_model import LanguageModel
    from everyword.language_models.templates import template_table

    model = LanguageModel.load(str(sources[str(recipe.encoder)]), device=device)
    return template_table(model, words, recipe.templates, show_progress=show_progress)


class MergedSpace(NamedTuple):
    """The teacher, and the records that map later words into its space."""

    table: VectorTable
    merge: MergeRecord
    steps: Pipeline


def merge_sources(
    recipe: MergedTeacherConfig, sources: Mapping[str, Path], extracted: VectorTable, *, report: Reporter
) -> MergedSpace:
    """Merge the language model's vectors and those of the tables into one space, and move synonyms closer."""
    tables = [_lowered(read_table(sources[name]), extracted) for name in recipe.tables]
    weights = [1.0, *recipe.tables.values()]
    joined, merge_record = merge(
        [extracted, *tables], weights=weights, names=["encoder", *recipe.tables], report=report
    )
    flat, before = postprocess(joined.select(extracted.words), recipe.before, fit_on=recipe.fit_on, report=report)
    differences = _differences(flat, sources[str(recipe.synonyms)])
    report(f"moving {len(differences):,} pairs of synonyms closer")
    closer = Whiten(shrinkage=recipe.shrinkage).fit(differences)
    near = VectorTable(flat.words, closer.apply(flat.matrix))
    table, after = postprocess(near, recipe.after, fit_on=recipe.fit_on, report=report)
    variants = spelling_variants(table)
    report(f"leaving out {len(variants):,} rare words that are variants of frequent ones")
    table = table.select([word for word in table.words if word not in variants])
    return MergedSpace(table, merge_record, Pipeline(joined.dim, (*before.steps, closer, *after.steps)))


def _lowered(table: VectorTable, other: VectorTable) -> VectorTable:
    """Return the rows of a table whose lower-cased word is in the other; of several spellings, the first."""
    rows: dict[str, int] = {}
    for row, word in enumerate(table.words):
        if word.lower() in other:
            rows.setdefault(word.lower(), row)
    return VectorTable(list(rows), table.matrix[list(rows.values())])


def _differences(table: VectorTable, synonyms: Path) -> FloatArray:
    """Return the vector of a word minus that of its synonym, once for each pair, whatever its order."""
    pairs = {tuple(sorted(pair)) for pair in read_synonym_pairs(synonyms) if pair[0] != pair[1]}
    rows = [(table.index[one], table.index[other]) for one, other in sorted(pairs) if one in table and other in table]
    if not rows:
        raise InputError(f"{synonyms} has no pair of words that the teacher knows; is it of another language?")
    first, second = np.array(rows).T
    differences: FloatArray = table.matrix[first] - table.matrix[second]
    return differences


def _check_fingerprint(recipe: MergedTeacherConfig, folder: Path) -> None:
    """Raise InputError if the stages in a folder were made with another configuration."""
    path, expected = folder / FINGERPRINT, fingerprint(config.to_dict(recipe))
    if path.exists() and _read_fingerprint(path) != expected:
        raise InputError(f"{folder} holds a teacher of another recipe; choose another --run-folder or remove it.")
    write_atomic(path, json.dumps({"recipe": expected}) + "\n")


def _read_fingerprint(path: Path) -> object:
    try:
        return read_object(path).get("recipe")
    except ValueError:
        return None
