"""How a study names its pieces: TASK/DATA, TASK/DATA@NOISE and TASK/DATA#SCORE.

"tagging/bc2gm@typo-70" is scored under noise, "pos/ud-ewt#accuracy_unseen" by another score than the main one; both may
be said at once, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from everyword import registry
from everyword.errors import EverywordError, InputError
from everyword.evaluation.benchmark import Benchmark, MissingData, choose, known_tasks
from everyword.evaluation.catalogue import DATA_SETS
from everyword.evaluation.evaluated_model import GIVING_VECTORS
from everyword.evaluation.robustness.noise import PUBLISHED, Noise, read_noise
from everyword.evaluation.tasks.extrinsic.tasks import published_file


def base_of(piece: str) -> str:
    """The task and its data set alone.

    >>> base_of("tagging/bc2gm@typo-70#recall")
    'tagging/bc2gm'
    """
    return re.split("[@#]", piece)[0]


def score_of(piece: str) -> str | None:
    """The score that a piece asks for by name."""
    return piece.partition("#")[2] or None


def noise_of(piece: str) -> Noise | None:
    """The noise of a piece."""
    _, mark, noise = piece.partition("#")[0].partition("@")
    return read_noise(noise) if mark else None


def piece_at_hand(name: str, data: Path | None) -> Benchmark | MissingData:
    """One piece of a study, if its data is there, and its noisy copy where that is published."""
    try:
        [piece] = choose([base_of(name)], data)
        noise = noise_of(name)
        if isinstance(piece, Benchmark) and noise and noise.corruption == PUBLISHED:
            published_file(piece.files[0], noise)
    except InputError as error:
        return MissingData(name, str(error))
    return piece if isinstance(piece, MissingData) else replace(piece, named=False, noise=noise)


def name_problems(piece: str) -> Iterator[str]:
    """What is wrong with what a name says beyond task and data set."""
    try:
        noise = noise_of(piece)
    except EverywordError as error:
        yield f"{piece!r} cannot be read: {error}"
        return
    if noise is None:
        return
    if piece.partition("/")[0] in {task.name for task in known_tasks() if task.corrupt is None}:
        yield f"{piece!r} is about misspelt words already and takes no noise"
    if noise.corruption == PUBLISHED and not piece.startswith("classification/"):
        yield f"{piece!r} has published noise, which only texts have"


def known_pieces(*, slow: bool | None = None) -> set[str]:
    """Every task on every data set of its kind, as a study names them; slow ones train networks on the vectors.

    Tasks that give words in sentences are for other ways to get vectors than those that a study compares.
    """
    tasks = [task for task in known_tasks() if slow in (None, task.slow) and not task.reads_sentences]
    return {f"{task.name}/{data.name}" for task in tasks for data in DATA_SETS if data.kind == task.kind}


def known_policies(teacher: bool) -> tuple[str, ...]:
    """The policies for a model; a table of vectors infers none. What a tagger reads beside vectors is its input."""
    return tuple(registry.unknown_policies) if teacher else GIVING_VECTORS
