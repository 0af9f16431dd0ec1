"""The protocol of extrinsic tasks: choose the learning rate on dev, then score fresh models of several seeds on test.

Test is used once per seed, after everything is chosen. With `save_to`, each trial is saved as a small JSON file as soon
as it is done, and a killed run resumes after it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from everyword.atomic import write_atomic
from everyword.corpus.labelled.sets import D, check
from everyword.errors import InputError
from everyword.evaluation.task import Scores
from everyword.evaluation.tasks.extrinsic.learner import Learner, TrainedNetwork
from everyword.files import read_object


@dataclass(frozen=True, kw_only=True)
class LearnerScores(Scores):
    """The scores of a learner on a test set: means over the seeds, and how they came about."""

    values: Mapping[str, float]
    main: str
    tokens: int
    tokens_known: int
    rate: float
    """The learning rate with the best score on dev."""
    dev: Mapping[str, float]
    """The main score on dev for each rate."""
    encode_seconds: float
    train_seconds: float
    score_seconds: float
    """Times of all trials on all test sets together, including those of an earlier run."""

    @property
    def value(self) -> float:
        """The main score."""
        return self.values[self.main]


@dataclass(frozen=True)
class Trial:
    """One trained model: its score on dev, and its scores on each test set if it was scored there."""

    rate: float
    seed: int
    dev: float
    epoch: int
    train_seconds: float
    tests: Sequence[Mapping[str, float]] = ()
    score_seconds: float = 0.0


@dataclass(frozen=True)
class Trials:
    """The models of a learner: those among which the rate was chosen, and one scored model per seed."""

    rate: float
    sweep: list[Trial]
    trials: list[Trial]


def run_seeds(learner: Learner[D], tests: Sequence[D], *, save_to: Path | None = None) -> Trials:
    """Choose the rate, train the seeds, and score each test set with all of them."""
    check(learner.train, tests)
    folder = None if save_to is None else save_to / learner.fingerprint(tests)[:16]
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    rate, sweep, network = choose_rate(learner, folder)
    first = learner.learning.seed
    seeds = range(first, first + learner.learning.seeds)
    trials = [_tested(learner, tests, rate, seed, network if seed == first else None, folder) for seed in seeds]
    return Trials(rate, sweep, trials)


def score_test(learner: Learner[D], test: D, *, save_to: Path | None = None) -> LearnerScores:
    """Choose the rate, train the seeds and score a test set."""
    return score_tests(learner, [test], save_to=save_to)[0]


def score_tests(learner: Learner[D], tests: Sequence[D], *, save_to: Path | None = None) -> list[LearnerScores]:
    """Choose the rate and train the seeds once, then score each test set with the same networks."""
    runs = run_seeds(learner, tests, save_to=save_to)
    return [_scores(learner, runs, index, test) for index, test in enumerate(tests)]


def _scores(learner: Learner[D], runs: Trials, index: int, test: D) -> LearnerScores:
    sweep, trials = runs.sweep, runs.trials
    rows = learner.words.rows(test.tokens)
    tokens_known, known = learner.words.count_known(rows)
    values, spread = mean_and_spread([trial.tests[index] for trial in trials])
    trained = [*sweep, *(trial for trial in trials if not sweep or trial.seed != learner.learning.seed)]
    tokens, dev = sum(map(len, rows)), {f"{trial.rate:g}": trial.dev for trial in sweep or trials[:1]}
    return LearnerScores(
        values=values,
        n=len(test),
        known=known,
        spread=spread,
        seeds=len(trials),
        sections={"dev, by learning rate": dev, "tokens": {"all": float(tokens), "known": float(tokens_known)}},
        main=learner.main,
        tokens=tokens,
        tokens_known=tokens_known,
        rate=runs.rate,
        dev=dev,
        encode_seconds=learner.words.encode_seconds,
        train_seconds=sum(trial.train_seconds for trial in trained),
        score_seconds=sum(trial.score_seconds for trial in trials),
    )


def choose_rate(learner: Learner[D], folder: Path | None = None) -> tuple[float, list[Trial], TrainedNetwork | None]:
    """Return the rate with the best score on dev, its trials, and its network if it was trained just now.

    A single rate is taken without a trial.
    """
    learning = learner.learning
    if len(learning.rates) == 1:
        return learning.rates[0], [], None
    trials: list[Trial] = []
    best: TrainedNetwork | None = None
    for rate in learning.rates:
        trial = _read(folder, rate, learning.seed, "dev")
        if trial is None:
            network = learner.fit(rate, learning.seed)
            trial = _trial(network)
            _write(folder, trial, "dev")
            best = network if best is None or network.dev > best.dev else best
        trials.append(trial)
    chosen = max(trials, key=lambda trial: trial.dev)  # of equal ones the first
    return chosen.rate, trials, best if best is not None and best.rate == chosen.rate else None


def mean_and_spread(scores: Sequence[Mapping[str, float]]) -> tuple[dict[str, float], dict[str, float]]:
    """Return mean and standard deviation of each score over the seeds."""
    values = {name: float(np.mean([score[name] for score in scores])) for name in scores[0]}
    return values, {name: float(np.std([score[name] for score in scores])) for name in scores[0]}


def _tested(  # noqa: PLR0917
    learner: Learner[D], tests: Sequence[D], rate: float, seed: int, network: TrainedNetwork | None, folder: Path | None
) -> Trial:
    trial = _read(folder, rate, seed, "test")
    if trial is not None:
        return trial
    network = network or learner.fit(rate, seed)
    start = perf_counter()
    scores = [learner.score(network.network, test) for test in tests]
    trial = _trial(network, scores, perf_counter() - start)
    _write(folder, trial, "test")
    return trial


def _trial(trained: TrainedNetwork, tests: Sequence[Mapping[str, float]] = (), score_seconds: float = 0.0) -> Trial:
    return Trial(trained.rate, trained.seed, trained.dev, trained.epoch, trained.seconds, tests, score_seconds)


def _path(folder: Path, rate: float, seed: int, split: str) -> Path:
    return folder / f"{split}-rate-{rate:g}-seed-{seed}.json"


def _write(folder: Path | None, trial: Trial, split: str) -> None:
    if folder is not None:
        write_atomic(_path(folder, trial.rate, trial.seed, split), json.dumps(asdict(trial), indent=2) + "\n")


def _read(folder: Path | None, rate: float, seed: int, split: str) -> Trial | None:
    if folder is None or not (path := _path(folder, rate, seed, split)).exists():
        return None
    try:
        return Trial(**read_object(path))
    except (ValueError, TypeError) as error:
        raise InputError(f"{path} is not a saved trial: {error}. Delete it, and it is computed again.") from None
