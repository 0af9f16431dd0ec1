"""What the principal components of a space are good for: the first k, thirds, single ones, all but the top.

Raunak, Kumar, Gupta and Metze, "On Dimensional Linguistic Properties of the Word Embedding Space" (RepL4NLP 2020). The
components are those of the known words; words that a model makes up go through the same map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import BoolArray, FloatArray
from everyword.config import Count, Natural
from everyword.errors import InputError
from everyword.evaluation.benchmark import Benchmark, choose
from everyword.evaluation.catalogue import DATA_SETS, data_folder
from everyword.evaluation.evaluated_model import WORDS_AT_ONCE, EvaluatedModel
from everyword.evaluation.probes.text_sets import TEXT_SETS, LabelledTexts, read_text_set
from everyword.evaluation.probes.word_probes import Probe, SimilarityProbe, TextProbe, WordList
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman
from everyword.space.principal import BLOCKS, PrincipalSpace, block_bounds

SIMILARITY, CLASSIFICATION = "similarity", "classification"


@dataclass(frozen=True)
class ComponentsConfig:
    """Which cuts are scored."""

    points: Count = 15
    """How many numbers of first components, evenly spread up to all of them."""
    removed: tuple[Natural, ...] = (0, 1, 2, 3, 5, 7, 10)
    """Numbers of top components to remove."""
    singles: Natural = 0
    """How many single components are scored on texts, evenly spread from the first to the last."""
    fit_on: Count = 100_000
    """Known words that the components are fitted to, the most frequent first."""


@dataclass(frozen=True)
class TaskScores:
    """The scores of all cuts on one task, in percent."""

    name: str
    kind: str
    n: int
    raw: float
    """Of the vectors as they are, before the mean is subtracted."""
    first: dict[int, float]
    """By number of first components."""
    blocks: dict[str, float]
    """Of the top, middle and bottom third."""
    removed: dict[int, float]
    """By number of removed top components."""
    single: dict[int, float] = field(default_factory=dict)
    """By the number of the component, from 1."""


@dataclass(frozen=True)
class ComponentScores:
    """The components of a space and what they are good for."""

    table: str
    policy: str
    words: int
    fitted_to: int
    shares: tuple[float, ...]
    """The share of variance of each component."""
    tasks: tuple[TaskScores, ...]

    @property
    def dim(self) -> int:
        """The number of components."""
        return len(self.shares)

    def block_shares(self) -> dict[str, float]:
        """Return the share of variance of each third."""
        return {name: sum(self.shares[slice(*block_bounds(name, self.dim))]) for name in BLOCKS}

    def means(self) -> tuple[TaskScores, ...]:
        """Return the mean over the similarity sets and over the sets of texts, as far as there are any."""
        kinds = {kind: [task for task in self.tasks if task.kind == kind] for kind in (SIMILARITY, CLASSIFICATION)}
        return tuple(_mean(kind, tasks) for kind, tasks in kinds.items() if tasks)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "table": self.table,
            "policy": self.policy,
            "words": self.words,
            "dimension": self.dim,
            "fitted_to": self.fitted_to,
            "variance": {name: round(share, 4) for name, share in self.block_shares().items()},
            "shares": [round(share, 6) for share in self.shares],
            "tasks": [_task_to_dict(task) for task in self.tasks],
            "means": [_task_to_dict(task) for task in self.means()],
        }


def read_probes(names: Sequence[str], data: Path | None, words: WordList) -> list[Probe]:
    """Prepare tasks by name: "similarity" and "classification" for all sets of a kind, or single sets.

    A set that was not named and is not in the data folder is skipped, and so are parts of other sets.
    """
    texts = (CLASSIFICATION, *(one.name for one in TEXT_SETS))
    probes: list[Probe] = []
    probes += [SimilarityProbe.of(one, words) for one in _similarity([n for n in names if n not in texts], data)]
    probes += [TextProbe.of(one, words) for one in _texts([n for n in names if n in texts], data)]
    if not probes:
        raise InputError(f"The data folder has no set of {', '.join(names)}; name another one by --data.")
    return probes


def _similarity(names: Sequence[str], data: Path | None) -> Iterator[SimilaritySet]:
    parts = {one.name for one in DATA_SETS if one.part_of is not None}
    full = [name if name == SIMILARITY or "/" in name else f"{SIMILARITY}/{name}" for name in names]
    for one in choose(full, data) if full else []:
        if isinstance(one, Benchmark) and (one.named or one.data not in parts):
            yield SimilaritySet.load(one.files[0])


def _texts(names: Sequence[str], data: Path | None) -> Iterator[LabelledTexts]:
    folder = data_folder(data)
    if names and folder is None:
        raise InputError("Labelled texts are read from a data folder; name it by --data.")
    for files in TEXT_SETS:
        path = Path(str(folder))
        if files.name in names or (CLASSIFICATION in names and (path / files.train).exists()):
            yield read_text_set(files, path)


def fit_space(model: EvaluatedModel, fit_on: int) -> PrincipalSpace:
    """Fit the components to the most frequent known words of a model."""
    words = model.candidates[:fit_on]
    if not words:
        raise InputError(f"{model.name} stores no words to find components of.")
    blocks = [model.encode(words[start : start + WORDS_AT_ONCE]) for start in range(0, len(words), WORDS_AT_ONCE)]
    return PrincipalSpace.fit(np.concatenate(blocks))


def vectors_of(model: EvaluatedModel, words: Sequence[str]) -> tuple[FloatArray, BoolArray]:
    """Return the vectors of words, and which of them have one."""
    blocks = [model.encode(words[start : start + WORDS_AT_ONCE]) for start in range(0, len(words), WORDS_AT_ONCE)]
    vectors = np.concatenate(blocks) if blocks else np.zeros((0, model.dim), dtype=np.float32)
    known: BoolArray = (vectors != 0).any(axis=1)
    return vectors, known


def probe_components(
    model: EvaluatedModel,
    tasks: Sequence[str] = (SIMILARITY,),
    data: Path | None = None,
    config: ComponentsConfig | None = None,
    *,
    report: Callable[[str], object] = lambda sentence: None,
) -> ComponentScores:
    """Score cuts of the principal space of a table or a model.

    Args:
        model: What gives the vectors.
        tasks: "similarity", "classification", or single sets such as "men3000" and "sst2".
        data: The data folder; None for the one in EVERYWORD_DATA.
        config: Which cuts are scored.
        report: Called with a sentence when a long step begins.

    Returns:
        The shares of variance, and the scores of each task.

    Raises:
        InputError: If no task can be read, or the model has no words.
    """
    options, words = config or ComponentsConfig(), WordList()
    probes = read_probes(tasks, data, words)
    space = fit_space(model, options.fit_on)
    report(f"fitted {len(space)} components; encoding {len(words.words):,} words")
    vectors, known = vectors_of(model, words.words)
    coordinates = np.where(known[:, None], space.apply(vectors), np.float32(0))
    scored = []
    for probe in probes:
        report(f"scoring {probe.name}")
        if isinstance(probe, SimilarityProbe):
            scored.append(_on_pairs(probe, vectors, coordinates, options))
        else:
            scored.append(_on_texts(probe, vectors, coordinates, known, options))
    stored = len(model.candidates)
    shares = tuple(float(share) for share in space.shares)
    return ComponentScores(model.name, model.policy, stored, min(options.fit_on, stored), shares, tuple(scored))


def _on_pairs(
    probe: SimilarityProbe, vectors: FloatArray, coordinates: FloatArray, options: ComponentsConfig
) -> TaskScores:
    sums = probe.sums(coordinates)

    def score(start: int, stop: int) -> float:
        return 100 * spearman(sums.cosines(start, stop).round(6), probe.scores)

    return _cuts(probe, probe.score(vectors), coordinates.shape[1], options, score)


def _on_texts(
    probe: TextProbe, vectors: FloatArray, coordinates: FloatArray, known: BoolArray, options: ComponentsConfig
) -> TaskScores:
    features = probe.features(coordinates, known)
    strength = probe.strength(features)

    def score(start: int, stop: int) -> float:
        return probe.score(features[:, start:stop], strength)

    raw = probe.score(probe.features(vectors, known), strength)
    return _cuts(probe, raw, features.shape[1], options, score)


def _cuts(
    probe: Probe, raw: float, dim: int, options: ComponentsConfig, score: Callable[[int, int], float]
) -> TaskScores:
    kind = SIMILARITY if isinstance(probe, SimilarityProbe) else CLASSIFICATION
    firsts, blocks = points_up_to(dim, options.points), [(name, block_bounds(name, dim)) for name in BLOCKS]
    first = {count: score(0, count) for count in firsts}
    removed = {count: score(count, dim) if count else first[dim] for count in options.removed if count < dim}
    singles = points_up_to(dim, options.singles) if kind == CLASSIFICATION and options.singles else []
    return TaskScores(
        probe.name,
        kind,
        probe.n,
        raw,
        first,
        {name: score(*bounds) for name, bounds in blocks if bounds[0] < bounds[1]},
        removed,
        {number: score(number - 1, number) for number in singles},
    )


def points_up_to(dim: int, count: int) -> list[int]:
    """Return so many whole numbers, evenly spread, of which the last is the dimension.

    >>> points_up_to(300, 3), points_up_to(2, 5)
    ([100, 200, 300], [1, 2])
    """
    return sorted({max(1, round(dim * number / count)) for number in range(1, count + 1)})


def _mean(kind: str, tasks: Sequence[TaskScores]) -> TaskScores:
    def mean(key: str) -> dict[Any, float]:
        return {cut: float(np.mean([getattr(task, key)[cut] for task in tasks])) for cut in getattr(tasks[0], key)}

    raw = float(np.mean([task.raw for task in tasks]))
    parts = [mean(key) for key in ("first", "blocks", "removed", "single")]
    return TaskScores(f"mean of {kind}", kind, sum(task.n for task in tasks), raw, *parts)


def _task_to_dict(task: TaskScores) -> dict[str, Any]:
    def rounded(scores: dict[Any, float]) -> dict[str, float]:
        return {str(cut): round(score, 2) for cut, score in scores.items()}

    return {
        "name": task.name,
        "kind": task.kind,
        "n": task.n,
        "raw": round(task.raw, 2),
        "first": rounded(task.first),
        "blocks": rounded(task.blocks),
        "removed": rounded(task.removed),
        **({"single": rounded(task.single)} if task.single else {}),
    }
