"""Contexts of rare words: how does similarity improve with the number of sentences that a vector is made from?

Data: word pairs with human scores, in which the second word is rare, and sentences for each rare word. Its vector is
made from 1, 2, 4 … of them, drawn by seed so that each sample contains the smaller ones; the first word keeps its
usual vector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.corpus.rows import read_json_lines
from everyword.errors import InputError
from everyword.evaluation.context_models import ContextModel, reading
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman

PAIRS, CONTEXTS = "crw_dev.tsv", "crw_dev_contexts.jsonl.gz"
COUNTS = (1, 2, 4, 8, 16, 32, 64)
DRAWS = 3
"""The number of samples; scores are means over them."""
UNKNOWN = "unk"
"""The source's token for unknown words, which is skipped."""


@dataclass(frozen=True)
class ContextSet:
    """Word pairs with human scores, and sentences for the second word of each."""

    name: str
    pairs: Sequence[tuple[str, str]]
    scores: npt.NDArray[np.float64]
    sentences: Mapping[str, Sequence[str]]

    @classmethod
    def load(cls, folder: Path) -> ContextSet:
        """Read the pairs and the sentences from one folder."""
        pairs = SimilaritySet.load(folder / PAIRS)
        path = folder / CONTEXTS
        sentences: dict[str, list[str]] = {}
        for number, record in read_json_lines(path, "file of sentences", {"word": str, "sentences": list}):
            if not record["sentences"]:
                raise InputError(f"{path}:{number}: {record['word']!r} has no sentence; give one or more.")
            sentences[record["word"]] = [_without_unknown(text) for text in record["sentences"]]
        if lacking := next((rare for _, rare in pairs.pairs if rare not in sentences), None):
            raise InputError(f"{path} has no sentences for {lacking!r}, the second word of a pair; add a line for it.")
        return cls(pairs.name, pairs.pairs, pairs.scores, sentences)


def _without_unknown(sentence: str) -> str:
    return " ".join(word for word in sentence.split() if word != UNKNOWN)


def run(model: EvaluatedModel, data: ContextSet, seed: int) -> Scores:
    """Score Spearman with all sentences, and with 1, 2, 4 … of them."""
    reader = reading(model, TASK.name)
    others = model.units([first for first, _ in data.pairs])
    most = max(map(len, data.sentences.values()))
    found: dict[str, list[float]] = {}
    for draw in range(DRAWS):
        rng = np.random.default_rng([seed, draw])
        drawn = {word: [texts[i] for i in rng.permutation(len(texts))] for word, texts in data.sentences.items()}
        for count in [count for count in COUNTS if count < most] + [most]:
            name = f"spearman@{count}"
            found.setdefault(name, []).append(_score(reader, data, others, drawn, count))
    found["spearman"] = found[f"spearman@{most}"]
    values: dict[str, float | None] = {name: float(np.mean(scores)) for name, scores in found.items()}
    spread = {name: float(np.std(scores)) for name, scores in found.items()}
    known = sum(model.known(first) for first, _ in data.pairs)
    return Scores(values, len(data.pairs), known, spread=spread, seeds=DRAWS)


def _score(
    model: ContextModel, data: ContextSet, others: npt.NDArray[np.float32], drawn: Mapping[str, list[str]], count: int
) -> float:
    vectors = model.units_in({word: texts[:count] for word, texts in drawn.items()})
    rows = {word: row for row, word in enumerate(drawn)}
    cosines = np.einsum("ij,ij->i", others, vectors[[rows[rare] for _, rare in data.pairs]])
    return 100 * spearman(cosines, data.scores)


TASK = Task(
    name="context-similarity",
    version=1,
    kind="context-similarity",
    summary="How does similarity to rare words improve with the number of sentences? Spearman.",
    main="spearman",
    load=ContextSet.load,
    run=run,
    reads_sentences=True,
)
