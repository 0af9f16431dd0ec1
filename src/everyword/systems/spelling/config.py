"""The configuration of a recipe: everything that decides what a model becomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from everyword import config, registry
from everyword.config import Natural
from everyword.errors import UnknownNameError
from everyword.learning.losses import LossOptions
from everyword.systems.spelling.examples import AugmentationConfig
from everyword.systems.spelling.gate_training import BlendConfig
from everyword.systems.spelling.related_words import NegativesConfig, SynonymsConfig
from everyword.systems.spelling.teacher import WordsConfig
from everyword.systems.spelling.trainer import TrainingConfig
from everyword.text.normalise import Normaliser
from everyword.text.vocabulary import VocabularyConfig
from everyword.vectors.storage.quantising import KnownPrecision, Quantisation
from everyword.vectors.storage.stored import Precision


@dataclass(frozen=True)
class UnitsConfig:
    """The units, by registered name, and their options."""

    name: str = "mixed.v1"
    options: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def arrange(values: Mapping[str, Any]) -> dict[str, Any]:
        """Accept options beside the name, as in records from before units had names."""
        own = {key: value for key, value in values.items() if key in ("name", "options")}
        beside = {key: value for key, value in values.items() if key not in own}
        if beside and isinstance(own.get("options", {}), Mapping):
            own["options"] = {**own.get("options", {}), **beside}
        return own

    def problems(self) -> list[str]:
        """Return a message for each unknown name and invalid option."""
        return option_problems(registry.unit_vocabularies, self.name, self.options)


@dataclass(frozen=True)
class EncoderConfig:
    """The encoder, by registered name, and its options."""

    name: str = "pam-stacked.v1"
    options: dict[str, Any] = field(default_factory=dict)

    def problems(self) -> list[str]:
        """Return a message for each unknown name and invalid option."""
        return option_problems(registry.encoders, self.name, self.options)


def option_problems(kind: registry.Registry, name: str, options: Mapping[str, Any]) -> list[str]:
    """Return the problems of a registered name and its options."""
    try:
        return config.problems_of(kind.get(name).Config, options)
    except UnknownNameError as error:
        return [str(error)]


@dataclass(frozen=True)
class LossConfig:
    """The loss, by registered name, and its options."""

    name: str = "contrastive"
    options: LossOptions = field(default_factory=LossOptions)

    def problems(self) -> list[str]:
        """Return a message for an unknown name."""
        known = ", ".join(registry.losses)
        return [] if self.name in registry.losses else [f"there is no loss {self.name!r}; choose from {known}"]


@dataclass(frozen=True)
class StoreConfig:
    """What is saved besides the encoder, and in which precision."""

    words: Natural | None = None
    """How many of the most frequent words are stored with the teacher's vectors; None stores all."""
    precision: Precision = "float32"
    """Precision of the encoder's tables and of the stored vectors."""
    known_precision: KnownPrecision | None = None
    """Precision of the stored vectors, if it differs: they are many, and each is used alone. "pq" stores them as codes
    of a few bytes."""
    quantisation: Quantisation = field(default_factory=Quantisation)
    """The options of "pq"."""
    sections: dict[str, Natural] = field(default_factory=dict)
    """How many of the stored words, in their order, each section has: "words", "phrases" and, last, "foreign"; without
    it all are "words"."""
    output_norm: Literal["teacher", "unit"] = "teacher"
    """Norm of inferred vectors: the mean norm of the teacher's, so that both mix well, or 1."""


@dataclass(frozen=True)
class RecipeConfig:
    """The configuration of a model that learns a table of vectors from spelling; the defaults are LOVE's."""

    recipe: Literal["love", "mimick"] = "love"
    """The training program; both names mean the same."""
    name: str = "love"
    summary: str = "Vectors for every word from its spelling (LOVE)."
    license: str = "other"
    words: WordsConfig = field(default_factory=WordsConfig)
    normalise: Normaliser = field(default_factory=Normaliser)
    vocabulary: VocabularyConfig = field(default_factory=VocabularyConfig)
    units: UnitsConfig = field(default_factory=UnitsConfig)
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    augmentation: AugmentationConfig = field(default_factory=AugmentationConfig)
    synonyms: SynonymsConfig = field(default_factory=SynonymsConfig)
    negatives: NegativesConfig = field(default_factory=NegativesConfig)
    loss: LossConfig = field(default_factory=LossConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    store: StoreConfig = field(default_factory=StoreConfig)
    blend: BlendConfig = field(default_factory=BlendConfig)
    reads_tokens: bool = False
    """Whether the model reads numbers, symbols, compounds, addresses and other scripts as known words."""
    space: dict[str, Any] = field(default_factory=dict)
    """How to build the teacher if none is given: a configuration of `everyword.systems.word_space`."""
    language: dict[str, Any] = field(default_factory=dict)
    """How "everyword train language" builds the teacher: a configuration of `everyword.systems.language`."""

    def problems(self) -> Iterator[str]:
        """Yield a message for each pair of choices that do not go together."""
        if self.encoder.problems() or self.loss.problems():
            return
        if not self.negatives.shown and not registry.losses.get(self.loss.name).more_targets:
            fitting = ", ".join(name for name in registry.losses if registry.losses.get(name).more_targets)
            yield f"negatives.shown=false needs a loss that can use more targets: {fitting}. Got {self.loss.name!r}"
        options = config.build(registry.encoders.get(self.encoder.name).Config, self.encoder.options)
        if registry.losses.get(self.loss.name).direction_only and options.initial_scale == 0:
            yield (
                f"the loss {self.loss.name!r} compares directions, and vectors that start at zero have none; "
                "set encoder.options.initial_scale=0.01"
            )


def without_folders(recipe: RecipeConfig) -> RecipeConfig:
    """Return the recipe with its files as bare names, because their folders belong to one machine."""
    vocabulary, synonyms = recipe.vocabulary, recipe.synonyms
    if vocabulary.pieces:
        vocabulary = replace(vocabulary, pieces=Path(vocabulary.pieces).name)
    if synonyms.file:
        synonyms = replace(synonyms, file=Path(synonyms.file).name)
    blend = recipe.blend.with_files(lambda file: Path(file).name)
    return replace(recipe, vocabulary=vocabulary, synonyms=synonyms, blend=blend)
