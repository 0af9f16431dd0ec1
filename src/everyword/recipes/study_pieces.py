"""How a study names its pieces: TASK/DATA, and where networks are trained, TASK/DATA@NOISE and TASK/DATA#SCORE.

"tagging/bc2gm@typo-70" is scored on a test text with noise, "pos/ud-ewt#accuracy_unseen" by another score than the main
one; both may be said at once, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from everyword import registry
from everyword.errors import InputError
from everyword.evaluation.data_sets import DATA_SETS
from everyword.evaluation.extrinsic.noise import PUBLISHED, Noise, read_noise
from everyword.evaluation.pieces import known_tasks
from everyword.evaluation.way import POLICIES


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
    """The noise in the test text of a piece."""
    _, mark, noise = piece.partition("#")[0].partition("@")
    return read_noise(noise) if mark else None


def name_problems(piece: str) -> Iterator[str]:
    """What is wrong with what a name says beyond task and data set."""
    if piece != base_of(piece) and base_of(piece) not in known_pieces(slow=True):
        yield f"{piece!r} has noise or a score, which only tasks that train networks take"
    try:
        noise = noise_of(piece)
    except InputError as error:
        yield f"{piece!r} cannot be read: {error}"
        return
    if noise is not None and noise.kind == PUBLISHED and not piece.startswith("classification/"):
        yield f"{piece!r} has published noise, which only texts have"


def known_pieces(*, slow: bool | None = None) -> set[str]:
    """Every task on every data set of its kind, as a study names them; slow ones train networks on the vectors."""
    tasks = [task for task in known_tasks() if slow in (None, task.slow)]
    return {f"{task.name}/{data.name}" for task in tasks for data in DATA_SETS if data.kind == task.kind}


def known_policies(teacher: bool) -> tuple[str, ...]:
    """The policies for a model; a table of vectors infers none."""
    return tuple(registry.unknown_policies) if teacher else POLICIES
