"""A study about rare words as it is to be run, and where it is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from everyword import config
from everyword.corpus.contexts.sentences import read_sentences
from everyword.errors import InputError
from everyword.evaluation.robustness.rare_texts.making import RarifyConfig
from everyword.models.model import Model
from everyword.studies.config import Size
from everyword.studies.job import Tell
from everyword.studies.rare_config import RareStudyConfig, RareVariant
from everyword.systems.bertram.config import BertramConfig, StaticConfig
from everyword.vectors.table import VectorTable

PutIn: TypeAlias = Callable[[Any, Any, Model | VectorTable, RareVariant], Any]
"""Puts vectors into a network with its tokenizer, as a variant has it."""
STATIC, MIMICK, RARIFY = PREFIXES = ("static.", "mimick.", "rarify.")
"""Overrides that begin so are for the ancestors, the recipe and rarified sets; all others for BERTRAM."""


@dataclass(frozen=True)
class RareReproduction:
    """One study: with what, at which size, where."""

    study: RareStudyConfig
    encoder: str
    contexts: Path
    """Frequent words with sentences, to learn from."""
    put_in: PutIn
    work: Path
    """Trained models, rarified sets and the scores of each variant."""
    rare: Path | None = None
    """Rare words with sentences."""
    counts: Path | None = None
    """How often words stand in the corpus; decides what is rare."""
    probe: Path | None = None
    data: Path | None = None
    size: Size = "small"
    overrides: tuple[str, ...] = ()
    device: str = "auto"
    show_progress: bool = False
    tell: Tell = print

    def overrides_for(self, prefix: str = "", own: tuple[str, ...] = ()) -> list[str]:
        """The overrides of one configuration: those of the size, the given ones, a variant's own."""
        every = (*(self.study.small if self.size == "small" else ()), *self.overrides)
        if not prefix:
            return [*(given for given in every if not given.startswith(PREFIXES)), *own]
        return [*(given.removeprefix(prefix) for given in every if given.startswith(prefix)), *own]

    def bertram_config(self, variant: RareVariant) -> BertramConfig:
        """How a variant's BERTRAM is trained."""
        given = config.override({}, self.overrides_for(own=variant.overrides))
        return config.build(BertramConfig, given, "the configuration of BERTRAM")

    def static_config(self, variant: RareVariant) -> StaticConfig:
        """How a variant's ancestor of BERTRAM is trained."""
        given = config.override({}, self.overrides_for(STATIC, variant.overrides))
        return config.build(StaticConfig, given, "the configuration of static")

    def rarify_config(self, seed: int) -> RarifyConfig:
        """How a set is rarified."""
        given = config.override({}, [*self.overrides_for(RARIFY), f"seed={seed}"])
        return config.build(RarifyConfig, given, "the configuration of rarify")

    @cached_property
    def rare_sentences(self) -> dict[str, list[str]]:
        """What is known of rare words."""
        return {} if self.rare is None else read_sentences(self.rare)

    def check(self) -> None:
        """Refuse what cannot be run, before anything is."""
        for variant in self.study.variants:
            if variant.vectors == "bertram":
                self.bertram_config(variant)
        self.rarify_config(0)
        needed = {"rarified": {"counts": self.counts}, "probe": {"probe": self.probe}}
        for name, given in needed.get(self.study.judged_by, {}).items():
            if given is None:
                raise InputError(f"The study {self.study.name} needs --{name}; see 'everyword cloze --help'.")
            if not given.exists():
                raise InputError(f"There is no file {given}; check --{name}.")
