"""Chimeras: which words is a made-up word similar to, given two, four or six sentences?

Each chimera has sentences with a gap, and probe words with human scores. The gap is filled with the same string of
letters for all chimeras, so that its spelling carries no information and models find a word there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.corpus.rows import read_json_lines
from everyword.errors import InputError
from everyword.evaluation.context_models import reading
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.tasks.nonce import GAP
from everyword.evaluation.tasks.similarity import spearman

NONCE = "zqxjv"
KEYS = {"length": int, "split": str, "sentences": list, "probes": list, "scores": list}


@dataclass(frozen=True)
class Chimera:
    """Sentences with a gap, and how similar people found its word to each probe."""

    length: int
    sentences: Sequence[str]
    probes: Sequence[str]
    scores: Sequence[float]


@dataclass(frozen=True)
class ChimeraSet:
    """The chimeras of a test set."""

    name: str
    chimeras: Sequence[Chimera]

    @classmethod
    def load(cls, path: Path) -> ChimeraSet:
        """Read the chimeras whose split is test from JSON lines."""
        chimeras = []
        for number, record in read_json_lines(path, "set of chimeras", KEYS):
            probes, scores = record["probes"], record["scores"]
            if len(probes) != len(scores) or len(probes) < 2 or not record["sentences"]:
                raise InputError(
                    f"{path}:{number}: a chimera needs sentences, two or more probes and a score for each. "
                    f"Got {len(record['sentences'])}, {len(probes)} and {len(scores)}."
                )
            if record["split"] == "test":
                filled = [str(sentence).replace(GAP, NONCE) for sentence in record["sentences"]]
                chimeras.append(Chimera(record["length"], filled, probes, scores))
        if not chimeras:
            raise InputError(f"{path} holds no chimeras whose split is test; one or more are needed.")
        return cls(path.name.partition(".")[0], chimeras)


def run(model: EvaluatedModel, data: ChimeraSet, seed: int) -> Scores:
    """Score Spearman within each chimera: the mean over all, and over those with each number of sentences."""
    reader = reading(model, TASK.name)
    found: dict[str, list[float]] = {}
    for chimera in data.chimeras:
        [own] = reader.units_in({NONCE: chimera.sentences})
        score = 100 * spearman(model.units(chimera.probes) @ own, np.array(chimera.scores))
        for name in ("spearman", f"spearman@{chimera.length}"):
            found.setdefault(name, []).append(score)
    values: dict[str, float | None] = {name: float(np.mean(scores)) for name, scores in sorted(found.items())}
    known = sum(all(map(model.known, chimera.probes)) for chimera in data.chimeras)
    return Scores(values, len(data.chimeras), known)


TASK = Task(
    name="chimera",
    version=1,
    kind="chimera",
    summary="Which words is a made-up word similar to, in two to six sentences? Spearman within each chimera.",
    main="spearman",
    load=ChimeraSet.load,
    run=run,
    reads_sentences=True,
)
