"""Networks on the vectors of a study: trained on clean text, scored on the test text as it is and with noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from everyword.errors import InputError
from everyword.evaluation.extrinsic.characters import LONGEST, CharacterEncoder
from everyword.evaluation.extrinsic.classification import Classifier, ClassifyConfig
from everyword.evaluation.extrinsic.inputs import WITH_VECTORS, Input
from everyword.evaluation.extrinsic.learner import Learner, Learning
from everyword.evaluation.extrinsic.noise import noisy_copy
from everyword.evaluation.extrinsic.protocol import run_seeds
from everyword.evaluation.extrinsic.splits import Splits, cut_to
from everyword.evaluation.extrinsic.tagged import Tagged
from everyword.evaluation.extrinsic.tagging import TagConfig, TagLearner
from everyword.evaluation.extrinsic.texts import Texts
from everyword.evaluation.extrinsic.words import WordVectors
from everyword.evaluation.pieces import Absent, Piece
from everyword.evaluation.task import Task
from everyword.evaluation.way import Way
from everyword.recipes import mimick
from everyword.recipes.study_configuration import NetworksConfig
from everyword.recipes.study_pieces import base_of, noise_of

Scores = Mapping[str, Mapping[str, float]]
"""All scores of one network, by piece."""


@dataclass(frozen=True)
class Subject:
    """What networks read of a word."""

    way: Way
    input: Input = "frozen"
    characters: CharacterEncoder | None = None

    def words(self) -> WordVectors:
        """The word vectors, if they are read at all."""
        if self.input not in WITH_VECTORS:
            return WordVectors(None, 0)
        return WordVectors(self.way.encode, self.way.dim, self.way.known)

    def suits(self, task: Task) -> bool:
        """Whether the task can read words that way; a classifier reads vectors only."""
        return self.input == "frozen" or task.kind != "classification"


@dataclass(frozen=True)
class Networks:
    """How networks are trained, how many, where."""

    config: NetworksConfig
    seeds: int
    device: str
    keep_in: Path
    """Each network's scores are kept here as soon as they are there."""

    def learning(self, task: str, own: Learning) -> Learning:
        """How a task is learnt: as it has it itself, but for what is given."""
        given: dict[str, Any] = {"epochs": self.config.epochs.get(task, own.epochs)}
        if self.config.rates:
            given["rates"] = self.config.rates
        return replace(own, seeds=self.seeds, device=self.device, **given)


@dataclass(frozen=True)
class Group:
    """A task on a data set, with all test texts of the study that the same networks are scored on."""

    piece: Piece
    names: list[str]
    """What the study calls them, noise included."""

    def tests(self, clean: Texts | Tagged) -> list[Texts | Tagged]:
        """The test set with the noise of each name."""
        noises = [noise_of(name) for name in self.names]
        return [noisy_copy(clean, noise, self.piece.files[0]) if noise else clean for noise in noises]


def grouped(pieces: Mapping[str, Piece | Absent]) -> dict[str, Group]:
    """The pieces at hand by what they are but for their noise."""
    groups: dict[str, Group] = {}
    for name, piece in pieces.items():
        if isinstance(piece, Piece):
            groups.setdefault(base_of(name), Group(piece, [])).names.append(name)
    return groups


def score_networks(subject: Subject, group: Group, networks: Networks) -> list[Scores]:
    """Train a network for each seed, and score all test texts of the group with it."""
    data = group.piece.task.load(*group.piece.files)
    learner = learner_of(subject, group.piece.task, data, networks)
    runs = run_seeds(learner, group.tests(data.test), keep_in=networks.keep_in)
    return [dict(zip(group.names, one.tests, strict=True)) for one in runs.pieces]


def learner_of(subject: Subject, task: Task, data: Splits[Any], networks: Networks) -> Learner[Any]:
    """The classifier or tagger of a task, with its data."""
    train, dev = (cut_to(split, networks.config.items) for split in (data.train, data.dev))
    if task.kind == "classification":
        classify = ClassifyConfig()
        classify = replace(classify, learning=networks.learning(task.name, classify.learning))
        return Classifier(subject.words(), train, dev, classify)
    tag = TagConfig(input=subject.input, crf=train.scheme == "bio")
    tag = replace(tag, learning=networks.learning(task.name, tag.learning))
    return TagLearner(subject.words(), train, dev, tag, subject.characters)


def characters_of(run: mimick.Run) -> CharacterEncoder:
    """The encoder of a finished training, as what reads a tagger's words."""
    if not run.resume:
        raise InputError(
            f"{run.folder} is gone, and its encoder with it; delete {run.folder.parent} to train it again."
        )
    encoder, prepared = mimick.trained_encoder(run)
    normalise, units = run.config.normalise, prepared.units
    return CharacterEncoder(lambda word: units.ids(normalise(word)[:LONGEST]), encoder.cpu(), prepared.dim)
