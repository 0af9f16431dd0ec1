"""What a study is: one table of a paper as data, with what the paper claims about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from everyword import config
from everyword.errors import ConfigError, UnknownNameError, did_you_mean
from everyword.evaluation.benchmark import known_tasks
from everyword.studies.benchmarks import base_of, known_pieces, known_policies, name_problems
from everyword.studies.catalogue import every_study, studies_in
from everyword.systems.spelling.recipe import shipped_recipes
from everyword.systems.taggers.inputs import Input

MEAN = "mean"
"""The mean over all pieces of a study, which a claim or a paper can name like a piece."""
Size = Literal["small", "full"]


@dataclass(frozen=True)
class PublishedRow:
    """One row of a published table."""

    label: str
    paper: dict[str, float] = field(default_factory=dict)
    """The paper's numbers by column, in percent."""

    @property
    def folder(self) -> str:
        """The label as the name of a folder."""
        return re.sub(r"[^a-z0-9]+", "-", self.label.lower()).strip("-")

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if not self.folder:
            yield f"the label must hold a letter or a digit. Got {self.label!r} instead"


@dataclass(frozen=True)
class VariantConfig(PublishedRow):
    """One row of a table about models that are trained on word vectors."""

    recipe: str | None = None
    """A recipe other than the study's."""
    overrides: tuple[str, ...] = ()
    """What makes this variant what it is."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of this variant that depend on the size."""
    teacher: bool = False
    """Score the teacher's own table; nothing is trained."""
    policy: str | None = None
    """A policy other than the study's; that of the teacher is zero unless it says spelling, mean or pieces."""
    input: Input = "frozen"
    """What a tagger reads of a word. Its characters are read by the variant's encoder, or by a fresh one."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        yield from super().problems()
        if self.teacher and (self.recipe or self.overrides or self.small or self.full):
            yield f"{self.label!r} is the teacher, which takes neither recipe nor overrides"
        if self.policy is not None and self.policy not in (policies := known_policies(self.teacher)):
            yield f"{self.label!r} has the policy {self.policy!r}: {did_you_mean(self.policy, policies)}"
        if self.recipe is not None and self.recipe not in shipped_recipes():
            yield f"there is no recipe {self.recipe!r}: {did_you_mean(self.recipe, shipped_recipes())}"


@dataclass(frozen=True)
class ClaimConfig:
    """One variant is better than others on a piece."""

    text: str
    better: str
    than: tuple[str, ...]
    on: str
    within: float = 0.0
    """So many points the first may be behind and still be said to be as good."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if not self.than:
            yield "than must name at least one variant"
        if self.better in self.than:
            yield f"{self.better!r} cannot be better than itself"
        if self.within < 0:
            yield f"within must be 0 or more. Got {self.within} instead"


@dataclass(frozen=True)
class NetworksConfig:
    """How networks are trained on the vectors; what is not given is as the task has it."""

    items: int | None = None
    """Train and dev are cut to so many items each; test is always whole."""
    epochs: dict[str, int] = field(default_factory=dict)
    """By task, as in { tagging = 10 }."""
    rates: tuple[float, ...] = ()
    """Learning rates, of which dev chooses one."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if self.items is not None and self.items < 2:
            yield f"items must be 2 or more. Got {self.items} instead"
        if any(rate <= 0 for rate in self.rates):
            yield f"rates must be above 0. Got {list(self.rates)} instead"
        networks = sorted({task.name for task in known_tasks() if task.slow})
        for task, epochs in self.epochs.items():
            if task not in networks:
                yield f"epochs are given for {task!r}: {did_you_mean(task, networks)}"
            if epochs < 1:
                yield f"epochs must be 1 or more. Got {epochs} for {task} instead"


@dataclass(frozen=True)
class NetworkSizes:
    """The networks of a study at its two sizes."""

    small: NetworksConfig = field(default_factory=NetworksConfig)
    full: NetworksConfig = field(default_factory=NetworksConfig)


@dataclass(frozen=True)
class StudyConfig:
    """A table of a paper: its rows, its columns and what it is said to show."""

    name: str
    title: str
    source: str
    """Paper and table."""
    recipe: str
    pieces: tuple[str, ...]
    """Tasks on data sets, such as similarity/rareword, tagging/bc2gm@typo-70 (under noise), analogy/msr#3cosmul."""
    variants: tuple[VariantConfig, ...]
    small: tuple[str, ...] = ()
    """Overrides for a size that two cores finish in well under an hour."""
    full: tuple[str, ...] = ()
    """Overrides for the paper's size."""
    networks: NetworkSizes = field(default_factory=NetworkSizes)
    """For tasks that train networks on the vectors."""
    policy: Literal["infer", "encode"] = "infer"
    claims: tuple[ClaimConfig, ...] = ()
    cautions: tuple[str, ...] = ()
    """What a reader of the table must know."""
    mean: bool = False
    """Whether the mean over all pieces is a column of its own."""
    seeds: int = 1
    """Each variant is trained so many times; where networks are trained on its vectors, they are, on one model."""
    margin: float = 0.5
    """A difference up to this is too close to tell."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The pieces, and their mean where the study has one."""
        return (*self.pieces, MEAN) if self.mean else self.pieces

    @property
    def digits(self) -> int:
        """Digits behind the point that its differences need."""
        return digits_for(self.margin)

    @property
    def trains_networks(self) -> bool:
        """Whether networks are trained on the vectors."""
        return not known_pieces(slow=True).isdisjoint(map(base_of, self.pieces))

    def problems(self) -> Iterator[str]:
        """Names that do not exist and values that cannot be."""
        if not re.fullmatch(r"[\w.-]+", self.name):
            yield f"the name must consist of letters, digits and hyphens. Got {self.name!r} instead"
        if self.recipe not in shipped_recipes():
            yield f"there is no recipe {self.recipe!r}: {did_you_mean(self.recipe, shipped_recipes())}"
        if self.seeds < 1:
            yield f"seeds must be 1 or more. Got {self.seeds} instead"
        if self.margin < 0:
            yield f"margin must be 0 or more. Got {self.margin} instead"
        if not self.pieces or not self.variants:
            yield "there must be at least one piece and one variant"
        yield from self._wrong_pieces()
        yield from wrong_names(self.variants, self.claims, self.columns)

    def _wrong_pieces(self) -> Iterator[str]:
        pieces, on_networks = known_pieces(), known_pieces(slow=True)
        bases = [base_of(name) for name in self.pieces]
        yield from (
            f"there is no piece {name!r}: {did_you_mean(name, pieces)}"
            for name in dict.fromkeys(bases)
            if name not in pieces
        )
        if 0 < sum(base in on_networks for base in bases) < len(bases):
            yield "its pieces must all train networks on the vectors, or none of them"
        if not self.trains_networks:
            if any(variant.input != "frozen" for variant in self.variants):
                yield "input is for studies that train taggers"
            if self.networks != NetworkSizes():
                yield "networks are set, but none of its pieces trains one"
        for name in self.pieces:
            yield from name_problems(name)


def wrong_names(
    variants: Sequence[PublishedRow], claims: Sequence[ClaimConfig], columns: Sequence[str]
) -> Iterator[str]:
    """Names of rows and columns that a table does not have, and rows that share one."""
    labels = [variant.label for variant in variants]
    folders = [variant.folder for variant in variants]
    yield from (f"two variants share the folder {name!r}" for name in sorted(set(folders)) if folders.count(name) > 1)
    named = [*(name for variant in variants for name in variant.paper), *(claim.on for claim in claims)]
    yield from (f"{name!r} is none of its pieces" for name in dict.fromkeys(named) if name not in columns)
    for claim in claims:
        for label in (claim.better, *claim.than):
            if label not in labels:
                yield f"the claim {claim.text!r} names the variant {label!r}: {did_you_mean(label, labels)}"


def digits_for(margin: float) -> int:
    """Digits behind the point that tell what a margin tells."""
    return 1 if margin >= 0.5 else 2


def shipped_studies() -> dict[str, Path]:
    """The studies inside the package, by name."""
    return studies_in("models")


def load_study(name: str) -> StudyConfig:
    """A shipped study by name, or one of a TOML file."""
    shipped = shipped_studies()
    path = shipped.get(name, Path(name))
    if name not in shipped and path.suffix != ".toml":
        raise UnknownNameError(
            f"There is no study {name!r}: {did_you_mean(name, every_study())} A file must end in .toml."
        )
    try:
        return config.build(StudyConfig, config.read_toml(path), "the study")
    except ConfigError as error:
        raise ConfigError(f"The study {name} cannot be used. {error}") from None
