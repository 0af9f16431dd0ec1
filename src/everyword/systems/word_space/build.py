"""Build a space stage by stage.

Every stage leaves a file in the run folder, and a stage whose file exists is not run again. Only the encoder's stages
need a GPU; their files can be made on another machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from everyword import config as configuration
from everyword.arrays import FloatArray
from everyword.atomic import write_atomic
from everyword.corpus.vocabulary.build import build_vocabulary, write_vocabulary
from everyword.corpus.vocabulary.sources import VocabularySources
from everyword.errors import InputError
from everyword.files import fingerprint, read_object
from everyword.language_models.language_model import LanguageModel
from everyword.learning.device import pick_device
from everyword.space.pipeline import Reporter, no_report
from everyword.systems.word_space import combine
from everyword.systems.word_space.config import (
    DEFINITIONS,
    ENCODED,
    LEXICON_SOURCES,
    OCCURRENCES,
    TEMPLATES,
    TEXTS,
    WordSpaceConfig,
)
from everyword.systems.word_space.lexicon import ANTONYM, SYNONYM, Lexicon
from everyword.systems.word_space.sources import (
    Source,
    from_corpus,
    from_definitions,
    from_table,
    from_templates,
)
from everyword.systems.word_space.tuning import tune
from everyword.vectors.read import read_table
from everyword.vectors.storage.quantising import balancing_rotation
from everyword.vectors.table import VectorTable

TEACHER, SECTIONS, RECIPE = "teacher.npy", "teacher.sections.json", "space.json"
RELIABILITY = "teacher.reliability.npy"
STAGES, LEXICON = "space", "lexicon"
"""Folders inside the run folder: of the sources and, if it is made, of the lexicon."""
GLOSSARY = Path(str(resources.files("everyword") / "recipes" / "glossary-en.tsv"))
"""New words, slang and abbreviations that dictionaries lack, with definitions that we wrote."""


def build_space(
    config: WordSpaceConfig,
    sources: Mapping[str, Path],
    folder: Path,
    *,
    device: str = "auto",
    report: Reporter = no_report,
    show_progress: bool = True,
) -> Path:
    """Build the table of a space in a run folder, skipping finished stages.

    Args:
        config: The sources and how they are combined.
        sources: The path of each source.
        folder: The run folder.
        device: The device of the encoder and of the tuning.
        report: Called with a sentence about each stage.
        show_progress: Show progress bars.

    Returns:
        The path of the table; its sections are in a file beside it.

    Raises:
        InputError: If the folder holds the stages of another recipe, or if a source cannot be read.
    """
    (folder / STAGES).mkdir(parents=True, exist_ok=True)
    _check_recipe(config, folder)
    if not (folder / TEACHER).exists():
        lexicon = Lexicon(_lexicon_folder(config, sources, folder, report))
        stages = _Stages(config, sources, folder, lexicon, device, report, show_progress)
        _finish(config, lexicon, stages.sources(), folder, device=device, report=report)
    return folder / TEACHER


@dataclass
class _Stages:
    """The stages that make one source each."""

    config: WordSpaceConfig
    paths: Mapping[str, Path]
    folder: Path
    lexicon: Lexicon
    device: str
    report: Reporter
    show_progress: bool

    def __post_init__(self) -> None:
        # Not the weights: with others, the sources in the folder are combined anew.
        decisive = {
            name: _described(self.config)[name] for name in ("templates", "occurrences", "source_dim", "fit_on")
        }
        self._fingerprint = fingerprint([self.lexicon.entries, decisive], sort_keys=False)

    def sources(self) -> dict[str, Source]:
        """Return all sources that have a weight, from their files or newly made."""
        found = {name: self._source(name) for name in ENCODED if self.config.weights.get(name)}
        for name in self.config.tables:
            self.report(f"reading the vectors of {name}")
            found[name] = from_table(read_table(self.paths[name]), self.lexicon, self.config)
        return found

    def _source(self, name: str) -> Source:
        path = self.folder / STAGES / f"{name}.safetensors"
        if not path.exists():
            makers: dict[str, Callable[[], None]] = {
                TEMPLATES: self._make_templates,
                DEFINITIONS: self._make_definitions,
                OCCURRENCES: self._make_from_corpus,
                TEXTS: self._make_from_corpus,
            }
            makers[name]()
        return Source.load(path, self._fingerprint)

    @cached_property
    def encoder(self) -> LanguageModel:
        """The sentence encoder, loaded when it is first needed."""
        return LanguageModel.load(str(self.paths[str(self.config.encoder)]), device=self.device)

    def _save(self, name: str, source: Source) -> None:
        source.save(self.folder / STAGES / f"{name}.safetensors", self._fingerprint)

    def _make_templates(self) -> None:
        entries = self.lexicon.entries
        self.report(f"encoding {len(entries):,} entries in {len(self.config.templates)} templates")
        self._save(TEMPLATES, from_templates(self.encoder, entries, self.config, show_progress=self.show_progress))

    def _make_definitions(self) -> None:
        self.report("encoding definitions")
        source = from_definitions(self.encoder, self.lexicon, self.config, show_progress=self.show_progress)
        self._save(DEFINITIONS, source)

    def _make_from_corpus(self) -> None:
        self.report("averaging the encoder's outputs over the corpus")
        corpus = _files(self.paths[str(self.config.corpus)])
        words, texts = from_corpus(
            self.encoder, self.lexicon.entries, corpus, self.config, show_progress=self.show_progress
        )
        self._save(TEXTS, texts)
        self._save(OCCURRENCES, words)


def _files(path: Path) -> list[Path]:
    """Return the files of a folder, or the file itself."""
    return sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]


def _lexicon_folder(config: WordSpaceConfig, sources: Mapping[str, Path], folder: Path, report: Reporter) -> Path:
    """Return the folder of the lexicon: the one that was given, or one that is made in the run folder."""
    if config.lexicon is not None:
        return sources[config.lexicon]
    made = folder / LEXICON
    if not made.exists():
        named = {name: sources[name] for name in LEXICON_SOURCES if name != "hunspell"}
        dictionaries = [file for file in _files(sources["hunspell"]) if file.match("en*.dic")]
        read = VocabularySources(
            corpus=_files(sources[str(config.corpus)]), hunspell=dictionaries, glossary=GLOSSARY, **named
        )
        report("making the lexicon")
        vocabulary = build_vocabulary(read, config.size, workers=max(1, config.workers))
        partial = folder / f"{LEXICON}.part"
        write_vocabulary(vocabulary, partial)
        partial.rename(made)  # last: where it is, it is complete
    return made


def _finish(
    config: WordSpaceConfig,
    lexicon: Lexicon,
    sources: Mapping[str, Source],
    folder: Path,
    *,
    device: str,
    report: Reporter,
) -> None:
    report(f"combining {len(sources)} sources")
    filled = combine.fill_gaps(sources, config)
    synonyms = lexicon.relations(SYNONYM, config.related_among)
    if not synonyms:
        raise InputError(f"The relations of {lexicon.folder} have no synonyms of entries; are they of one language?")
    weights = {**config.weights, **config.tables}
    wide = combine.joined(filled, weights, config.wide_dim, config)
    matrix = combine.main_directions(combine.bring_closer(wide, synonyms, config), config.dim, config)
    if config.tuning.steps:
        report(f"tuning with {len(synonyms):,} pairs of synonyms, with antonyms and look-alikes")
        matrix = _tuned(config, lexicon, sources, filled, matrix, device=device)
    matrix = combine.placed_by_meaning(matrix, lexicon.meanings(), config.meaning_share)
    foreign = lexicon.foreign()
    report(f"placing {len(foreign):,} foreign words by their translations")
    matrix = np.concatenate([matrix, combine.translated(matrix, lexicon.index, foreign)])
    matrix = matrix @ balancing_rotation(matrix, list(config.code_sizes))
    # Half precision is all that is stored of the sources; so the table is the same wherever it is written.
    matrix = matrix.astype(np.float16).astype(np.float32)
    sections = {"words": len(lexicon.words), "phrases": len(lexicon.phrases), "foreign": len(foreign)}
    write_atomic(folder / SECTIONS, json.dumps({name: count for name, count in sections.items() if count}) + "\n")
    np.save(folder / RELIABILITY, combine.reliability(sources, lexicon.index, foreign))
    VectorTable([*lexicon.entries, *(word.word for word in foreign)], matrix).save(folder / TEACHER)


def _tuned(
    config: WordSpaceConfig,
    lexicon: Lexicon,
    sources: Mapping[str, Source],
    filled: Mapping[str, FloatArray],
    matrix: FloatArray,
    *,
    device: str,
) -> FloatArray:
    weights = {name: weight for name, weight in config.free_of_spelling.items() if name in filled}
    weights |= dict.fromkeys(config.tables, 1.0)
    informed = np.zeros(len(matrix), dtype=bool)
    for name in [DEFINITIONS, *config.tables]:
        if name in sources:
            informed |= sources[name].counts > 0
    return tune(
        matrix,
        config.tuning,
        free=combine.joined(filled, weights, config.dim, config),
        words=lexicon.words,
        informed=informed,
        synonyms=lexicon.relations(SYNONYM, config.related_among),
        antonyms=lexicon.relations(ANTONYM, config.related_among),
        device=str(pick_device(device)),
    )


def _check_recipe(config: WordSpaceConfig, folder: Path) -> None:
    """Raise InputError if the stages in a folder were made with another configuration."""
    path, expected = folder / RECIPE, fingerprint(_described(config))
    if path.exists() and _read_fingerprint(path) != expected:
        raise InputError(f"{folder} holds a teacher of another recipe; choose another --run-folder or remove it.")
    write_atomic(path, json.dumps({"recipe": expected}) + "\n")


def _described(config: WordSpaceConfig) -> dict[str, Any]:
    """Return all that decides the numbers."""
    described = configuration.to_dict(config)
    del described["workers"]
    return described


def _read_fingerprint(path: Path) -> object:
    try:
        return read_object(path).get("recipe")
    except ValueError:
        return None
