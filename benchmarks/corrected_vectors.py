"""How were the vectors corrected that slang had displaced and antonyms had pushed apart?

    python benchmarks/corrected_vectors.py --model FOLDER --encoder all-MiniLM-L6-v2 --wordnet dict \\
        --glove glove.840B.300d_filtered.txt --output corrected.npy

The space of everyword-en had put words of the glossary where their meaning in slang is, even if they are ordinary words
("fire" lay beside "excellent"), and had taken counterparts such as king and queen for opposites. Building the space
anew needs a GPU and moves every vector, so these words alone were given new ones: a ridge regression learns from words
of all frequencies to predict their vectors from GloVe, the definitions of WordNet and templates in a sentence encoder,
and predicts those of the displaced. `corrected_vectors.toml` lists the words. --model is everyword-en of version 0.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import click
import numpy as np

import everyword
from everyword.arrays import FloatArray
from everyword.config import read_toml
from everyword.corpus.lexicons.wordnet import WordNet
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.text_vectors import text_vectors
from everyword.models.known import FOREIGN, KnownWords
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable
from everyword.vectors.write import write_table

LIST = Path(__file__).with_suffix(".toml")
TEMPLATES = ("{}", "the meaning of {}", "definition of {}", "what is {}?")
WEIGHTS = {"templates": 0.8, "definitions": 1.0, "glove": 1.2}
UNDEFINED = 0.7
"""What a word without a definition has of its templates instead."""
FREQUENT, RARER, REACH = 5_000, 3_000, 40_000
"""Words that the regression learns from: the most frequent, and some of those up to a rank."""
SENSES, RIDGE, SEED = 4, 1.0, 0
NEAREST_ALREADY, MOST_ALIKE = 0.1, 0.65
AT_ONCE = 256
"""Foreign words that are compared with all English ones together."""
ATOMS, FAR, LEFT, SHARE = 3, 0.42, 0.33, 0.25
"""Of the decomposition of a foreign word: translations at most, the least cosine to a mended word, the length of the
rest that needs no further translation, and the least share of a translation that counts."""


@dataclass(frozen=True)
class Space:
    """The words of a model as directions."""

    known: KnownWords

    def of(self, word: str) -> FloatArray:
        """Return the direction of a word."""
        rows = self.known.rows_of([word])
        if rows[0] < 0:
            raise click.ClickException(f"{word!r} is not a known word of the model; name everyword-en of version 0.1.")
        return self.rows(rows)[0]

    def rows(self, rows: np.ndarray) -> FloatArray:
        """Return directions by their rows."""
        return unit_rows(self.known.rows(rows))


def unit(vector: FloatArray) -> FloatArray:
    """Return a vector with length 1."""
    return unit_rows(vector[None])[0]


def estimates(words: list[str], space: Space, glove: VectorTable, wordnet: WordNet, encoder: str) -> FloatArray:
    """Predict the directions of words from their sources."""
    table: dict[str, FloatArray] = {}
    for word, row in zip(glove.words, glove.matrix, strict=True):
        table.setdefault(word.lower(), row)
    in_order = [word for word in space.known.words[:REACH] if word in table and word.isalpha() and len(word) > 1]
    fitting = [word for word in in_order if word not in words]
    drawn = np.random.default_rng(SEED).choice(fitting[FREQUENT:], RARER, replace=False)
    learnt = [*fitting[:FREQUENT], *map(str, drawn)]
    inputs = sources([*words, *learnt], table, glove.dim, wordnet, LanguageModel.load(encoder))
    known, outputs = inputs[len(words) :], space.rows(space.known.rows_of(learnt))
    map_ = np.linalg.solve(known.T @ known + RIDGE * np.eye(known.shape[1], dtype=np.float32), known.T @ outputs)
    return unit_rows(inputs[: len(words)] @ map_)


def sources(
    words: list[str], glove: dict[str, FloatArray], dim: int, wordnet: WordNet, encoder: LanguageModel
) -> FloatArray:
    """Return what each source says of words, side by side."""
    templates = sum(centred(text_vectors(encoder, [one.replace("{}", word) for word in words])) for one in TEMPLATES)
    defined = [
        (row, f"{word}: {text}", 1 / (nth + 1))
        for row, word in enumerate(words)
        for nth, text in enumerate(first_definitions(wordnet, word))
    ]
    owners, texts, weights = zip(*defined, strict=True)
    told = np.zeros_like(templates)
    np.add.at(told, np.array(owners), centred(text_vectors(encoder, texts)) * np.array(weights, np.float32)[:, None])
    templates, told = unit_rows(templates), unit_rows(told)
    silent = ~told.any(axis=1)
    told[silent] = UNDEFINED * templates[silent]
    tables = np.stack([glove.get(word, np.zeros(dim, np.float32)) for word in words])
    tables = unit_rows(tables - tables[tables.any(axis=1)].mean(axis=0))
    parts = {"templates": templates, "definitions": told, "glove": tables}
    ones = np.ones((len(words), 1), dtype=np.float32)
    return np.concatenate([*(weight * parts[name] for name, weight in WEIGHTS.items()), ones], axis=1)


def first_definitions(wordnet: WordNet, word: str) -> list[str]:
    """Return the definitions of the first senses of all parts of speech, then of the second ones."""
    ranked = [(rank, sense.definition) for pos in wordnet.parts for rank, sense in enumerate(wordnet.senses(word, pos))]
    return [text for _, text in sorted(ranked, key=itemgetter(0))[:SENSES]]


def centred(vectors: FloatArray) -> FloatArray:
    """Subtract the mean."""
    return vectors - vectors.mean(axis=0)


def nearer(one: FloatArray, other: FloatArray, cosine: float) -> tuple[FloatArray, FloatArray]:
    """Move two directions along each other until they have a cosine, by halving intervals."""
    low, high = 0.0, 1.0
    for _ in range(40):
        share = (low + high) / 2
        moved = unit(one + share * other), unit(other + share * one)
        low, high = (share, high) if moved[0] @ moved[1] < cosine else (low, share)
    return moved


def corrected(space: Space, listed: dict, predicted: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the new directions of English words."""
    found: dict[str, FloatArray] = {}
    for word, mixed in listed["slang"].items():
        ready = {"estimate": predicted[word], "before": space.of(word)}
        found[word] = unit(
            sum(share * (ready[name] if name in ready else space.of(name)) for name, share in mixed.items())
        )
    for pair in listed["counterparts"]["pairs"]:
        one, other = pair.split()
        wanted = min(MOST_ALIKE, float(predicted[one] @ predicted[other]))
        vectors = [found[word] if word in found else space.of(word) for word in (one, other)]
        if wanted > vectors[0] @ vectors[1] + NEAREST_ALREADY:
            found[one], found[other] = nearer(*vectors, wanted)
    return found


def translations(space: Space, new: dict[str, FloatArray], listed: dict[str, list[str]]) -> dict[str, FloatArray]:
    """Return the new directions of foreign words: sums of those of a few English words, of which some have new ones."""
    known = space.known
    foreign = known.sections[FOREIGN]
    english = space.rows(np.arange(foreign.start))
    rows = dict(zip(known.rows_of(list(new)).tolist(), new, strict=True))
    vectors = space.rows(np.arange(foreign.start, foreign.stop))
    places = np.flatnonzero((vectors @ english[list(rows)].T).max(axis=1) > FAR)
    found = {}
    for first in range(0, len(places), AT_ONCE):
        some = places[first : first + AT_ONCE]
        for place, (chosen, shares) in zip(some.tolist(), decomposed(vectors[some], english), strict=True):
            used = [(row, share) for row, share in zip(chosen, shares, strict=True) if row in rows and share > SHARE]
            word = known.words[foreign.start + place]
            if used and word not in listed["kept"] and not {rows[row] for row, _ in used} & set(listed["ignored"]):
                moved = sum(share * (new[rows[row]] - english[row]) for row, share in used)
                found[word] = unit(vectors[place] + moved)
    return found


def decomposed(vectors: FloatArray, english: FloatArray) -> list[tuple[list[int], FloatArray]]:
    """Return for each vector the rows of a few English words and their shares, by orthogonal matching pursuit."""
    rest, chosen = vectors.copy(), [list[int]() for _ in vectors]
    shares: list[FloatArray] = [np.empty(0, dtype=np.float32) for _ in vectors]
    for step in range(ATOMS):
        best = (rest @ english.T).argmax(axis=1).tolist()
        for place, row in enumerate(best):
            if row in chosen[place] or (step and np.linalg.norm(rest[place]) < LEFT):
                continue
            chosen[place].append(row)
            atoms = english[chosen[place]]
            shares[place] = np.linalg.lstsq(atoms.T, vectors[place], rcond=None)[0]
            rest[place] = vectors[place] - shares[place] @ atoms
    return list(zip(chosen, shares, strict=True))


@click.command()
@click.option("--model", "name", required=True, help="everyword-en of version 0.1.")
@click.option("--encoder", required=True, help="all-MiniLM-L6-v2.")
@click.option("--wordnet", type=click.Path(exists=True, path_type=Path), required=True, help="WordNet's own files.")
@click.option("--glove", type=click.Path(exists=True, path_type=Path), required=True, help="GloVe 840B.")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="A vector file for the new vectors.")
def main(name: str, encoder: str, wordnet: Path, glove: Path, output: Path) -> None:
    """Write the corrected vectors."""
    listed, space = read_toml(LIST), Space(everyword.load(name).known_words)
    paired = [word for pair in listed["counterparts"]["pairs"] for word in pair.split()]
    words = list(dict.fromkeys([*listed["slang"], *paired]))
    predicted = dict(zip(words, estimates(words, space, read_table(glove), WordNet(wordnet), encoder), strict=True))
    new = corrected(space, listed, predicted)
    new |= translations(space, new, listed["foreign"])
    write_table(VectorTable(list(new), np.stack(list(new.values()))), output)
    print(f"{len(new):,} vectors")


if __name__ == "__main__":
    main()
