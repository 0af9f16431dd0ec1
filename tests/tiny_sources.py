"""What the recipe everyword-en is made of, tiny: lists, tables, synonyms and misspellings of the tiny world's words."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from made import write
from tiny import tiny_table

from everyword.vectors.table import VectorTable

UNKNOWN_TO_BERT = frozenset("bpu")
"""Letters that do not stand in the sentences of the tiny language model."""

TINY_EVERYWORD = (
    "space.lexicon=lexicon",
    'space.templates=["{}", "the {}"]',
    "space.source_dim=8",
    "space.wide_dim=12",
    "space.dim=8",
    "space.code_sizes=[4, 2]",
    "space.fit_on=100",
    "space.tuning.steps=2",
    "space.workers=0",
    "words.held_out=0.1",
    "words.evaluated=9",
    "words.evaluated_from=10",
    "words.evaluated_to=140",
    "units.top=300",
    "encoder.options.width=16",
    "encoder.options.hidden=32",
    "training.epochs=2",
    "training.anchors=32",
    "training.workers=0",
    "store.quantisation.bytes=2",
    "store.quantisation.fine_rows=20",
    "store.quantisation.fine_bytes=4",
    "blend.made_up=200",
    "blend.network.epochs=1",
)
"""Overrides that make everyword-en small enough for a test."""


def shown_words() -> list[str]:
    """The words of the tiny world that the tiny BERT can read."""
    return [word for word in tiny_table().words if UNKNOWN_TO_BERT.isdisjoint(word)]


def make_sources(folder: Path, language_model: Path) -> dict[str, Path]:
    """Files for the sources of everyword-en."""
    table, words = tiny_table(), shown_words()
    glove = table.select(words[:-20])
    capitalised = VectorTable([word.capitalize() for word in glove.words[:3]] + glove.words[3:], glove.matrix)
    turn = np.random.default_rng(1).normal(size=(table.dim, 6)).astype(np.float32)
    paths = {
        "glove": folder / "glove.vec",
        "glove-6b": folder / "glove-6b.vec",
        "lexicon": make_lexicon(folder / "lexicon", words),
        "corpus": write(folder / "corpus.txt", "".join(f"the {one} and the {two}\n" for one, two in pairwise(words))),
        "synonyms": write(folder / "synonyms.tsv", synonyms_text(words)),
        "misspellings": write(folder / "misspellings.tsv", misspellings_text(words)),
        "human-misspellings": write(folder / "human.tsv", misspellings_text(words[::2])),
        "slang": write(folder / "messages.conll", "".join(f"{word[1:]}\t{word}\n" for word in words[:30])),
        "mpnet": language_model,
    }
    capitalised.save(paths["glove"])
    VectorTable(words, table.select(words).matrix @ turn).save(paths["glove-6b"])
    return paths


def make_lexicon(folder: Path, words: list[str]) -> Path:
    """Words, phrases of two of them, foreign words, definitions of some, a plural, synonyms and antonyms."""
    folder.mkdir(parents=True)
    phrases = [f"{one} {two}" for one, two in zip(words[:20], words[20:40], strict=True)]
    entries = {
        "words": ["word\tzipf", *(f"{word}\t4" for word in words)],
        "phrases": ["phrase\tzipf", *(f"{phrase}\t3" for phrase in phrases)],
        "foreign": ["word\tlanguages\tzipf\ttranslations", f"wört\tde\t4\t{words[3]}=0.75;{words[4]}=0.25"],
        "definitions": ["term\tdefinition\tkind", *(f"{word}\tthe {word} and a\twordnet" for word in words[:60])],
        "inflections": ["form\tlemma", f"{words[70]}\t{words[1]}"],
        "relations": [
            "word\tother\tkind",
            *(f"{one}\t{two}\tsynonym" for one, two in zip(words[::7], words[3::7], strict=False)),
            f"{words[5]}\t{words[6]}\tantonym",
        ],
    }
    for name, lines in entries.items():
        write(folder / f"{name}.tsv", "".join(f"{line}\n" for line in lines))
    return folder


def synonyms_text(words: list[str]) -> str:
    """Some pairs both ways, one of a word with itself, one with what is no word."""
    pairs = [(one, other) for one, other in zip(words[::7], words[3::7], strict=False)]
    listed = [*pairs, *((other, one) for one, other in pairs), (words[0], words[0]), (words[0], "two words")]
    return "".join(f"{one}\t{other}\tn\n" for one, other in listed)


def misspellings_text(words: list[str]) -> str:
    """Each word with its first letter twice."""
    return "wrong\tright\n" + "".join(f"{word[0]}{word}\t{word}\n" for word in words)


def source_options(sources: dict[str, Path]) -> list[str]:
    """As the shell gives them."""
    return [part for name, path in sources.items() for part in ("--source", f"{name}={path}")]
