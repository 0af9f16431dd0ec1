"""Run pieces one after the other and keep each result at once, so that a killed run goes on where it stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from time import perf_counter

from everyword.errors import InputError
from everyword.evaluation import results
from everyword.evaluation.pieces import Absent, Piece
from everyword.evaluation.results import Result
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.way import Way


@dataclass(frozen=True)
class Done:
    """A piece with its result, or the reason why it has none."""

    piece: str
    result: Result | None = None
    reason: str = ""
    kept_before: bool = False
    """Whether the result was made by an earlier run."""


def evaluate(
    way: Way, pieces: Iterable[Piece | Absent], *, keep_in: Path | None = None, seed: int = 0, overwrite: bool = False
) -> Iterator[Done]:
    """Run each piece that has no kept result for the same model, policy, task version, data and seed."""
    for piece in pieces:
        if isinstance(piece, Absent):
            yield Done(piece.name, reason=piece.reason)
            continue
        path = results.place_of(keep_in, way, piece) if keep_in is not None else None
        kept = None if overwrite or path is None else _kept(path)
        if kept is not None and kept.answers(way, piece, seed):
            yield Done(piece.name, kept, kept_before=True)
            continue
        try:
            result = run_piece(way, piece, seed)
        except NoOverlapError as error:
            if piece.named:
                raise
            yield Done(piece.name, reason=str(error))
            continue
        if path is not None:
            results.keep(path, result)
        yield Done(piece.name, result)


def run_piece(way: Way, piece: Piece, seed: int = 0) -> Result:
    """Score one piece, with the time for vectors and for scoring apart."""
    data = piece.task.load(*piece.files)
    start, encoded = perf_counter(), way.encode_seconds
    scores = piece.task.run(way, data, seed)
    encode_seconds = way.encode_seconds - encoded
    score_seconds = perf_counter() - start - encode_seconds
    bad = [name for name, value in scores.values.items() if value is not None and not isfinite(value)]
    if bad:
        raise InputError(f"{piece.name} gives {way.name} no finite score for {', '.join(bad)}; please report it.")
    return results.make(way, piece, seed, scores, encode_seconds=encode_seconds, score_seconds=score_seconds)


def _kept(path: Path) -> Result | None:
    try:
        return results.read(path)
    except (InputError, FileNotFoundError):
        return None  # damaged or of another schema: made again
