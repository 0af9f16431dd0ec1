"""Chimeras: a word that does not exist, in two, four or six sentences; which words is it like?

Each trial has sentences with a gap, and probe words with human scores. A string of letters that are no word stands in
the gap, the same in all trials, so that its spelling tells nothing and whatever looks for a word finds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.corpus.rows import read_json_lines
from everyword.errors import InputError
from everyword.evaluation.context_vectors import reading
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.tasks.nonce import GAP
from everyword.evaluation.tasks.rank import spearman

NONCE = "zqxjv"
KEYS = {"length": int, "split": str, "sentences": list, "probes": list, "scores": list}


@dataclass(frozen=True)
class Chimera:
    """Sentences around a gap, and how like each probe people found what stands there."""

    length: int
    sentences: Sequence[str]
    probes: Sequence[str]
    scores: Sequence[float]


@dataclass(frozen=True)
class ChimeraSet:
    """The trials of a test set."""

    name: str
    trials: Sequence[Chimera]

    @classmethod
    def load(cls, path: Path) -> ChimeraSet:
        """Read the trials whose split is test from JSON lines."""
        trials = []
        for number, record in read_json_lines(path, "set of chimeras", KEYS):
            probes, scores = record["probes"], record["scores"]
            if len(probes) != len(scores) or len(probes) < 2 or not record["sentences"]:
                raise InputError(
                    f"{path}:{number}: a trial needs sentences, two or more probes and a score for each. "
                    f"Got {len(record['sentences'])}, {len(probes)} and {len(scores)}."
                )
            if record["split"] == "test":
                filled = [str(sentence).replace(GAP, NONCE) for sentence in record["sentences"]]
                trials.append(Chimera(record["length"], filled, probes, scores))
        if not trials:
            raise InputError(f"{path} holds no trial whose split is test; one or more are needed.")
        return cls(path.name.partition(".")[0], trials)


def run(model: EvaluatedModel, data: ChimeraSet, seed: int) -> Scores:
    """Spearman within each trial, its mean over all trials and over those of each number of sentences."""
    reader = reading(model, TASK.name)
    found: dict[str, list[float]] = {}
    for trial in data.trials:
        [own] = reader.units_in({NONCE: trial.sentences})
        score = 100 * spearman(model.units(trial.probes) @ own, np.array(trial.scores))
        for name in ("spearman", f"spearman@{trial.length}"):
            found.setdefault(name, []).append(score)
    values: dict[str, float | None] = {name: float(np.mean(scores)) for name, scores in sorted(found.items())}
    known = sum(all(map(model.known, trial.probes)) for trial in data.trials)
    return Scores(values, len(data.trials), known)


TASK = Task(
    name="chimera",
    version=1,
    kind="chimera",
    summary="Which words is a made-up word like, in two to six sentences? Spearman within each trial.",
    main="spearman",
    load=ChimeraSet.load,
    run=run,
    reads_sentences=True,
)
