"""Tasks about rare words in sentences, for models that make vectors from sentences.

- Context similarity: how does similarity improve with the number of sentences that a vector is made from? Data: word
  pairs with human scores, in which the second word is rare, and sentences for each rare word. Its vector is made from
  1, 2, 4 … of them, drawn by seed so that each sample contains the smaller ones; the first word keeps its usual vector.
- Definitional nonces: is the vector made from a word's definition near the word's own vector? The definition is the
  opening of the word's encyclopedia article. Models that read spellings also see the word, and models that were trained
  on it may remember it; the score of the policy "form" shows how much that contributes.
- Chimeras: which words is a made-up word similar to, given two, four or six sentences? Each chimera has sentences with
  a gap, and probe words with human scores. The gap is filled with the same string of letters for all chimeras, so that
  its spelling carries no information and models find a word there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.corpus.rows import read_json_lines, read_rows
from everyword.errors import InputError
from everyword.evaluation.context_models import ContextModel, reading
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.misspelling import ranks
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman

PAIRS, CONTEXTS = "crw_dev.tsv", "crw_dev_contexts.jsonl.gz"
COUNTS = (1, 2, 4, 8, 16, 32, 64)
DRAWS = 3
"""The number of samples; scores are means over them."""
UNKNOWN = "unk"
"""The source's token for unknown words, which is skipped."""
GAP = "___"
"""The placeholder of the word."""
MADE_UP_WORD = "zqxjv"
KEYS = {"length": int, "split": str, "sentences": list, "probes": list, "scores": list}


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


def run_context_similarity(model: EvaluatedModel, data: ContextSet, seed: int) -> Scores:
    """Score Spearman with all sentences, and with 1, 2, 4 … of them."""
    reader = reading(model, CONTEXT_SIMILARITY.name)
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


CONTEXT_SIMILARITY = Task(
    name="context-similarity",
    version=1,
    kind="context-similarity",
    summary="How does similarity to rare words improve with the number of sentences? Spearman.",
    main="spearman",
    load=ContextSet.load,
    run=run_context_similarity,
    reads_sentences=True,
)


@dataclass(frozen=True)
class NonceSet:
    """Words and their definitions."""

    name: str
    definitions: Mapping[str, Sequence[str]]

    @classmethod
    def load(cls, path: Path) -> NonceSet:
        """Read the test rows of split, word and definition with one header line, and fill in the gaps."""
        definitions: dict[str, list[str]] = {}
        for _, (split, word, definition) in read_rows(path, "set of definitions", ("split", "word", "definition")):
            if split == "test":
                definitions.setdefault(word, []).append(definition.replace(GAP, word))
        if not definitions:
            raise InputError(f"{path} holds no definitions whose split is test; one or more are needed.")
        return cls(path.name.partition(".")[0], definitions)


def run_nonce(model: EvaluatedModel, data: NonceSet, seed: int) -> Scores:
    """Score the mean reciprocal rank of the word's own vector among all candidates, over all and over known words."""
    reader = reading(model, NONCE.name)
    rows = {word: row for word in data.definitions if (row := model.candidate(word)) is not None}
    if not rows:
        raise NoOverlapError(
            f"No word of {data.name} is among the {len(model.candidates):,} candidates of {model.name}; "
            "is it of another language?"
        )
    queries = reader.units_in({word: data.definitions[word] for word in rows})
    none_barred = np.full(len(rows), -1)
    rank = ranks(queries, model.candidate_units, [[row] for row in rows.values()], none_barred)
    # A definition without a vector has no neighbours: its word ranks last.
    rank[~queries.any(axis=1)] = len(model.candidates)
    hits = {"mrr": 1 / rank, "hit@10": rank <= 10}
    totals = {name: 100 * float(values.sum()) for name, values in hits.items()}
    values: dict[str, float | None] = {name: total / len(data.definitions) for name, total in totals.items()}
    values |= {f"{name}_known": total / len(rows) for name, total in totals.items()}
    ranked = {"median": float(np.median(rank)), "of candidates": float(len(model.candidates))}
    return Scores(values, len(data.definitions), len(rows), sections={"rank": ranked})


NONCE = Task(
    name="nonce",
    version=1,
    kind="nonce",
    summary="Is the vector made from a word's definition near the word's own? Mean reciprocal rank.",
    main="mrr",
    load=NonceSet.load,
    run=run_nonce,
    reads_sentences=True,
)


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
                filled = [str(sentence).replace(GAP, MADE_UP_WORD) for sentence in record["sentences"]]
                chimeras.append(Chimera(record["length"], filled, probes, scores))
        if not chimeras:
            raise InputError(f"{path} holds no chimeras whose split is test; one or more are needed.")
        return cls(path.name.partition(".")[0], chimeras)


def run_chimera(model: EvaluatedModel, data: ChimeraSet, seed: int) -> Scores:
    """Score Spearman within each chimera: the mean over all, and over those with each number of sentences."""
    reader = reading(model, CHIMERA.name)
    found: dict[str, list[float]] = {}
    for chimera in data.chimeras:
        [own] = reader.units_in({MADE_UP_WORD: chimera.sentences})
        score = 100 * spearman(model.units(chimera.probes) @ own, np.array(chimera.scores))
        for name in ("spearman", f"spearman@{chimera.length}"):
            found.setdefault(name, []).append(score)
    values: dict[str, float | None] = {name: float(np.mean(scores)) for name, scores in sorted(found.items())}
    known = sum(all(map(model.known, chimera.probes)) for chimera in data.chimeras)
    return Scores(values, len(data.chimeras), known)


CHIMERA = Task(
    name="chimera",
    version=1,
    kind="chimera",
    summary="Which words is a made-up word similar to, in two to six sentences? Spearman within each chimera.",
    main="spearman",
    load=ChimeraSet.load,
    run=run_chimera,
    reads_sentences=True,
)
