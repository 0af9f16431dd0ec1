"""Embed files of texts: inputs → plan → parts, resumable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword import config
from everyword.corpus.columns.files import find_files
from everyword.corpus.columns.records import Wanted
from everyword.corpus.embedding.parts import remove_partial
from everyword.corpus.embedding.plan import MANIFEST, Options, Plan, UsedModel, changes
from everyword.corpus.embedding.worker import Job, close_files, embed_part, read_input, survey_file
from everyword.corpus.executors import EXECUTORS, Executor, Task, executor_for, run_all
from everyword.errors import InputError, did_you_mean
from everyword.extras import require
from everyword.learning.interrupt import Interrupt
from everyword.models.load import DEFAULT, embedded_models, load
from everyword.sentences.index import fingerprint

REMEDY = "choose another --output, or start again with --overwrite."
Progress = Callable[[int, int], object]
"""Called with the number of texts that are finished, and of all."""


@dataclass(frozen=True)
class Embedded:
    """The result of a run."""

    folder: Path
    texts: int
    dim: int
    files: tuple[Path, ...]
    complete: bool
    """False if Ctrl-C stopped the run; the same call continues it."""


def embed_files(
    inputs: str | Path | Iterable[str | Path],
    output: str | Path,
    *,
    column: str = "text",
    model: str | Path | None = None,
    keep: Sequence[str] = (),
    format: str = "parquet",
    normalize: bool = False,
    missing: str = "error",
    executor: str = "none",
    workers: int | None = None,
    overwrite: bool = False,
    batch_size: int = Options.batch_size,
    rows_per_part: int = Options.rows_per_part,
    progress: Progress = lambda done, of: None,
) -> Embedded:
    """Write the vectors of all texts of files to a folder, continuing an earlier attempt.

    The rows of all inputs, one after the other, are cut into parts of equal size; each part is a file. The files do not
    depend on executor and workers, up to the rounding of different processors.

    Args:
        inputs: Files (.parquet .jsonl .csv .tsv .txt, also packed), folders, patterns such as "texts/*.csv", and
            addresses such as "s3://bucket/folder".
        output: The folder for the vectors and their manifest.
        column: The column or field of the texts; plain text has a text per line.
        model: The name of an embedded model, a folder or a hub id; None for the default.
        keep: Columns to copy beside the vectors, in Parquet only.
        format: "parquet", "npy" or "safetensors".
        normalize: Scale every vector to length 1.
        missing: "error" to refuse a missing text (None, NaN), "empty" to take it as an empty one, which gets zeros.
        executor: "none" for this process, "processes" or "ray".
        workers: How many processes; by default one per core.
        overwrite: Replace the vectors of another run.
        batch_size: How many texts are encoded together.
        rows_per_part: How many texts a file holds.
        progress: Called now and then.

    Returns:
        What was written.

    Raises:
        InputError: If an input cannot be read, or the folder holds the result of other texts, options or models.
        EverywordError: If the disk is full, or workers die again and again; finished parts are kept.
    """
    _check_choice("executor", executor, EXECUTORS)
    _check_choice("missing", missing, ("error", "empty"))
    values: dict[str, Any] = {"column": column, "keep": tuple(keep), "format": format, "normalize": normalize}
    options = config.build(Options, values | {"batch_size": batch_size, "rows_per_part": rows_per_part}, "the options")
    if options.format == "parquet":
        require("pyarrow.parquet", "The format parquet (others: npy, safetensors)")
    folder = Path(output)
    given = [inputs] if isinstance(inputs, str | Path) else list(inputs)
    run = _Run(
        find_files(map(str, given), leave_out=folder),
        folder,
        options,
        _name(model),
        missing == "empty",
        executor_for(executor, workers),
        progress,
    )
    with Interrupt() as interrupt:
        try:
            return run(lambda: interrupt.requested, overwrite=overwrite)
        finally:
            close_files()


@dataclass(frozen=True)
class _Run:
    locations: Sequence[str]
    folder: Path
    options: Options
    model: str
    missing_is_empty: bool
    executor: Executor
    progress: Progress

    def __call__(self, stopped: Callable[[], bool], *, overwrite: bool) -> Embedded:
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"{self.folder} is a file; choose a folder for the vectors.")
        loaded = load(self.model)
        model = UsedModel(loaded.name, fingerprint(loaded), loaded.dim)
        del loaded
        plan = None if overwrite else self._earlier(model)
        if plan is None:
            plan = self._planned(model, stopped)
            if plan is None:
                return Embedded(self.folder, 0, model.dim, (), False)
            self._begin(plan)
        try:
            complete = self._embed(plan, stopped)
        finally:
            remove_partial(self.folder)  # what killed workers left
        files = tuple(self.folder / part.file for part in plan.parts)
        return Embedded(self.folder, plan.rows, model.dim, files, complete)

    def _earlier(self, model: UsedModel) -> Plan | None:
        """Return the plan that the folder holds already; raise InputError if it is of another run."""
        if not (self.folder / MANIFEST).is_file():
            # Half a manifest is of a run that was killed before it had begun.
            if self.folder.is_dir() and {path.name for path in self.folder.iterdir()} - {f"{MANIFEST}.partial"}:
                raise InputError(f"{self.folder} is not empty and has no manifest of vectors; {REMEDY}")
            return None
        plan = Plan.load(self.folder)
        if plan.model.fingerprint != model.fingerprint:
            raise InputError(f"{self.folder} holds vectors of another model ({plan.model.name}); {REMEDY}")
        if different := changes(plan.options, self.options):
            raise InputError(f"{self.folder} was begun with other options ({different}); {REMEDY}")
        if [each.location for each in plan.inputs] != list(self.locations):
            raise InputError(f"{self.folder} was begun with other input files; {REMEDY}")
        for each in plan.inputs:
            if not each.identity.still_holds(each.location):
                raise InputError(f"{each.location} has changed since {self.folder} was begun; {REMEDY}")
        return plan

    def _planned(self, model: UsedModel, stopped: Callable[[], bool]) -> Plan | None:
        wanted = Wanted(self.options.column, self.options.keep, self.missing_is_empty)
        base = str(Path.cwd())
        tasks = [Task(location, survey_file, (base, location, wanted)) for location in self.locations]
        found = run_all(self.executor, tasks, stopped)
        if found is None:
            return None
        plan = Plan(model, self.options, tuple(map(read_input, found)))
        if not plan.rows:
            several = "hold" if len(self.locations) > 1 else "holds"
            raise InputError(f"{', '.join(self.locations[:3])} {several} no texts; there is nothing to embed.")
        return plan

    def _begin(self, plan: Plan) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / MANIFEST).unlink(missing_ok=True)
        for suffix in ("parquet", "npy", "safetensors"):
            for old in self.folder.glob(f"part-?????-of-?????.{suffix}"):
                old.unlink()
        plan.save(self.folder)

    def _embed(self, plan: Plan, stopped: Callable[[], bool]) -> bool:
        missing = {number: part for number, part in enumerate(plan.parts) if not (self.folder / part.file).is_file()}
        done = plan.rows - sum(part.rows for part in missing.values())
        self.progress(done, plan.rows)
        folder, base = str(self.folder.resolve()), str(Path.cwd())
        job = Job(folder, base, self.model, plan.fingerprint, self.missing_is_empty)
        tasks = {Task(f"{part.file}", embed_part, (job, number)): part for number, part in missing.items()}
        problems: list[str] = []
        for result in self.executor(list(tasks), lambda: stopped() or bool(problems)):
            if result.problem:
                problems.append(result.problem)
            else:
                done += tasks[result.task].rows
                self.progress(done, plan.rows)
        if problems:
            raise InputError(min(problems))
        return done == plan.rows


def _name(model: str | Path | None) -> str:
    """Return what finds a model in every worker, on other machines too: a folder by its whole path, others by name."""
    name = DEFAULT if model is None else str(model)
    return str(Path(name).resolve()) if name not in embedded_models() and Path(name).is_dir() else name


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise InputError(f"There is no {name} {value!r}: {did_you_mean(value, choices)}")
