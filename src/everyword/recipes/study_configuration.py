"""What a study is: one table of a paper as data, with what the paper claims about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Literal

from everyword import config, registry
from everyword.errors import ConfigError, UnknownNameError, did_you_mean
from everyword.recipes.catalogue import shipped_recipes

MEAN = "mean"
"""The mean over all pieces of a study, which a claim or a paper can name like a piece."""
Size = Literal["small", "full"]


@dataclass(frozen=True)
class VariantConfig:
    """One row of the table."""

    label: str
    recipe: str | None = None
    """A recipe other than the study's."""
    overrides: tuple[str, ...] = ()
    """What makes this variant what it is."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of this variant that depend on the size."""
    teacher: bool = False
    """Score the teacher's own table; nothing is trained."""
    paper: dict[str, float] = field(default_factory=dict)
    """The paper's numbers by piece, in percent."""

    @property
    def folder(self) -> str:
        """The label as the name of a folder."""
        return re.sub(r"[^a-z0-9]+", "-", self.label.lower()).strip("-")

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if not self.folder:
            yield f"the label must hold a letter or a digit. Got {self.label!r} instead"
        if self.teacher and (self.recipe or self.overrides or self.small or self.full):
            yield f"{self.label!r} is the teacher, which takes neither recipe nor overrides"
        if self.recipe is not None and self.recipe not in shipped_recipes():
            yield f"there is no recipe {self.recipe!r}: {did_you_mean(self.recipe, shipped_recipes())}"


@dataclass(frozen=True)
class ClaimConfig:
    """One variant is better than others on a piece."""

    text: str
    better: str
    than: tuple[str, ...]
    on: str

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        if not self.than:
            yield "than must name at least one variant"
        if self.better in self.than:
            yield f"{self.better!r} cannot be better than itself"


@dataclass(frozen=True)
class StudyConfig:
    """A table of a paper: its rows, its columns and what it is said to show."""

    name: str
    title: str
    source: str
    """Paper and table."""
    recipe: str
    pieces: tuple[str, ...]
    """Tasks on data sets, such as similarity/rareword."""
    variants: tuple[VariantConfig, ...]
    small: tuple[str, ...] = ()
    """Overrides for a size that two cores finish in well under an hour."""
    full: tuple[str, ...] = ()
    """Overrides for the paper's size."""
    policy: Literal["infer", "encode"] = "infer"
    claims: tuple[ClaimConfig, ...] = ()
    cautions: tuple[str, ...] = ()
    """What a reader of the table must know."""
    mean: bool = False
    """Whether the mean over all pieces is a column of its own."""
    scores: dict[str, str] = field(default_factory=dict)
    """Which score of a piece stands in the table, where it is not the task's main one."""
    seeds: int = 1
    """Each variant is trained so many times."""
    margin: float = 0.5
    """A difference up to this is too close to tell."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The pieces, and their mean where the study has one."""
        return (*self.pieces, MEAN) if self.mean else self.pieces

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
        yield from self._unknown_names()

    def _unknown_names(self) -> Iterator[str]:
        pieces, labels = known_pieces(), [variant.label for variant in self.variants]
        folders = [variant.folder for variant in self.variants]
        yield from (
            f"there is no piece {name!r}: {did_you_mean(name, pieces)}" for name in self.pieces if name not in pieces
        )
        yield from (
            f"two variants share the folder {name!r}" for name in sorted(set(folders)) if folders.count(name) > 1
        )
        named = [
            *self.scores,
            *(name for variant in self.variants for name in variant.paper),
            *(c.on for c in self.claims),
        ]
        yield from (f"{name!r} is none of its pieces" for name in dict.fromkeys(named) if name not in self.columns)
        for claim in self.claims:
            for label in (claim.better, *claim.than):
                if label not in labels:
                    yield f"the claim {claim.text!r} names the variant {label!r}: {did_you_mean(label, labels)}"


def known_pieces() -> set[str]:
    """Every task on every data set of its kind, as a study names them."""
    from everyword.evaluation.data_sets import DATA_SETS

    tasks = [registry.tasks.get(name) for name in registry.tasks]
    return {f"{task.name}/{data.name}" for task in tasks for data in DATA_SETS if data.kind == task.kind}


def shipped_studies() -> dict[str, Path]:
    """The studies inside the package, by name."""
    home = Path(str(files("everyword") / "recipes" / "studies"))
    return {path.stem: path for path in sorted(home.glob("*.toml"))}


def load_study(name: str) -> StudyConfig:
    """A shipped study by name, or one of a TOML file."""
    shipped = shipped_studies()
    path = shipped.get(name, Path(name))
    if name not in shipped and path.suffix != ".toml":
        raise UnknownNameError(f"There is no study {name!r}: {did_you_mean(name, shipped)} A file must end in .toml.")
    try:
        return config.build(StudyConfig, config.read_toml(path), "the study")
    except ConfigError as error:
        raise ConfigError(f"The study {name} cannot be used. {error}") from None
