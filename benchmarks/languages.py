"""A model of another language, beside fastText trained on the same corpus and mapped onto the English space.

everyword train language --code de --corpus de.txt.xz --dictionary en-de.tsv.gz --frequencies de.tsv.gz \
  --exclude DATA/multilingual/dict/xling/en-de/test.tsv --output everyword-de
python benchmarks/languages.py de --model everyword-de --vectors de.vec --fasttext fasttext-de.model --data DATA

--vectors is a table of the corpus (everyword train static skip-gram), --fasttext a model that gensim saved. Both are
mapped onto the space of everyword-en by ridge regression, by the pairs of the dictionary that do not judge.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported

import gzip
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from record import keep_part

import everyword
from everyword import VectorTable, registry
from everyword.arrays import FloatArray
from everyword.evaluation.tasks.similarity import spearman
from everyword.models.model import Model
from everyword.space.linear_map import fit_map
from everyword.systems.language.config import LanguageConfig
from everyword.systems.language.english import EnglishModel, Translated
from everyword.systems.language.lexicon import read_dictionary, read_frequencies, read_judging
from everyword.text.corruption import TYPOS
from everyword.vectors.neighbours import unit_rows

SIMILARITY = {"de": "simlex_de", "fi": "multisimlex_fi"}
TREEBANK = {"de": "German-GSD", "fi": "Finnish-TDT"}
ENGLISH_WORDS = 100_000
"""Among how many English words a translation is looked for."""
TYPO_RANKS, MOST_TYPOS = (500, 50_000), 2_000
AT_ONCE = 256
PENALTY = 10.0

Encode = Callable[[Sequence[str]], FloatArray]


@click.command()
@click.argument("code", type=click.Choice([*SIMILARITY]))
@click.option("--model", required=True, help="The model of the language.")
@click.option("--vectors", type=click.Path(exists=True, path_type=Path), help="Vectors of the same corpus.")
@click.option(
    "--fasttext", type=click.Path(exists=True, path_type=Path), help="fastText of the same corpus, by gensim."
)
@click.option("--data", type=click.Path(exists=True, path_type=Path), envvar="EVERYWORD_DATA", required=True)
def main(code: str, model: str, vectors: Path | None, fasttext: Path | None, data: Path) -> None:
    """Score a model and its peers, and keep the result as a part of languages.json."""
    loaded, english = everyword.load(model), everyword.load()
    folder = data / "multilingual"
    sets = read_sets(folder, code, loaded)
    encoders: dict[str, Encode] = {f"everyword-{code}": lambda words: loaded.encode(words, normalize=True)}
    to_english = Mapper(folder, code, loaded, english)
    if fasttext is not None:
        encoders["fasttext"] = to_english(of_fasttext(fasttext))
    if vectors is not None:
        encoders["skip-gram"] = to_english(of_table(vectors, loaded))
    rows = {name: scores(encode, sets, english) for name, encode in encoders.items()}
    result = {
        "model": loaded.name,
        "known words": len(loaded.known_words),
        "sizes": {name: len(items) for name, items in sets.items()},
        "stored": {"translation": sum(word in loaded for word, _ in sets["translation"])},
        "encoders": rows,
        "examples": examples(loaded, english, code),
        "training": {key: loaded.record["recipe"]["training"][key] for key in ("epochs", "anchors")}
        | {"words": loaded.record["recipe"]["words"]["limit"]},
    }
    keep_part("languages", code, result, {"english words": ENGLISH_WORDS})


def read_sets(folder: Path, code: str, model: Model) -> dict[str, list[Any]]:
    """Read everything that judges; words as the model spells them."""
    spelt = model.normalise
    translations: dict[str, set[str]] = {}
    for english, word in rows_of(folder / "dict" / "xling" / f"en-{code}" / "test.tsv"):
        translations.setdefault(spelt(word), set()).add(english.lower())
    sets: dict[str, list[Any]] = {
        "similarity": [
            (spelt(one), spelt(other), float(score))
            for one, other, score in rows_of(folder / "similarity" / f"{SIMILARITY[code]}.tsv")
        ],
        "translation": sorted(translations.items()),
        "candidates": [*read_frequencies(folder / "freq" / f"{code}.tsv.gz", spelt)],
    }
    known = set(sets["candidates"])
    misspelt = folder / "misspelling" / f"{code}_curated.tsv"
    if misspelt.exists():
        pairs = ((spelt(wrong), spelt(right)) for wrong, right in rows_of(misspelt))
        sets["misspelling"] = [(wrong, right) for wrong, right in pairs if right in known and wrong not in known]
    sets["typo"] = list(made_up(sets["candidates"], known))
    sets["train"], sets["test"] = (tagged(folder / "ud" / TREEBANK[code], part, spelt) for part in ("dev", "test"))
    return sets


def rows_of(path: Path) -> Iterable[list[str]]:
    """Return the rows of a tab-separated file below its header."""
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def made_up(words: Sequence[str], known: set[str]) -> Iterable[tuple[str, str]]:
    """Return made-up typos that are not words, one each, and the words that were meant."""
    rng = Random(0)
    chosen = [word for word in words[slice(*TYPO_RANKS)] if len(word) > 4 and word.isalpha()]
    for word in rng.sample(chosen, min(MOST_TYPOS, len(chosen))):
        wrong = registry.corruptions.get(rng.choice(TYPOS))(word, rng)
        if wrong not in known:
            yield wrong, word


def tagged(folder: Path, part: str, spelt: Callable[[str], str]) -> list[list[tuple[str, str]]]:
    """Read the words and parts of speech of a treebank."""
    [path] = [path for path in sorted(folder.iterdir()) if part in path.name and "conllu" in path.name]
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text(encoding="utf-8")
    sentences = []
    for block in text.strip().split("\n\n"):
        cells = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        sentences.append([(spelt(cell[1]), cell[3]) for cell in cells if cell[0].isdigit()])
    return sentences


class Mapper:
    """Maps vectors of the language onto the English space, by the pairs of the dictionary that do not judge."""

    def __init__(self, folder: Path, code: str, model: Model, english: Model) -> None:
        side = EnglishModel(english)
        judging = read_judging([folder / "dict" / "xling" / f"en-{code}" / "test.tsv"], model.normalise)
        path = folder / "dict" / "wiktionary" / f"en-{code}.tsv.gz"
        translated = Translated(read_dictionary(path, model.normalise, side.normalise, judging), side, LanguageConfig())
        self.words = [word for word in translated.rows if " " not in word]
        self.targets = translated.vectors(self.words)

    def __call__(self, encode: Encode) -> Encode:
        """Return an encoder whose vectors are mapped; the map is fitted to words that it knows."""
        own = encode(self.words)
        some = own.any(axis=1)
        to_english = fit_map(own[some], self.targets[some], length=1.0).map
        return lambda words: to_english(encode(words))


def of_table(path: Path, model: Model) -> Encode:
    """Return the vectors of a table; zeros for words that it lacks."""
    table = VectorTable.load(path)
    index = {model.normalise(word): row for row, word in reversed(list(enumerate(table.words)))}

    def encode(words: Sequence[str]) -> FloatArray:
        rows = np.array([index.get(word, -1) for word in words])
        return unit_rows(np.where((rows >= 0)[:, None], table.matrix[rows], 0).astype(np.float32))

    return encode


def of_fasttext(path: Path) -> Encode:
    """Return the vectors of a fastText model of gensim, made from n-grams for words that it lacks."""
    from gensim.models import FastText

    vectors = FastText.load(str(path)).wv
    return lambda words: unit_rows(np.array([vectors[word] for word in words], dtype=np.float32))


def scores(encode: Encode, sets: dict[str, list[Any]], english: Model) -> dict[str, Any]:
    """Return all scores of an encoder."""
    started = time.process_time()
    one, other = (encode([pair[side] for pair in sets["similarity"]]) for side in (0, 1))
    found: dict[str, Any] = {
        "similarity": round(float(spearman((one * other).sum(axis=1), [pair[2] for pair in sets["similarity"]])), 4)
    }
    found["translation"] = translation(encode, sets["translation"], english)
    candidates = sets["candidates"]
    table, index = encode(candidates), {word: row for row, word in enumerate(candidates)}
    for name in ("misspelling", "typo"):
        if name in sets:
            wrong = encode([pair[0] for pair in sets[name]])
            right = np.array([index[pair[1]] for pair in sets[name]])
            found[name] = ranks_as_scores(ranks(wrong, table, [[row] for row in right]))
            found[name]["cosine"] = round(float((wrong * table[right]).sum(axis=1).mean()), 4)
    found["tagging"] = tagging(encode, sets["train"], sets["test"])
    return found | {"seconds": round(time.process_time() - started, 1)}


def translation(encode: Encode, pairs: Sequence[tuple[str, set[str]]], english: Model) -> dict[str, float]:
    """Return how often a translation that nobody told is found among English words."""
    words = [english.known_words.words[row] for row in range(ENGLISH_WORDS)]
    index = {word: row for row, word in enumerate(words)}
    asked = [(word, [index[meant] for meant in right if meant in index]) for word, right in pairs]
    asked = [(word, right) for word, right in asked if right]
    table = unit_rows(english.known_words.matrix.floats(slice(0, ENGLISH_WORDS)))
    return ranks_as_scores(ranks(encode([word for word, _ in asked]), table, [right for _, right in asked]))


def ranks(vectors: FloatArray, table: FloatArray, right: Sequence[Sequence[int]]) -> FloatArray:
    """Return how many rows of a table are nearer than the best of the right ones; all, for a zero vector."""
    found = np.empty(len(vectors))
    for first in range(0, len(vectors), AT_ONCE):
        cosines = vectors[first : first + AT_ONCE] @ table.T
        for number, row in enumerate(cosines, start=first):
            found[number] = (row > row[right[number]].max()).sum() if vectors[number].any() else len(table)
    return found


def ranks_as_scores(found: FloatArray) -> dict[str, float]:
    """Return precision at 1 and 5, and the mean reciprocal rank."""
    scores = {"p1": (found < 1).mean(), "p5": (found < 5).mean(), "mrr": (1 / (found + 1)).mean()}
    return {name: round(float(score), 4) for name, score in scores.items()} | {"n": len(found)}


def tagging(encode: Encode, train: list[list[tuple[str, str]]], test: list[list[tuple[str, str]]]) -> dict[str, float]:
    """Return the accuracy of parts of speech by a ridge regression on a word's vector and those beside it."""
    words = list(dict.fromkeys(word for sentence in (*train, *test) for word, _ in sentence))
    row_of, vectors = {word: row for row, word in enumerate(words)}, encode(words)
    inputs, tags = zip(*(_windows(part, row_of, vectors) for part in (train, test)), strict=True)
    names = sorted(set(tags[0]))
    targets = np.array([[tag == name for name in names] for tag in tags[0]], dtype=np.float32)
    products = inputs[0].T @ inputs[0] + PENALTY * np.eye(inputs[0].shape[1], dtype=np.float32)
    weights = np.linalg.solve(products, inputs[0].T @ targets)
    guessed = np.array(names)[(inputs[1] @ weights).argmax(axis=1)]
    right, known = guessed == np.array(tags[1]), {word for sentence in train for word, _ in sentence}
    unseen = np.array([word not in known for sentence in test for word, _ in sentence])
    return {
        "accuracy": round(float(right.mean()), 4),
        "unseen": round(float(right[unseen].mean()), 4),
        "n": len(right),
        "n unseen": int(unseen.sum()),
    }


def _windows(
    sentences: list[list[tuple[str, str]]], row_of: dict[str, int], vectors: FloatArray
) -> tuple[FloatArray, list[str]]:
    dim = vectors.shape[1]
    rows, tags = [], []
    for sentence in sentences:
        own = vectors[[row_of[word] for word, _ in sentence]]
        padded = np.concatenate([np.zeros((1, dim)), own, np.zeros((1, dim))])
        rows.append(np.concatenate([padded[:-2], own, padded[2:], np.ones((len(own), 1))], axis=1))
        tags += [tag for _, tag in sentence]
    return np.concatenate(rows).astype(np.float32), tags


EXAMPLES = {
    "de": ("Leukamie", "Krankenhauss", "Hundefutter", "Geschwindigkeitsbegrenzung", "Fahrad", "Häuser"),
    "fi": ("leukemiaa", "sairaalasa", "koiranruoka", "nopeusrajoitus", "polkupyöra", "taloissa"),
}


def examples(model: Model, english: Model, code: str) -> dict[str, dict[str, Any]]:
    """Return the English neighbours of some words, most of them misspelt or new."""
    found = {}
    for word in EXAMPLES[code]:
        near = model.nearest(word, 3, among=english)
        found[word] = {"source": model.source(word).value, "english": [other for other, _ in near]}
    return found


if __name__ == "__main__":
    main()
