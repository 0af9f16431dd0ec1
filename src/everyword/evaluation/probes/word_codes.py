"""Word codes: if vectors are cut into slots and each is rounded to a few values, which attribute is in which slot?

Product quantisation makes a discrete code of a vector. The residual entropy of that code says whether lemma, inflection
and part of speech of verb forms have slots of their own. Vectors are turned first so that all slots vary alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.probes.parts_of_speech import read_tagged
from everyword.evaluation.probes.probe import CONTROL_LABELS, Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.probes.residual_entropy import CodeTable, residual_entropy
from everyword.evaluation.probes.word_identity import cluster
from everyword.files import read_lines
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.storage.quantising import balancing_rotation

SLOTS, VALUES = 8, 16
"""Slots of a code, and values of each: 32 bits. All divisions of eight slots can be tried."""
LEAST_FORMS = 3
"""Lemmas with fewer forms are left out: they would be known by any of their words."""
SHUFFLES = 5
HALVES = 40
"""Half-samples of lemmas, whose scores vary as those of other samples would."""
ATTRIBUTES = ("lemma", "inflection", "part of speech")
COLUMNS = ["lemma", "form", "features"]


class Forms(NamedTuple):
    """Word forms and their attributes."""

    words: list[str]
    attributes: list[tuple[str, str, str]]
    """Lemma, inflection and part of speech of each."""

    def numbered(self) -> IndexArray:
        """Return the attributes as numbers, (words, attributes)."""
        return np.stack([np.unique(column, return_inverse=True)[1] for column in zip(*self.attributes, strict=True)], 1)


def read_forms(forms: Path, tags: Path, most: int | None = None) -> Forms:
    """Read the forms that a tagged text has, with their most frequent part of speech in it.

    Args:
        forms: UniMorph: lemma, form and features between tabs, below a header. A form of several lemmas is left out;
            one with several features, such as walked, has all of them as its inflection.
        tags: Tokens and parts of speech between tabs.
        most: How many forms are read at most.
    """
    tagged = read_tagged(tags, most=1 << 30)
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, tag in zip(tagged.words, tagged.tags, strict=True):
        seen[word.lower()][tag] += 1
    lemmas: defaultdict[str, set[str]] = defaultdict(set)
    inflections: defaultdict[str, set[str]] = defaultdict(set)
    header, *lines = read_lines(forms, "file of inflected forms")
    if header.split("\t") != COLUMNS:
        raise InputError(f"{forms}:1: the first line must read lemma<TAB>form<TAB>features. Got {header[:60]!r}.")
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS) or not all(cells):
            raise InputError(f"{forms}:{number}: needs a lemma, a form and features between tabs. Got {line[:60]!r}.")
        lemmas[cells[1]].add(cells[0])
        inflections[cells[1]].add(cells[2])
    known = {form: next(iter(own)) for form, own in lemmas.items() if len(own) == 1 and form in seen}
    counts = Counter(known.values())
    words = [form for form, lemma in known.items() if counts[lemma] >= LEAST_FORMS][:most]
    found = [(known[word], " ".join(sorted(inflections[word])), seen[word].most_common(1)[0][0]) for word in words]
    return Forms(words, found)


def quantised(vectors: FloatArray, slots: int = SLOTS, values: int = VALUES, seed: int = 0) -> IndexArray:
    """Return codes of vectors, (words, slots): the cluster of each part of a vector of length 1."""
    slots = min(slots, vectors.shape[1])
    turned = unit_rows(vectors) @ balancing_rotation(vectors, [slots])
    parts = np.array_split(np.arange(turned.shape[1]), slots)
    return np.stack([cluster(turned[:, columns], values, seed) for columns in parts], axis=1)


def run(asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress) -> ProbeScore:
    """Quantise the vectors of verb forms and find the best division of the slots among the attributes."""
    forms = read_forms(paths[0], paths[1], 800 if settings.quick else None)
    vectors = asked.words(forms.words)
    there = np.flatnonzero((vectors != 0).any(axis=1))
    attributes = forms.numbered()[there] if len(there) else np.zeros((0, len(ATTRIBUTES)), dtype=np.int64)
    if len(there) < 2 or (attributes == attributes[:1]).all(axis=0).any():
        raise NoScoreError(f"{asked.name} has too few of the {len(forms.words):,} forms to compare them.")
    codes = quantised(vectors[there], seed=settings.seed)
    progress(1, 3)
    found = residual_entropy(attributes, codes, seed=settings.seed, shuffles=SHUFFLES)
    progress(2, 3)
    controls = {}
    if settings.control_labels:
        order = np.random.default_rng(settings.seed).permutation(len(there))
        other = residual_entropy(attributes[order], codes, seed=settings.seed, shuffles=SHUFFLES)
        controls[CONTROL_LABELS] = 100 * (1 - other.value)
    table = CodeTable(attributes, codes, seed=settings.seed, shuffles=SHUFFLES)
    progress(3, 3)
    value = 100 * (1 - found.value)
    return ProbeScore(
        value=value,
        metric="% readable",
        n=len(there),
        interval=_interval(value, attributes, codes, found.partition, settings.seed),
        controls=controls,
        parts={name: 100 * (1 - left) for name, left in zip(ATTRIBUTES, found.per_attribute, strict=True)},
        details={
            name: {f"slot {slot + 1}": 100 * (1 - table.remaining(number, [slot])) for slot in range(codes.shape[1])}
            | {f"owns slot {slot + 1}": 1.0 for slot in found.partition[number]}
            for number, name in enumerate(ATTRIBUTES)
        },
    )


def _interval(
    value: float, attributes: IndexArray, codes: IndexArray, partition: Sequence[Sequence[int]], seed: int
) -> tuple[float, float] | None:
    """Return the interval by half-samples of lemmas, which vary around their mean as whole samples would."""
    rng, lemmas = np.random.default_rng(seed), np.unique(attributes[:, 0])
    found = []
    for _ in range(HALVES):
        rows = np.isin(attributes[:, 0], rng.permutation(lemmas)[: len(lemmas) // 2])
        if rows.sum() < 2 or (attributes[rows] == attributes[rows][:1]).all(axis=0).any():
            return None
        found.append(100 * (1 - CodeTable(attributes[rows], codes[rows], seed=seed, shuffles=SHUFFLES).mean(partition)))
    low, high = np.percentile(np.array(found) - np.mean(found) + value, (2.5, 97.5))
    return float(low), float(high)


PROBE = Probe(
    name="word-codes",
    version=1,
    summary="Have lemma, inflection and part of speech parts of the vector of their own?",
    needs=("morphology/unimorph_eng.tsv.gz", "tagging/ud_ewt/train.conll.gz"),
    run=run,
)
