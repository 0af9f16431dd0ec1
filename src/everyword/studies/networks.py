"""Networks on the vectors of a study: trained on clean text, scored on the test text as it is and under noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from everyword.corpus.labelled.sets import cut_to
from everyword.errors import InputError
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.run import copy_of
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput, learner_of
from everyword.evaluation.tasks.extrinsic.occurrences import ContextualInput
from everyword.evaluation.tasks.extrinsic.protocol import run_seeds
from everyword.learning.characters import LONGEST, CharacterEncoder
from everyword.studies.benchmarks import base_of, score_name
from everyword.studies.claims import Row, Score
from everyword.studies.config import NetworksConfig
from everyword.systems.spelling import train as spelling


@dataclass(frozen=True)
class Networks:
    """How a network is trained, by which seed, and where its scores are saved."""

    config: NetworksConfig
    seed: int
    device: str
    save_to: Path
    """The folder for the scores of each network, which are saved as soon as they are known."""
    size: float | None = None
    """The root mean square of coordinates that all vectors are scaled to; None leaves them as they are."""

    def options(self, task: str) -> dict[str, Any]:
        """Return the options of learning that differ from those of the task."""
        given: dict[str, Any] = {"seeds": 1, "seed": self.seed, "device": self.device}
        if task in self.config.epochs:
            given["epochs"] = self.config.epochs[task]
        if task in self.config.batch:
            given["batch"] = self.config.batch[task]
        if self.config.rates:
            given["rates"] = self.config.rates
        return given


class NetworkScores(NamedTuple):
    """The scores of a network on a test set."""

    scores: Mapping[str, float]
    changed: float | None
    """The share of words that noise really changed."""
    items: int


def groups_of(benchmarks: Mapping[str, Benchmark | MissingData]) -> dict[str, dict[str, Benchmark]]:
    """Return the benchmarks whose data is there, those together that the same networks are scored on."""
    groups: dict[str, dict[str, Benchmark]] = {}
    for name, benchmark in benchmarks.items():
        if isinstance(benchmark, Benchmark):
            groups.setdefault(base_of(name), {})[name] = benchmark
    return groups


def score_networks(
    given: NetworkInput | ContextualInput, group: Mapping[str, Benchmark], networks: Networks
) -> dict[str, NetworkScores]:
    """Train a network and score it on all benchmarks of a group.

    Returns:
        What it scores, by benchmark.
    """
    first = next(iter(group.values()))
    clean = first.task.load(*first.files)
    train, dev = (given.read(cut_to(split, networks.config.items)) for split in (clean.train, clean.dev))
    if networks.size is not None:
        given = given.of_size(networks.size, train)
    learner = learner_of(given, train, dev, **networks.options(first.task.name))
    copies = [copy_of(benchmark, clean, seed=0) for benchmark in group.values()]
    [trial] = run_seeds(learner, [given.read(copy.test) for copy, _ in copies], save_to=networks.save_to).trials
    return {
        name: NetworkScores(trial.tests[index], changed, len(copies[index][0].test))
        for index, (name, (_, changed)) in enumerate(zip(group, copies, strict=True))
    }


def network_row(
    given: NetworkInput | ContextualInput,
    benchmarks: Mapping[str, Benchmark | MissingData],
    networks: Networks,
    report: Callable[[str], None],
) -> Row:
    """Return the score of a network on each benchmark; None where it cannot read what is given."""
    row: dict[str, Score | None] = dict.fromkeys(benchmarks)
    for base, group in groups_of(benchmarks).items():
        task = next(iter(group.values())).task
        if not given.suits(task):
            continue
        report(base)
        for name, found in score_networks(given, group, networks).items():
            value = found.scores[score_name(name, task.main, found.scores)]
            row[name] = Score(value, changed=found.changed, n=found.items)
    return row


def characters_of(run: spelling.SpellingRun) -> CharacterEncoder:
    """Return the encoder of a finished training as the character encoder of a tagger."""
    if not run.resume:
        raise InputError(f"{run.folder} is missing, with its encoder; delete {run.folder.parent} to train it again.")
    encoder, prepared = spelling.trained_encoder(run)
    normalise, units = run.config.normalise, prepared.units
    return CharacterEncoder(lambda word: units.ids(normalise(word)[:LONGEST]), encoder.cpu(), prepared.dim)
