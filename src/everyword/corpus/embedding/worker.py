"""The tasks of workers: look at a file, embed a part; each can safely run twice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from everyword import config
from everyword.corpus.columns.column import open_column, opened
from everyword.corpus.columns.files import FileIdentity, within
from everyword.corpus.columns.records import Column, Record, Wanted
from everyword.corpus.embedding.parts import Layout, PartRows, write_part
from everyword.corpus.embedding.plan import Input, Part, Plan
from everyword.errors import InputError
from everyword.models.load import load
from everyword.models.model import Model
from everyword.sentences.index import fingerprint as model_fingerprint

MOST_CHARACTERS = 1 << 23
"""Of the texts that are encoded together."""


def survey_file(base: str, location: str, wanted: Wanted) -> str:
    """Read all rows of a file, refuse it if one cannot be used, and return an `Input` as JSON."""
    identity = FileIdentity.of(within(base, location))
    with opened(within(base, location), wanted) as column:
        return json.dumps(asdict(Input(location, identity, column.survey())))


def read_input(described: str) -> Input:
    """Return what `survey_file` described."""
    return config.build(Input, json.loads(described), "an input")


@dataclass(frozen=True)
class Job:
    """What all parts of a run have in common."""

    folder: str
    """Where the manifest is, and the result goes."""
    base: str
    """The folder in which relative paths of inputs begin."""
    model: str
    """A name, a folder or a hub id."""
    plan: str
    """The fingerprint of the plan."""
    missing_is_empty: bool = False


def embed_part(job: Job, number: int) -> str:
    """Write the vectors of a part and return the name of its file."""
    plan, folder = _plan(job.folder, job.plan), job.folder
    part = plan.parts[number]
    if (Path(folder) / part.file).is_file():  # made by a worker that died before it could say so
        return part.file
    model = _model(job.model, plan.model.fingerprint)
    with one_thread():
        rows = _embedded(plan, part, model, job)
    write_part(Path(folder) / part.file, rows, _layout(plan))
    return part.file


def one_thread() -> AbstractContextManager[object]:
    """Let libraries for arrays compute in one thread: on some processors their rounding depends on the number."""
    try:
        from threadpoolctl import threadpool_limits
    except ModuleNotFoundError:  # workers have one thread anyway, and so has the command
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


def _embedded(plan: Plan, part: Part, model: Model, job: Job) -> PartRows:
    made = PartRows(np.empty((part.rows, model.dim), dtype=np.float32))
    options, wanted = plan.options, plan.wanted(missing_is_empty=job.missing_is_empty)
    for piece in part.pieces:
        source = plan.inputs[piece.input]
        column = _column(within(job.base, source.location), wanted)
        records = column.read(piece.first, piece.rows, source.survey)
        before = len(made.rows)
        for batch in _batches(records, options.batch_size):
            texts = [record.text or "" for record in batch]
            begin = len(made.rows)
            made.vectors[begin : begin + len(batch)] = model.encode_texts(
                texts, normalize=options.normalize, progress=False, batch_size=len(texts)
            )
            made.rows += [record.row for record in batch]
            if options.keep:
                made.kept += [record.kept for record in batch]
        if len(made.rows) - before != piece.rows:
            raise InputError(f"{source.location} has changed while it was read; start again with --overwrite.")
        made.inputs += [piece.input] * piece.rows
    return made


def _batches(records: Iterable[Record], size: int) -> Iterator[list[Record]]:
    """Split records into lists of at most `size`, and fewer if their texts are long."""
    rest, batch, characters = iter(records), list[Record](), 0
    for record in rest:
        batch.append(record)
        characters += len(record.text or "")
        if len(batch) == size or characters >= MOST_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _layout(plan: Plan) -> Layout:
    keep = plan.options.keep
    whole = [all(column) for column in zip(*(each.survey.whole_numbers for each in plan.inputs), strict=True)]
    about = {"everyword.model": plan.model.name, "everyword.fingerprint": plan.model.fingerprint}
    return Layout(plan.options.format, [each.location for each in plan.inputs], keep, whole, about)


@lru_cache(maxsize=1)
def _plan(folder: str, fingerprint: str) -> Plan:
    plan = Plan.load(Path(folder))
    if plan.fingerprint != fingerprint:
        raise InputError(f"{folder} now belongs to another run; start this one again in another folder.")
    return plan


@lru_cache(maxsize=1)
def _model(name: str, fingerprint: str) -> Model:
    model = load(name)
    if model_fingerprint(model) != fingerprint:
        raise InputError(f"The model {name} has changed during the run; start again with --overwrite.")
    return model


_last: dict[tuple[str, Wanted], Column] = {}
"""The column that was read last: in a packed file the next part is read on from where the last one ended."""


def _column(location: str, wanted: Wanted) -> Column:
    if (location, wanted) not in _last:
        close_files()
        _last[location, wanted] = open_column(location, wanted)
    return _last[location, wanted]


def close_files() -> None:
    """Close what was read last."""
    while _last:
        _last.popitem()[1].close()
