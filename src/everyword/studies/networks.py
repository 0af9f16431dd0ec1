"""Networks on the vectors of a study: trained on clean text, scored on the test text as it is and under noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword.errors import InputError
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.run import copy_of
from everyword.evaluation.tasks.extrinsic.data import cut_to
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput, learner_of
from everyword.evaluation.tasks.extrinsic.protocol import run_seeds
from everyword.studies.benchmarks import base_of
from everyword.studies.config import NetworksConfig
from everyword.systems.spelling import train as spelling
from everyword.systems.taggers.characters import LONGEST, CharacterEncoder


@dataclass(frozen=True)
class Networks:
    """How networks are trained, how many, where."""

    config: NetworksConfig
    seeds: int
    device: str
    save_to: Path
    """Each network's scores are kept here as soon as they are there."""

    def learning(self, task: str) -> dict[str, Any]:
        """What is learnt otherwise than the task has it."""
        given: dict[str, Any] = {"seeds": self.seeds, "device": self.device}
        if task in self.config.epochs:
            given["epochs"] = self.config.epochs[task]
        if self.config.rates:
            given["rates"] = self.config.rates
        return given


@dataclass(frozen=True)
class Scored:
    """A piece: the scores of each network, and the share of words that noise really changed."""

    networks: list[Mapping[str, float]]
    changed: float | None


def grouped(pieces: Mapping[str, Benchmark | MissingData]) -> dict[str, dict[str, Benchmark]]:
    """The pieces at hand, those together that the same networks are scored on."""
    groups: dict[str, dict[str, Benchmark]] = {}
    for name, piece in pieces.items():
        if isinstance(piece, Benchmark):
            groups.setdefault(base_of(name), {})[name] = piece
    return groups


def score_networks(reading: NetworkInput, group: Mapping[str, Benchmark], networks: Networks) -> dict[str, Scored]:
    """Train a network for each seed, and score all pieces of a group with it."""
    first = next(iter(group.values()))
    clean = first.task.load(*first.files)
    train, dev = (cut_to(split, networks.config.items) for split in (clean.train, clean.dev))
    learner = learner_of(reading, train, dev, **networks.learning(first.task.name))
    copies = [copy_of(piece, clean, seed=0) for piece in group.values()]
    runs = run_seeds(learner, [copy.test for copy, _ in copies], save_to=networks.save_to)
    return {
        name: Scored([network.tests[place] for network in runs.trials], changed)
        for place, (name, (_, changed)) in enumerate(zip(group, copies, strict=True))
    }


def characters_of(run: spelling.SpellingRun) -> CharacterEncoder:
    """The encoder of a finished training, as what reads a tagger's words."""
    if not run.resume:
        raise InputError(
            f"{run.folder} is gone, and its encoder with it; delete {run.folder.parent} to train it again."
        )
    encoder, prepared = spelling.trained_encoder(run)
    normalise, units = run.config.normalise, prepared.units
    return CharacterEncoder(lambda word: units.ids(normalise(word)[:LONGEST]), encoder.cpu(), prepared.dim)
