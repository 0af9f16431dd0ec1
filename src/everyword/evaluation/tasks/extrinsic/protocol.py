"""From a learner to a score: the rate is chosen on dev, then fresh models of several seeds are scored on test.

Test is looked at once for each seed, after everything is chosen. With `keep_in`, each (rate, seed) is kept as a small
JSON file as soon as it is done, and a killed run goes on behind it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.evaluation.tasks.extrinsic.learner import Fitted, Learner
from everyword.evaluation.tasks.extrinsic.splits import D, check
from everyword.files import read_object


@dataclass(frozen=True)
class Scores:
    """What a task found. All scores are in percent, so 100 is perfect."""

    main: str
    values: Mapping[str, float]
    """Each score by name: the mean over the seeds."""
    spread: Mapping[str, float]
    """Standard deviation over the seeds (of the population; 0 for one seed)."""
    seeds: int
    n: int
    """How many items (texts or sentences) were scored."""
    known: int
    """How many of them have only known tokens."""
    tokens: int
    tokens_known: int
    rate: float
    """The learning rate that did best on dev."""
    dev: Mapping[str, float]
    """The main score on dev for each rate."""
    encode_seconds: float
    train_seconds: float
    score_seconds: float
    """Times of all runs on all test sets together, those of kept pieces included."""

    @property
    def value(self) -> float:
        """The main score."""
        return self.values[self.main]


@dataclass(frozen=True)
class Piece:
    """One trained model: its score on dev, and its scores on each test set if it was scored there."""

    rate: float
    seed: int
    dev: float
    epoch: int
    train_seconds: float
    tests: Sequence[Mapping[str, float]] = ()
    score_seconds: float = 0.0


@dataclass(frozen=True)
class Runs:
    """The models of a learner: how their rate was chosen, and one for each seed, scored."""

    rate: float
    sweep: list[Piece]
    pieces: list[Piece]


def run_seeds(learner: Learner[D], tests: Sequence[D], *, keep_in: Path | None = None) -> Runs:
    """Choose the rate, train the seeds, score each test set with all of them."""
    check(learner.train, tests)
    folder = None if keep_in is None else keep_in / learner.fingerprint(tests)[:16]
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    rate, sweep, fitted = choose_rate(learner, folder)
    first = learner.learning.seed
    pieces = []
    for seed in range(first, first + learner.learning.seeds):
        pieces.append(_tested(learner, tests, rate, seed, fitted=fitted if seed == first else None, folder=folder))
    return Runs(rate, sweep, pieces)


def judge(learner: Learner[D], test: D, *, keep_in: Path | None = None) -> Scores:
    """Choose the rate, train the seeds, score test."""
    return judge_all(learner, [test], keep_in=keep_in)[0]


def judge_all(learner: Learner[D], tests: Sequence[D], *, keep_in: Path | None = None) -> list[Scores]:
    """Choose the rate and train the seeds once, then score each test set with the same networks."""
    runs = run_seeds(learner, tests, keep_in=keep_in)
    return [_scores(learner, runs, place, test) for place, test in enumerate(tests)]


def _scores(learner: Learner[D], runs: Runs, place: int, test: D) -> Scores:
    sweep, pieces = runs.sweep, runs.pieces
    rows = learner.words.rows(test.tokens)
    tokens_known, known = learner.words.count_known(rows)
    values, spread = mean_and_spread([piece.tests[place] for piece in pieces])
    trained = [*sweep, *(piece for piece in pieces if not sweep or piece.seed != learner.learning.seed)]
    return Scores(
        main=learner.main,
        values=values,
        spread=spread,
        seeds=len(pieces),
        n=len(test),
        known=known,
        tokens=sum(map(len, rows)),
        tokens_known=tokens_known,
        rate=runs.rate,
        dev={f"{piece.rate:g}": piece.dev for piece in sweep or pieces[:1]},
        encode_seconds=learner.words.encode_seconds,
        train_seconds=sum(piece.train_seconds for piece in trained),
        score_seconds=sum(piece.score_seconds for piece in pieces),
    )


def choose_rate(learner: Learner[D], folder: Path | None = None) -> tuple[float, list[Piece], Fitted | None]:
    """The rate with the best score on dev, the pieces it was chosen from, and its model if it is at hand.

    A single rate is taken without trying it.
    """
    learning = learner.learning
    if len(learning.rates) == 1:
        return learning.rates[0], [], None
    pieces: list[Piece] = []
    best: Fitted | None = None
    for rate in learning.rates:
        piece = _kept(folder, rate, learning.seed, "dev")
        if piece is None:
            fitted = learner.fit(rate, learning.seed)
            piece = _piece(fitted)
            _keep(folder, piece, "dev")
            best = fitted if best is None or fitted.dev > best.dev else best
        pieces.append(piece)
    chosen = max(pieces, key=lambda piece: piece.dev)  # of equal ones the first
    return chosen.rate, pieces, best if best is not None and best.rate == chosen.rate else None


def mean_and_spread(scores: Sequence[Mapping[str, float]]) -> tuple[dict[str, float], dict[str, float]]:
    """Mean and standard deviation of each score over the seeds."""
    values = {name: float(np.mean([score[name] for score in scores])) for name in scores[0]}
    return values, {name: float(np.std([score[name] for score in scores])) for name in scores[0]}


def _tested(
    learner: Learner[D], tests: Sequence[D], rate: float, seed: int, *, fitted: Fitted | None, folder: Path | None
) -> Piece:
    piece = _kept(folder, rate, seed, "test")
    if piece is not None:
        return piece
    fitted = fitted or learner.fit(rate, seed)
    start = perf_counter()
    scores = [learner.score(fitted.network, test) for test in tests]
    piece = _piece(fitted, scores, perf_counter() - start)
    _keep(folder, piece, "test")
    return piece


def _piece(fitted: Fitted, tests: Sequence[Mapping[str, float]] = (), score_seconds: float = 0.0) -> Piece:
    return Piece(fitted.rate, fitted.seed, fitted.dev, fitted.epoch, fitted.seconds, tests, score_seconds)


def _place(folder: Path, rate: float, seed: int, split: str) -> Path:
    return folder / f"{split}-rate-{rate:g}-seed-{seed}.json"


def _keep(folder: Path | None, piece: Piece, split: str) -> None:
    if folder is not None:
        write_atomic(_place(folder, piece.rate, piece.seed, split), json.dumps(asdict(piece), indent=2) + "\n")


def _kept(folder: Path | None, rate: float, seed: int, split: str) -> Piece | None:
    if folder is None or not (path := _place(folder, rate, seed, split)).exists():
        return None
    try:
        return Piece(**read_object(path))
    except (ValueError, TypeError) as error:
        raise InputError(f"{path} is no kept piece of a run: {error}. Remove it, and it is made again.") from None
