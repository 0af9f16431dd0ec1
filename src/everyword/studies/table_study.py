"""A study of tables: each row is a file of vectors, and the command that makes it is part of the study."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from everyword import config
from everyword.errors import UnknownNameError, did_you_mean
from everyword.evaluation.benchmark import MissingData
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.evaluation.run import evaluate
from everyword.studies.benchmarks import known_pieces, piece_at_hand
from everyword.studies.catalogue import studies_in
from everyword.studies.config import ClaimConfig, StudyConfig, VariantConfig
from everyword.studies.findings import Findings, Row, Score

SUFFIX = ".npy"
NAMED = re.compile(r"@([a-z]+)")


@dataclass(frozen=True)
class TableConfig:
    """One row: what it is called, how its file is made, and the paper's scores."""

    label: str
    make: str
    """A command of everyword, with @encoder, @corpus, @parser, @prepared, @work, @device, @output for what is given."""
    paper: dict[str, float] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The file of the table."""
        return re.sub(r"\W+", "-", self.label.lower()).strip("-") + SUFFIX

    def command(self, given: Mapping[str, Sequence[str]]) -> list[str] | None:
        """The words of the command with all that it names filled in; None if something of it was not given."""
        words: list[str] = []
        for part in shlex.split(self.make):
            named = NAMED.match(part)
            if named is None:
                words.append(part)
            elif not given.get(named[1]):
                return None
            elif part == "@corpus":
                words += [word for path in given["corpus"] for word in ("--corpus", path)]
            else:
                words.append(given[named[1]][0] + part[named.end() :])
        return words


@dataclass(frozen=True)
class TableStudy:
    """A published comparison of tables."""

    name: str
    title: str
    source: str
    pieces: tuple[str, ...]
    tables: tuple[TableConfig, ...]
    claims: tuple[ClaimConfig, ...] = ()
    cautions: tuple[str, ...] = ()
    margin: float = 0.5

    def problems(self) -> Iterator[str]:
        """Names that do not exist."""
        labels, known = [table.label for table in self.tables], known_pieces(slow=False)
        for name in self.pieces:
            if name not in known:
                yield f"there is no piece {name!r}: {did_you_mean(name, known)}"
        for claim in self.claims:
            for label in (claim.better, *claim.than):
                if label not in labels:
                    yield f"the claim {claim.text!r} names the table {label!r}: {did_you_mean(label, labels)}"
            if claim.on not in self.pieces:
                yield f"{claim.on!r} is none of its pieces"

    @property
    def as_study(self) -> StudyConfig:
        """The same as findings are told of."""
        rows = tuple(VariantConfig(label=table.label, teacher=True, paper=table.paper) for table in self.tables)
        return StudyConfig(
            self.name, self.title, self.source, "", self.pieces, rows, claims=self.claims, cautions=self.cautions,
            margin=self.margin,
        )  # fmt: skip


def shipped_table_studies() -> dict[str, Path]:
    """The studies of tables inside the package, by name."""
    return studies_in("tables")


def load_table_study(name: str) -> TableStudy:
    """A shipped study of tables."""
    shipped = shipped_table_studies()
    if name not in shipped:
        raise UnknownNameError(f"There is no study {name!r}: {did_you_mean(name, shipped)}")
    return config.build(TableStudy, config.read_toml(shipped[name]), "the study")


def judge_tables(
    study: TableStudy, folder: Path, *, data: Path | None, results: Path, told: str, tell: Callable[[str], None]
) -> Findings:
    """Score every table that lies in the folder; a row without one, and a claim about it, is not tested."""
    pieces = {name: piece_at_hand(name, data) for name in study.pieces}
    for piece in pieces.values():
        if isinstance(piece, MissingData):
            tell(f"{piece.name}: passed over. {piece.reason}")
    rows: dict[str, Row] = {}
    identities: dict[str, list[str]] = {}
    for table in study.tables:
        row: dict[str, Score | None] = dict.fromkeys(pieces)
        path = folder / table.file
        if path.exists():
            way = open_evaluated(str(path), "zero")
            identities[table.label] = [way.fingerprint or ""]
            for name, done in zip(pieces, evaluate(way, pieces.values(), save_to=results), strict=True):
                if done.result is not None and (value := done.result.scores[done.result.main]) is not None:
                    row[name] = Score(value)
        rows[table.label] = row
    return Findings(study.as_study, "small", rows, told, models=identities)
