"""What a study about rare words is: ways to give a language model their vectors, side by side, and what is claimed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from everyword import config
from everyword.errors import ConfigError
from everyword.studies.catalogue import studies_in
from everyword.studies.config import ClaimConfig, PublishedRow, digits_for, wrong_names

JudgedBy = Literal["contexts", "rarified", "probe"]
Vectors = Literal[
    "plain",
    "pieces",
    "words-around",
    "mimick",
    "a-la-carte",
    "form-context-model",
    "attentive-mimicking",
    "bertram",
    "everyword",
]


@dataclass(frozen=True, kw_only=True)
class RareVariant(PublishedRow):
    """One row of the table: where the vectors of rare words come from, and how they are put in."""

    vectors: Vectors
    overrides: tuple[str, ...] = ()
    """Of the configuration of what is trained."""
    form: str = "ngrams"
    """The form part of a BERTRAM: n-grams, or the name of an everyword model."""
    sentences: Literal["given", "none", "in-domain"] = "given"
    """What is known of a rare word: its sentences, nothing, or also the texts that are judged, without their labels."""
    strategy: Literal["replace", "slash"] = "replace"
    words: Literal["misspelt", "unknown", "split"] = "split"
    """Which words get a vector, where a model of everyword gives them."""


@dataclass(frozen=True)
class RareStudyConfig:
    """A table about rare words inside a language model."""

    name: str
    title: str
    source: str
    """Paper and table."""
    judged_by: JudgedBy
    columns: tuple[str, ...]
    variants: tuple[RareVariant, ...]
    texts: tuple[str, ...] = ()
    """Sets of texts that are rarified, by their place in the folder of the data sets."""
    small: tuple[str, ...] = ()
    """Overrides for a size that takes minutes on a GPU; the full size is that of the configurations."""
    claims: tuple[ClaimConfig, ...] = ()
    cautions: tuple[str, ...] = ()
    seeds: int = 1
    """So many times sets are rarified."""
    margin: float = 0.5
    """A difference up to this is too close to tell."""

    @property
    def policy(self) -> str:
        """What the vectors are asked."""
        return self.judged_by

    @property
    def digits(self) -> int:
        """Digits behind the point that its differences need."""
        return digits_for(self.margin)

    def problems(self) -> Iterator[str]:
        """Names that do not exist and values that cannot be."""
        if self.seeds < 1:
            yield f"seeds must be 1 or more. Got {self.seeds} instead"
        if not self.columns or not self.variants:
            yield "there must be at least one column and one variant"
        if bool(self.texts) != (self.judged_by == "rarified"):
            yield "texts are what is rarified, and nothing else has or needs them"
        yield from wrong_names(self.variants, self.claims, self.columns)


def shipped_rare_studies() -> dict[str, Path]:
    """The studies about rare words inside the package, by name."""
    return studies_in("rare_words")


def is_rare_study(name: str) -> bool:
    """Whether a shipped study, or a file, is about rare words."""
    path = Path(name)
    return name in shipped_rare_studies() or (
        path.suffix == ".toml" and path.is_file() and "judged_by" in config.read_toml(path)
    )


def load_rare_study(name: str) -> RareStudyConfig:
    """A shipped study about rare words by name, or one of a TOML file."""
    path = shipped_rare_studies().get(name, Path(name))
    try:
        return config.build(RareStudyConfig, config.read_toml(path), "the study")
    except ConfigError as error:
        raise ConfigError(f"The study {name} cannot be used. {error}") from None
