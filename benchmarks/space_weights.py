"""Try weights of the sources of everyword-en on development data, and print what each change does.

    python benchmarks/space_weights.py everyword-en-run --data DATA --source NAME=PATH … --seconds 120 --device cuda

The run folder must have the stages of the encoder (`everyword train everyword-en`). Only the rows that the development
sets need are combined, so a trial takes seconds. Similarity sets are halved by a hash of the pair; the other half, and
every held-out half, is not looked at.
"""

from __future__ import annotations

import csv
import hashlib
import json
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from scipy.stats import spearmanr

from everyword.config import build
from everyword.systems.spelling.recipe import load_recipe, read_sources
from everyword.systems.word_space import combine
from everyword.systems.word_space.build import _lexicon_folder, _Stages
from everyword.systems.word_space.config import DEFINITIONS, WordSpaceConfig
from everyword.systems.word_space.lexicon import ANTONYM, SYNONYM, Lexicon
from everyword.systems.word_space.tuning import tune

SETS = ("rareword", "men3000", "simlex999", "wordsim353_rel", "simverb3500", "mturk771")
CHOICES: dict[str, list[float]] = {
    "templates": [0.4, 0.5, 0.6, 0.8], "occurrences": [0.6, 0.8, 1.0], "texts": [0.0, 0.3, 0.5],
    "definitions": [0.6, 0.8, 1.0], "glove": [0.8, 1.0, 1.2, 1.4, 1.6], "glove-6b": [0.4, 0.7, 1.0, 1.3],
    "flatten": [0.2, 0.3, 0.4], "shrinkage": [3.0, 6.0, 10.0], "trust": [5.0, 15.0], "stay": [1.5, 2.0, 3.0],
    "synonyms": [0.25, 0.5, 1.0], "synonym_gain": [0.1, 0.15, 0.25], "antonyms": [0.0, 0.1, 0.25, 0.5, 1.0],
    "learning_rate": [0.002, 0.005, 0.01], "steps": [40, 80, 120],
    "antonym_limit": [0.1, 0.2, 0.3, 0.4], "look_alikes": [0.3, 0.5, 0.7, 1.0], "synonym_limit": [0.6, 0.7, 0.8],
}  # fmt: skip
BARS = {"mean": 73.0, "triples": 97.8, "thirty": 84.0, "google": 73.0, "msr": 79.0}
CANDIDATES = 150_000
"""Answers to analogies are searched among this many of the most frequent words, as in `everyword_en.py`."""
LETTERS = {"500-5k": (31.0, 1.4), "5k-20k": (24.0, 1.4), "20k-50k": (21.0, 2.8)}


def rows_of(path: Path) -> list[dict[str, str]]:
    """Read a tab-separated file with a header."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


class Development:
    """The development sets as rows of a table of their words."""

    def __init__(self, data: Path, index: dict[str, int], first: int) -> None:
        kinds = data / "kinds"
        self.candidates = [word for word in (kinds / "candidates.txt").read_text("utf-8").split() if word in index]
        self.pairs = {name: list(self._halved(rows_of(data / "similarity" / f"{name}.tsv"), index)) for name in SETS}
        self.questions = {
            name: [row for row in self._questions(data / "analogy" / f"{name}.tsv", index)]
            for name in ("google", "msr")
        }
        columns = ("word", "related", "lookalike")
        self.triples = [[t[c] for c in columns] for t in rows_of(kinds / "lookalike_dev.tsv")]
        self.thirty = [
            [group["word"], group["related"], *group["lookalikes"].split(",")]
            for group in rows_of(kinds / "lookalike_hard_dev.tsv")
        ]
        self.bands = [(b["band"], b["word"], set(b["relatives"].split(","))) for b in rows_of(kinds / "bands.tsv")]
        listed = {w for pairs in self.pairs.values() for one, two, _ in pairs for w in (one, two)}
        listed |= {w for rows in self.questions.values() for row in rows for w in row}
        listed |= {w for group in (*self.triples, *self.thirty) for w in group} | {word for _, word, _ in self.bands}
        listed |= set(self.candidates)
        kept = sorted({index[word] for word in listed if word in index} | set(range(min(first, len(index)))))
        self.rows = np.array(kept)

    @staticmethod
    def _halved(rows: list[dict[str, str]], index: dict[str, int]) -> Iterator[tuple[str, str, float]]:
        for row in rows:
            one, two = row["word1"].lower(), row["word2"].lower()
            if (
                hashlib.sha256("|".join(sorted((one, two))).encode()).digest()[0] % 2 == 0
                and {one, two} <= index.keys()
            ):
                yield one, two, float(row["score"])

    @staticmethod
    def _questions(path: Path, index: dict[str, int]) -> Iterator[tuple[str, ...]]:
        for number, row in enumerate(rows_of(path)):
            words = tuple(row[column].lower() for column in "abcd")
            if number % 10 == 3 and index.keys() >= set(words):
                yield words


class Scorer:
    """Scores of a table of unit rows on the development sets."""

    def __init__(self, sets: Development, words: list[str], device: str) -> None:
        self.sets, self.words, self.device = sets, words, device
        self.row = {word: row for row, word in enumerate(words)}
        self.near = self._rows(sets.candidates)

    def _rows(self, words: Any) -> torch.Tensor:
        return torch.tensor([self.row[word] for word in words], device=self.device)

    def __call__(self, matrix: np.ndarray) -> dict[str, float]:
        table = torch.nn.functional.normalize(torch.from_numpy(matrix).to(self.device), dim=1)
        scores: dict[str, float] = {}
        for name, pairs in self.sets.pairs.items():
            one, two, gold = zip(*pairs, strict=True)
            cosines = (table[self._rows(one)] * table[self._rows(two)]).sum(1)
            scores[name] = 100 * float(spearmanr(cosines.cpu().numpy(), gold).statistic)
        scores["mean"] = float(np.mean(list(scores.values())))
        known = [t for t in self.sets.triples if all(word in self.row for word in t)]
        word, related, alike = (table[self._rows(column)] for column in zip(*known, strict=True))
        scores["triples"] = 100 * float(((word * related).sum(1) > (word * alike).sum(1)).float().mean())
        scores["thirty"] = 100 * float(np.mean([self._beats_all(table, group) for group in self.sets.thirty]))
        for name, questions in self.sets.questions.items():
            scores[name] = self._analogies(table, questions)
        scores |= self._letters(table)
        return {name: round(score, 1) for name, score in scores.items()}

    def _beats_all(self, table: torch.Tensor, group: list[str]) -> bool:
        vectors = table[self._rows([word for word in group if word in self.row])]
        cosines = vectors[1:] @ vectors[0]
        return bool((cosines[1:] < cosines[0]).all())

    def _analogies(self, table: torch.Tensor, questions: list[tuple[str, ...]]) -> float:
        a, b, c, d = (self._rows(column) for column in zip(*questions, strict=True))
        right = 0
        for start in range(0, len(a), 256):
            part = slice(start, start + 256)
            cosines = (table[b[part]] - table[a[part]] + table[c[part]]) @ table.T
            for asked in (a, b, c):
                cosines[torch.arange(len(cosines)), asked[part]] = -9
            right += int((cosines.argmax(1) == d[part]).sum())
        return 100 * right / len(a)

    def _letters(self, table: torch.Tensor) -> dict[str, float]:
        found: dict[str, list[tuple[int, int]]] = {}
        for start in range(0, len(self.sets.bands), 512):
            part = [band for band in self.sets.bands[start : start + 512] if band[1] in self.row]
            nearest = (table[self._rows([word for _, word, _ in part])] @ table[self.near].T).topk(11, dim=1).indices
            for (band, word, relatives), columns in zip(part, nearest.tolist(), strict=True):
                others = [self.sets.candidates[c] for c in columns if self.sets.candidates[c] != word][:10]
                alike = [other for other in others if other[:3] == word[:3]]
                found.setdefault(band, []).append((len(alike), sum(other not in relatives for other in alike)))
        means = {band: 10 * np.mean(counts, axis=0) for band, counts in found.items()}
        return {f"{name} {band}": float(m[i]) for band, m in means.items() for i, name in enumerate(("alike", "mere"))}


def shortfall(scores: dict[str, float]) -> float:
    """How far scores are from the bars, in points; the mean counts more."""
    missing = sum(max(0.0, bar - scores[name]) * (1.5 if name == "mean" else 1) for name, bar in BARS.items())
    for band, (alike, mere) in LETTERS.items():
        missing += 0.6 * max(0.0, scores[f"alike {band}"] - alike) + 1.2 * max(0.0, scores[f"mere {band}"] - mere)
    return missing - 0.05 * scores["mean"] - 0.02 * scores["google"]


def changed(config: WordSpaceConfig, values: dict[str, float]) -> WordSpaceConfig:
    """Return the configuration with some values changed, wherever they belong."""
    weights = {name: values.get(name, weight) for name, weight in config.weights.items()}
    tables = {name: values.get(name, weight) for name, weight in config.tables.items()}
    tuning = {name: value for name, value in values.items() if hasattr(config.tuning, name)}
    own = {name: value for name, value in values.items() if name in ("flatten", "shrinkage", "trust")}
    return replace(config, weights=weights, tables=tables, tuning=replace(config.tuning, **tuning), **own)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--source", "given", multiple=True, metavar="NAME=PATH")
@click.option("--seconds", default=120.0)
@click.option("--device", default="cuda")
@click.option("--seed", default=0)
@click.argument("overrides", nargs=-1)
def main(
    folder: Path, *, data: Path, given: tuple[str, ...], seconds: float, device: str, seed: int, overrides: Any
) -> None:
    """Search at random from the recipe's weights, always from the best so far."""
    config, sources = build(WordSpaceConfig, load_recipe("everyword-en", overrides).space), read_sources(given)
    lexicon = Lexicon(_lexicon_folder(config, sources, folder, print))
    whole = _Stages(config, sources, folder, lexicon, device, print, False).sources()
    words = {entry: row for entry, row in lexicon.index.items() if row < len(lexicon.words)}
    sets = Development(data, words, CANDIDATES)
    small = {name: source.take(sets.rows) for name, source in whole.items()}
    entries = [lexicon.entries[row] for row in sets.rows]
    place = {int(row): nth for nth, row in enumerate(sets.rows)}
    pairs = {
        kind: [
            (place[a], place[b]) for a, b in lexicon.relations(kinds, config.related_among) if a in place and b in place
        ]
        for kind, kinds in (("synonyms", SYNONYM), ("antonyms", ANTONYM))
    }
    score, rng, begun = Scorer(sets, entries, device), random.Random(seed), time.monotonic()
    informed = np.any([small[name].counts > 0 for name in (DEFINITIONS, *config.tables)], axis=0)

    @lru_cache(maxsize=8)
    def filled_with(trust: float) -> dict[str, np.ndarray]:
        return combine.fill_gaps(small, replace(config, trust=trust))

    def trial(values: dict[str, float]) -> dict[str, float]:
        tried = changed(config, values)
        filled = filled_with(tried.trust)
        wide = combine.joined(filled, {**tried.weights, **tried.tables}, tried.wide_dim, tried)
        matrix = combine.main_directions(combine.bring_closer(wide, pairs["synonyms"], tried), tried.dim, tried)
        free = combine.joined(filled, {**tried.free_of_spelling, **dict.fromkeys(tried.tables, 1.0)}, tried.dim, tried)
        return score(
            tune(matrix, tried.tuning, free=free, words=entries, informed=informed, device=device, **pairs)  # type: ignore[arg-type]
        )

    best: dict[str, float] = {}
    best_scores = trial(best)
    print(json.dumps({"changed": best, "shortfall": round(shortfall(best_scores), 2), **best_scores}), flush=True)
    while time.monotonic() - begun < seconds:
        names = rng.sample(list(CHOICES), rng.choice([1, 1, 2, 3]))
        values = {**best, **{name: rng.choice(CHOICES[name]) for name in names}}
        scores = trial(values)
        print(json.dumps({"changed": values, "shortfall": round(shortfall(scores), 2), **scores}), flush=True)
        if shortfall(scores) < shortfall(best_scores):
            best, best_scores = values, scores
    print(json.dumps({"best": best, **best_scores}))


if __name__ == "__main__":
    main()
