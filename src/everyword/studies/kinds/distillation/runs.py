"""The rows of a study about distillation on one set of texts with one seed: teachers, then students."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.corpus.labelled.documents import Documents, SoftLabels, read_documents
from everyword.corpus.labelled.transfer_set import transfer_set
from everyword.files import fingerprint, read_kept
from everyword.language_models.teachers import train_teacher
from everyword.learning.costs import classifier_flops, transformer_flops
from everyword.learning.sources import TableSource
from everyword.sentences.tokens import tokens_of
from everyword.systems.classifiers.classifier import TextClassifier
from everyword.systems.classifiers.train import score, train_classifier
from everyword.vectors.table import VectorTable

if TYPE_CHECKING:
    from everyword.studies.kinds.distillation.study import DistillationJob, DistillationSet, DistillationVariant

CELLS = "cells"
PARTS = ("test", "dev")
MOST_EPOCHS = 60
"""Of a teacher that has few labels."""
PIECES_PER_WORD = 1.3


@dataclass(frozen=True)
class Parts:
    """The texts of a set."""

    train: Documents
    dev: Documents
    test: Documents

    @cached_property
    def words(self) -> list[str]:
        """All words that students may read."""
        texts = (text for part in (self.train, self.dev, self.test) for text in part.texts)
        return list(dict.fromkeys(word for text in texts for word in tokens_of(text)))

    def labelled(self, share: int, seed: int) -> Documents:
        """Return all texts to learn from; only a share has labels that are known, drawn by the seed."""
        order = np.random.default_rng(seed).permutation(len(self.train))
        gold = np.zeros(len(order), dtype=bool)
        gold[order[: max(2, round(share * len(order) / 100))]] = True
        blank = () if self.train.several else self.train.labels[int(order[0])]
        labels = tuple(own if known else blank for own, known in zip(self.train.labels, gold, strict=True))
        return replace(self.train, labels=labels, gold=None if gold.all() else gold)


class SetRun:
    """All rows on one set with one seed."""

    def __init__(self, job: DistillationJob, texts: DistillationSet, seed: int) -> None:
        self.job, self.texts, self.seed = job, texts, seed

    @cached_property
    def parts(self) -> Parts:
        """The texts, read when the first score is missing."""
        train, test = (read_documents(self.job.folder / path) for path in (self.texts.train, self.texts.test))
        if most := self.job.most:
            train, test = (part.take(np.random.default_rng(0).permutation(len(part))[:most]) for part in (train, test))
        return Parts(*train.cut_dev(), test)

    @cached_property
    def source(self) -> TableSource:
        """The vectors of all words, made once."""
        words = [word for word in self.parts.words if word.strip()]
        return TableSource(self.job.model.name, VectorTable(words, self.job.model.encode(words)))

    def scores(self) -> dict[tuple[str, int], dict[str, Any]]:
        """Return the scores and costs of all rows, by label and share."""
        # Students that teach together come before their teacher, and all of them before those that are taught.
        first = ("teacher",) if self.job.encoder else ("tfidf", "cnn", "lstm", "teacher")
        order = (*first, "tfidf", "cnn", "lstm")
        variants = sorted(self.job.variants, key=lambda one: (one.taught, order.index(one.student)))
        return {(one.label, share): self.cell(one, share) for one in variants for share in one.shares}

    def cell(self, variant: DistillationVariant, share: int) -> dict[str, Any]:
        """Return the scores and costs of a row, from the work folder if they are there."""
        path = self._path(variant, share)
        if not path.exists():
            start = perf_counter()
            teach = self.fine_tune if self.job.encoder else self.ensemble
            made = teach(share) if variant.student == "teacher" else self.train(variant, share)
            made["seconds"] = perf_counter() - start
            write_atomic(path, json.dumps(made, indent=2) + "\n")
            self.job.report(f"{self.texts.name}, {variant.label}, {share}%, seed {self.seed}: {made['test']:.2f}")
        return read_kept(path)

    def _path(self, variant: DistillationVariant, share: int) -> Path:
        study = self.job.study
        settings = [configs.to_dict(one) for one in (study.teacher, study.transfer)]
        if variant.student != "teacher":
            settings.append(configs.to_dict(self.job.config(variant, self.texts, self.seed, 1000)))
        told = [variant.taught, variant.transfer, self.job.most, bool(self.job.encoder)]
        mark = fingerprint([settings, asdict(self.texts), told])[:12]
        return self.job.work / CELLS / f"{self.texts.name}-{variant.folder}-{share}-{self.seed}-{mark}.json"

    def ensemble(self, share: int) -> dict[str, Any]:
        """Make the students that learn from labels alone one teacher: the mean of their probabilities."""
        labels = [one.label for one in self.job.variants if one.student != "teacher" and not one.taught]
        parts = ("train", "dev", "test", *(["copies"] if share == 100 else []))
        said = {part: [SoftLabels.load(self.soft_path(share, part, label)) for label in labels] for part in parts}
        means = {
            part: SoftLabels(found[0].labels, np.mean([one.probabilities for one in found], axis=0))
            for part, found in said.items()
        }
        for part in ("train", "copies"):
            if part in means:
                means[part].save(self.soft_path(share, part))
        costs = [self.cell(one, share) for one in self.job.variants if one.label in labels]
        scores = {part: getattr(self.parts, part).score(means[part].chosen(self.parts.train.several)) for part in PARTS}
        return scores | {name: sum(one[name] for one in costs) for name in ("parameters", "flops")}

    def fine_tune(self, share: int) -> dict[str, Any]:
        """Fine-tune the teacher, keep what it says of all training texts, and score it."""
        study, train = self.job.study, self.parts.labelled(share, self.seed)
        known = train if train.gold is None else replace(train, gold=None).take(np.flatnonzero(train.gold))
        steps = -(-len(known) // study.teacher.batch)
        epochs = max(self.texts.teacher_epochs, min(MOST_EPOCHS, -(-study.least_steps // steps)))
        settings = replace(study.teacher, epochs=epochs, seed=self.seed)
        teacher = train_teacher(self.job.encoder, known, self.parts.dev, settings, device=self.job.device)
        teacher.soft_labels(train).save(self.soft_path(share, "train"))
        if share == 100 and any(variant.transfer for variant in study.variants):
            teacher.soft_labels(self.transfer()).save(self.soft_path(share, "copies"))
        size = teacher.network.config
        pieces = min(settings.longest, round(PIECES_PER_WORD * self._mean_words()))
        cost = transformer_flops(size.num_hidden_layers, size.hidden_size, size.intermediate_size, pieces)
        return {
            **{part: getattr(self.parts, part).score(teacher.labels_of(getattr(self.parts, part))) for part in PARTS},
            "parameters": sum(weight.numel() for weight in teacher.network.parameters()) / 1e6,
            "flops": cost / 1e6,
        }

    def train(self, variant: DistillationVariant, share: int) -> dict[str, Any]:
        """Train a student and score it."""
        train = self.parts.labelled(share, self.seed)
        labelled = len(train) if train.gold is None else int(train.gold.sum())
        config = self.job.config(variant, self.texts, self.seed, len(train) if variant.taught else labelled)
        if variant.transfer:
            train = self.transfer()
        if variant.taught:
            train = train.taught_by(SoftLabels.load(self.soft_path(share, "copies" if variant.transfer else "train")))
        elif train.gold is not None:
            train = replace(train, gold=None).take(np.flatnonzero(train.gold))
        found = train_classifier(train, self.parts.dev, [self.source], config, device=self.job.device)
        assert found is not None
        if not (variant.taught or self.job.encoder):
            self.keep(variant, share, found.classifier)
        network, labels = found.run.network, len(found.classifier.labels)
        width = network.width if variant.student == "tfidf" else network.dim
        return {
            "test": score(found.classifier, self.parts.test),
            "dev": found.dev,
            "epoch": found.epoch,
            "parameters": sum(weight.numel() for weight in network.parameters()) / 1e6,
            "flops": classifier_flops(config, width, labels, round(self._mean_words())) / 1e6,
        }

    def transfer(self) -> Documents:
        """Return the training texts with their changed copies."""
        settings = replace(self.job.study.transfer, seed=self.seed)
        return transfer_set(self.parts.train, self.job.tags, settings)

    def keep(self, variant: DistillationVariant, share: int, classifier: TextClassifier) -> None:
        """Keep what a student says of all texts, for it may teach."""
        texts = {"train": self.parts.train, "dev": self.parts.dev, "test": self.parts.test}
        if share == 100:
            texts["copies"] = self.transfer()
        for part, documents in texts.items():
            said = SoftLabels(tuple(classifier.labels), classifier.probabilities(documents.texts))
            said.save(self.soft_path(share, part, variant.label))

    def soft_path(self, share: int, part: str, label: str = "teacher") -> Path:
        """Where probabilities are kept."""
        return self.job.work / f"{label.lower()}-{self.texts.name}-{share}-{self.seed}-{part}.npz"

    def _mean_words(self) -> float:
        return fmean(len(tokens_of(text)) for text in self.parts.test.texts)
