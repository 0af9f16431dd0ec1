"""A tiny other language: the words of the tiny world in other letters, with a dictionary, frequencies and vectors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tiny import tiny_table

from everyword.vectors.table import VectorTable

LATIN = str.maketrans("abdefgiklmnoprstuy", "äpzevhikwmnögdtlüj")
CYRILLIC = str.maketrans("abdefgiklmnoprstuy", "абдефгиклмнопрстую")
FOREIGN_DIM = 20
SMALL = {
    "training.epochs": 3,
    "training.anchors": 64,
    "training.learning_rate": 0.02,
    "units.top": 2000,
    "encoder.options": {"width": 16, "hidden": 16},
    "negatives.per_word": 0,
    "blend.made_up": 400,
    "blend.network.epochs": 2,
    "store.known_precision": "float32",
}
"""Values of the recipe with which a language takes a second or two."""


@dataclass(frozen=True)
class TinyLanguage:
    """Its files in a folder."""

    folder: Path
    letters: dict[int, int]

    def word(self, english: str) -> str:
        """Return the translation of an English word."""
        return english.translate(self.letters)

    @property
    def english(self) -> Path:
        return self.folder / "english.vec"

    @property
    def dictionary(self) -> Path:
        return self.folder / "en-xx.tsv"

    @property
    def frequencies(self) -> Path:
        return self.folder / "xx.tsv"

    @property
    def vectors(self) -> Path:
        return self.folder / "xx.vec"


def tiny_language(folder: Path, letters: dict[int, int] = LATIN, dictionary_of: int = 250) -> TinyLanguage:
    """Write the files; the dictionary has the first words of each onset, so that every part of a word is in it."""
    made, table = TinyLanguage(folder, letters), tiny_table()
    rng = np.random.default_rng(7)
    table.save(made.english)
    names = [made.word(word) for word in table.words]
    turned = table.matrix @ np.linalg.qr(rng.normal(size=(FOREIGN_DIM, FOREIGN_DIM)))[0][: table.dim]
    turned = turned + 0.1 * rng.normal(size=turned.shape)
    VectorTable(names, turned.astype(np.float32)).save(made.vectors)
    chosen = sorted(rng.permutation(len(names))[:dictionary_of].tolist())
    rows = [f"{table.words[row]}\tn\t{names[row].capitalize()}" for row in chosen]
    made.dictionary.write_text("english\tpos\ttranslation\n" + "\n".join(rows) + "\n", encoding="utf-8")
    lines = [f"{name}\t{7 - 0.01 * row:.2f}" for row, name in enumerate(names)]
    made.frequencies.write_text("word\tzipf\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return made
