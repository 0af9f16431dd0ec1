"""Studies about tables of vectors: what their rows and columns are."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from everyword.config import Count
from everyword.studies.benchmarks import base_of, is_network, known_benchmarks
from everyword.studies.config import NetworkSizes, Size, Study, Variant, unknown_names

SENTENCES = "sentences"
"""The name of the settings of the prepared corpus."""


@dataclass(frozen=True, kw_only=True)
class TableVariant(Variant):
    """A row about a table of vectors, with the command that makes its file."""

    make: str = ""
    """A command of everyword; @encoder, @corpus, @parser, @prepared, @work, @device and @output are filled in, @seed by
    the number of a seed, @run by what tells its files apart from those of other seeds, and a name of the study's sizes,
    such as @sentences, by the settings of a size."""
    contextual: bool = False
    """Whether networks read what the encoder puts out for each occurrence of a word; there is no table then."""
    layer: Literal["last", "middle"] = "last"
    """Which layer of the encoder they read then."""
    encoder: Count = 1
    """Which of the study's encoders its command gets, with the corpus as that one reads it."""
    seeds: Count | None = None
    """How many seeds make the row, if fewer than those of the study; no claim should be about such a row."""

    @property
    def file(self) -> str:
        """The name of the table's file, of the first seed."""
        return self.file_of(0)

    @property
    def seeded(self) -> bool:
        """Whether another seed makes another table."""
        return "@seed" in self.make or "@run" in self.make

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if bool(self.make) == self.contextual:
            yield f"{self.label!r} must be made by a command, or else be contextual"
        if self.make and self.layer != "last":
            yield f"{self.label!r} reads a layer of its own, but is made by a command, which has its own options"

    def file_of(self, seed: int) -> str:
        """Return the name of the table's file; a table without chance in it has one for all seeds."""
        return f"{self.folder}{run_of(seed) if self.seeded else ''}.npy"

    def at_size(self, settings: Mapping[str, Sequence[str]]) -> str:
        """Return the command with the settings of a size filled in."""
        named = {f"@{name}": parts for name, parts in settings.items()}
        return shlex.join(part for word in shlex.split(self.make) for part in named.get(word, [word]))

    def command(
        self, given: Mapping[str, Sequence[str]], seed: int = 0, settings: Mapping[str, Sequence[str]] | None = None
    ) -> list[str] | None:
        """Return the words of the command with what it names filled in; None if something is not given."""
        words: list[str] = []
        for asked in shlex.split(self.at_size(settings or {})):
            part = asked.replace("@seed", str(seed)).replace("@run", run_of(seed))
            named = re.match(r"@([a-z]+)", part)
            if named is None:
                words.append(part)
            elif not given.get(named[1]):
                return None
            elif part == "@corpus":
                words += [word for path in given["corpus"] for word in ("--corpus", path)]
            else:
                words.append(given[named[1]][0] + part[named.end() :])
        return words


def run_of(seed: int) -> str:
    """Return what tells the files of a seed apart: nothing for the first one."""
    return f"-{seed}" if seed else ""


@dataclass(frozen=True, kw_only=True)
class TableStudy(Study):
    """A comparison of tables of vectors."""

    kind: Literal["tables"] = "tables"
    variants: tuple[TableVariant, ...]
    small: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Settings by the names that commands have for them; those named `sentences` are of the prepared corpus."""
    full: dict[str, tuple[str, ...]] = field(default_factory=dict)
    networks: NetworkSizes = field(default_factory=NetworkSizes)
    encoders: tuple[str, ...] = ("an encoder",)
    """What --encoder names, in order."""
    neighbours: tuple[str, ...] = ()
    """Words whose nearest words are listed beside the table, by the first seed of every row."""

    def settings_of(self, size: Size) -> tuple[str, ...]:
        sizes = self.small if size == "small" else self.full
        of_sentences = sizes.get(SENTENCES, ())
        others = ((name, settings) for name, settings in sizes.items() if name != SENTENCES)
        return (*of_sentences, *(f"{name}.{setting}" for name, settings in others for setting in settings))

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made: vectors that are read off an encoder are always the same."""
        assert isinstance(variant, TableVariant)
        return self.seeds_of(variant) if variant.seeded or is_network(column) else None

    def seeds_of(self, variant: TableVariant) -> int:
        """Return how many seeds make a row."""
        return min(self.seeds, variant.seeds or self.seeds)

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        yield from unknown_names("benchmark", map(base_of, self.benchmarks), known_benchmarks())
        if self.networks != NetworkSizes() and not any(map(is_network, self.benchmarks)):
            yield "networks are set, but none of its benchmarks trains one"
        judged = {label for claim in self.claims for label in (claim.better, *claim.than)}
        few = [one.label for one in self.variants if one.seeds and one.label in judged]
        yield from (f"a row that claims are about needs all seeds. Got seeds for {label!r}" for label in few)
        yield from (
            f"{one.label!r} reads encoder {one.encoder}, but encoders has {len(self.encoders)}"
            for one in self.variants
            if one.encoder > len(self.encoders)
        )
        if self.small.keys() != self.full.keys():
            yield f"both sizes must have the same names. Got {', '.join(self.small)} and {', '.join(self.full)} instead"
