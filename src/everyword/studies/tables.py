"""Run a study about tables of vectors: make those that are missing by commands of everyword, and score all of them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from everyword.atomic import write_atomic
from everyword.config import Count, build, override
from everyword.errors import EverywordError, MissingExtraError
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.files import read_object
from everyword.studies.benchmarks import find_benchmarks, known_benchmarks, score_row
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Size, Study, Variant, unknown_names
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.neighbour_lists import nearest_words
from everyword.systems.skipgram.config import RECORD, SentencesConfig

Cell = dict[str, Any]
"""The scores of one table and how it was made; empty if there is no table."""
SCORES = "scores"
SENTENCES = "sentences"
"""The name of the settings of the prepared corpus."""


@dataclass(frozen=True, kw_only=True)
class TableVariant(Variant):
    """A row about a table of vectors, with the command that makes its file."""

    make: str
    """A command of everyword; @encoder, @corpus, @parser, @prepared, @work, @device and @output are filled in, @seed by
    the number of a seed, @run by what tells its files apart from those of other seeds, and a name of the study's sizes,
    such as @sentences, by the settings of a size."""
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

    def file_of(self, seed: int) -> str:
        """Return the name of the table's file; a table without chance in it has one for all seeds."""
        return f"{self.folder}{_run_of(seed) if self.seeded else ''}.npy"

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
            part = asked.replace("@seed", str(seed)).replace("@run", _run_of(seed))
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


def _run_of(seed: int) -> str:
    return f"-{seed}" if seed else ""


@dataclass(frozen=True, kw_only=True)
class TableStudy(Study):
    """A comparison of tables of vectors."""

    kind: Literal["tables"] = "tables"
    variants: tuple[TableVariant, ...]
    small: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Settings by the names that commands have for them; those named `sentences` are of the prepared corpus."""
    full: dict[str, tuple[str, ...]] = field(default_factory=dict)
    neighbours: tuple[str, ...] = ()
    """Words whose nearest words are listed beside the table, by the first seed of every row."""

    def settings_of(self, size: Size) -> tuple[str, ...]:
        sizes = self.small if size == "small" else self.full
        of_sentences = sizes.get(SENTENCES, ())
        others = ((name, settings) for name, settings in sizes.items() if name != SENTENCES)
        return (*of_sentences, *(f"{name}.{setting}" for name, settings in others for setting in settings))

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made: vectors that are read off an encoder are always the same."""
        return self.seeds_of(variant) if isinstance(variant, TableVariant) and variant.seeded else None

    def seeds_of(self, variant: TableVariant) -> int:
        """Return how many seeds make a row."""
        return min(self.seeds, variant.seeds or self.seeds)

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        yield from unknown_names("benchmark", self.benchmarks, known_benchmarks(slow=False))
        judged = {label for claim in self.claims for label in (claim.better, *claim.than)}
        few = [one.label for one in self.variants if one.seeds and one.label in judged]
        yield from (f"a row that claims are about needs all seeds. Got seeds for {label!r}" for label in few)
        if self.small.keys() != self.full.keys():
            yield f"both sizes must have the same names. Got {', '.join(self.small)} and {', '.join(self.full)} instead"


@dataclass(frozen=True, kw_only=True)
class TableJob(Job):
    """A study about tables to run, with what their commands need."""

    study: TableStudy
    run_command: Callable[[list[str]], None]
    """Runs a command of everyword, given as its words."""
    encoder: str | None = None
    corpus: tuple[Path, ...] = ()
    parser: str | None = None
    prepared: Path | None = None
    """The prepared corpus, by default in the work folder."""

    @property
    def settings(self) -> dict[str, tuple[str, ...]]:
        """The settings of this run's size."""
        return self.study.small if self.size == "small" else self.study.full

    @property
    def prepared_folder(self) -> Path:
        """The folder of the prepared corpus."""
        return self.prepared or self.work / "prepared"


def run_tables(job: TableJob) -> Findings:
    """Make the tables that are missing in the work folder, and score all of them.

    The scores of a table are kept in the work folder, so that a table may be removed once it is scored. A table whose
    command needs something that is not given is skipped; its row and the claims about it are not tested.

    Args:
        job: The study, what its commands need, and the folders.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    given = _prepare(job)
    benchmarks = find_benchmarks(job.study.benchmarks, job.data, job.report)
    runs: dict[str, list[Cell]] = {variant.label: [] for variant in job.study.variants}
    # Seed by seed: a run that is stopped has some scores of every row, rather than all of some rows.
    for seed in range(job.study.seeds):
        for variant in job.study.variants:
            if not seed or (variant.seeded and seed < job.study.seeds_of(variant) and runs[variant.label]):
                runs[variant.label] += filter(None, [_cell(job, variant, seed, given, benchmarks)])
    rows = {
        variant.label: mean_row(
            [_row_of(cell, variant, benchmarks) for cell in runs[variant.label] or [{}]], job.study.columns
        )
        for variant in job.study.variants
    }
    fingerprints = {label: [str(cell["model"]) for cell in cells] for label, cells in runs.items()}
    encoder = Path(job.encoder).name if job.encoder else "no encoder"
    nearest = {label: cells[0]["nearest"] for label, cells in runs.items() if cells and cells[0].get("nearest")}
    return Findings(
        job.study,
        job.size,
        rows,
        f"{encoder}, {_about_corpus(job)}",
        details={"nearest words": nearest} if nearest else None,
        models=fingerprints,
    )


def _about_corpus(job: TableJob) -> str:
    """Return how many sentences and words the tables were made from."""
    try:
        record = read_object(job.prepared_folder / RECORD)
        return f"{sum(record['parts']):,} sentences, {record['words']:,} words"
    except (OSError, ValueError, KeyError, TypeError, EverywordError):
        return f"tables in {job.work.absolute().name}"


def _prepare(job: TableJob) -> dict[str, list[str]]:
    """Prepare the corpus, and return what commands may ask for."""
    prepared = job.prepared_folder
    if job.corpus and job.encoder:
        from everyword.language_models.language_model import LanguageModel
        from everyword.systems.skipgram.prepared import prepare

        chosen = override({}, job.settings.get(SENTENCES, ())).get(SENTENCES, {})
        sentences = build(SentencesConfig, chosen, "the sentences of the study")
        model = LanguageModel.load(job.encoder, device="cpu")
        prepare(job.corpus, prepared, sentences, model=model, report=job.report)
    return {
        "encoder": [job.encoder] if job.encoder else [],
        "corpus": [str(file) for file in job.corpus],
        "parser": [job.parser] if job.parser else [],
        "prepared": [str(prepared)] if (prepared / RECORD).exists() else [],
        "work": [str(job.work)],
        "device": [job.device],
    }


def _cell(
    job: TableJob,
    variant: TableVariant,
    seed: int,
    given: Mapping[str, Sequence[str]],
    benchmarks: Mapping[str, Benchmark | MissingData],
) -> Cell:
    """Return the scores of a table, made now if neither they nor the table are there; nothing if it cannot be made."""
    path = job.work / variant.file_of(seed)
    kept = job.work / SCORES / f"{path.stem}.json"
    wanted = [name for name, benchmark in benchmarks.items() if isinstance(benchmark, Benchmark)]
    known = _kept_cell(kept, variant.at_size(job.settings))
    if known and set(wanted) <= set(known["scores"]):
        return known
    if not path.exists() and not _made(job, variant, seed, {**given, "output": [str(path)]}):
        return {}
    model = open_evaluated(str(path), job.study.policy)
    row = score_row(model, benchmarks, job.results, job.report)
    cell = {
        "make": variant.at_size(job.settings),
        "seed": seed,
        "model": model.fingerprint or "",
        "dim": model.dim,
        "scores": {name: [score.value, score.n] for name, score in row.items() if score is not None},
        "nearest": nearest_words(model, job.study.neighbours),
    }
    kept.parent.mkdir(exist_ok=True)
    write_atomic(kept, json.dumps(cell, indent=2) + "\n")
    return cell


def _kept_cell(path: Path, make: str) -> Cell:
    """Return the scores that an earlier run kept of the same command."""
    try:
        cell = read_object(path)
        return cell if cell["make"] == make and isinstance(cell["scores"], dict) else {}
    except (OSError, ValueError, KeyError, EverywordError):
        return {}


def _row_of(cell: Cell, variant: TableVariant, benchmarks: Iterable[str]) -> Row:
    scores, seeds = cell.get("scores", {}), 1 if variant.seeded else None
    return {
        name: Score(scores[name][0], n=scores[name][1], seeds=seeds) if name in scores else None for name in benchmarks
    }


def _made(job: TableJob, variant: TableVariant, seed: int, given: Mapping[str, Sequence[str]]) -> bool:
    command = variant.command(given, seed, job.settings)
    if command is None:
        job.report(f"{variant.label}: skipped, because --encoder, --corpus or --parser is missing.")
        return False
    sources = [Path(word) for word in command if Path(word).parent == job.work and Path(word).suffix == ".npy"]
    absent = [path for path in sources if not path.exists() and str(path) not in given["output"]]
    if absent:
        job.report(f"{variant.label}: skipped, because {absent[0]} is missing.")
        return False
    job.report(shlex.join(["everyword", *command]))
    try:
        job.run_command(command)
    except MissingExtraError as error:
        job.report(f"{variant.label}: skipped. {error}")
        return False
    return True
