"""Hostile annotated texts, columns of texts, lexicons and results."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from .maker import Maker, content
from .others import npz, part_claiming
from .sound import nested
from .tables import gzip_bomb

DEEP = 100_000
MANY_DIGITS = "1" * 10_000
LONG_LINE = b"a" * (100 << 20)


def deep_tree() -> bytes:
    """A tree of the Penn Treebank with one word, below as many labels as it is deep."""
    brackets = "".join(f"(L{number} " for number in range(DEEP))
    return f"file\ttree\nx\t{brackets}(NN cat){')' * DEEP}\n".encode()


def treebank_with(head: str) -> bytes:
    return f"1\tcat\tcat\tNOUN\tNN\t_\t{head}\tx\t_\t_\n\n".encode()


def wordnet(*synsets: tuple[int, int]) -> Maker:
    """WordNet's files of nouns, given a sense and the one above it each."""

    def make(folder: Path) -> Path:
        lines = [f"{own:08} 03 n 01 w{own} 0 001 @ {above:08} n 0000 | \n" for own, above in synsets]
        (folder / "data.noun").write_text("".join(lines), encoding="utf-8")
        index = "".join(f"w{own} n 1 1 @ 1 0 {own:08}\n" for own, _ in synsets)
        (folder / "index.noun").write_text(index, encoding="utf-8")
        return folder

    return make


def plan(rows: int, rows_per_part: int) -> Maker:
    described = {
        "format": "everyword-embedding.v1",
        "model": {"name": "x", "fingerprint": "x", "dim": 2},
        "options": {"rows_per_part": rows_per_part},
        "rows": rows,
        "inputs": [
            {
                "location": "x.txt",
                "identity": {"bytes": 1, "modified": 1, "checksum": "x"},
                "survey": {"rows": rows, "marks": []},
            }
        ],
    }

    def make(folder: Path) -> Path:
        (folder / "_manifest.json").write_text(json.dumps(described), encoding="utf-8")
        return folder

    return make


ANNOTATED: dict[str, tuple[str, Maker]] = {
    "trees: brackets in brackets": ("trees", content(deep_tree())),
    "trees: brackets that are never closed": ("trees", content(b"file\ttree\nx\t" + b"(S " * DEEP + b"\n")),
    "trees: a million words": ("trees", content(b"file\ttree\nx\t(S" + b" (NN a)" * 1_000_000 + b")\n")),
    "sentiment trees: brackets that are never closed": ("sentiment trees", content(b"(2 " * DEEP)),
    "sentiment trees: a label of 10,000 digits": ("sentiment trees", content(f"({MANY_DIGITS} (2 a))".encode())),
    "treebank: a head of 10,000 digits": ("treebank", content(treebank_with(MANY_DIGITS), "x.conllu")),
    "treebank: a word that is its own head": ("treebank", content(treebank_with("1"), "x.conllu")),
    "parsed corpus: a head of 10,000 digits": ("parsed corpus", content(treebank_with(MANY_DIGITS), "x.conllu")),
    "tagged: a line of 100 megabytes": ("tagged", content(LONG_LINE, "x.conll")),
    "tagged: gzip that never ends": ("tagged", content(gzip_bomb(b"a\tO\n", b"a\tO\n"), "x.conll.gz")),
    "roles: brackets in brackets": ("roles", content(nested().encode(), "x.jsonl")),
    "column: gzip that never ends": ("column", content(gzip_bomb(b'{"text": "', b"a"), "x.jsonl.gz")),
    "column: quotes that are never closed": ("column", content(gzip_bomb(b'text\n"', b"a\n"), "x.csv.gz")),
    "column: brackets in brackets": ("column", content(nested().encode(), "x.jsonl")),
    "column: no Parquet": ("column", content(b"PAR1" + b"\xff" * 64 + b"PAR1", "x.parquet")),
    "column: names of 100 megabytes": ("column", content(LONG_LINE, "x.csv")),
    "plan: a million million rows": ("plan", plan(10**12, 2)),
    "plan: brackets in brackets": ("plan", lambda folder: content(nested().encode(), "_manifest.json")(folder).parent),
    "soft labels: numbers instead of names": ("soft labels", content(npz(labels=[1], probabilities=[[1.0]]), "x.npz")),
    "soft labels: a million million numbers": ("soft labels", content(part_claiming("(1000000000000,)"), "x.npz")),
    "soft labels: no archive": ("soft labels", content(b"PK\x03\x04 no archive", "x.npz")),
    "dictionary: gzip that never ends": ("dictionary", content(gzip_bomb(b"a\tb\n", b"a\tb\n"), "x.tsv.gz")),
    "dictionary: a line of 100 megabytes": ("dictionary", content(LONG_LINE, "x.tsv")),
    "wordnet: hypernyms in a circle": ("wordnet", wordnet((1, 2), (2, 1))),
    "wordnet: 100,000 hypernyms": ("wordnet", wordnet(*pairwise(range(DEEP)))),
    "wordnet: a sense that is not there": ("wordnet", wordnet((1, 7))),
    "recipe: brackets in brackets": ("recipe", content(b"x = " + b"[" * DEEP, "x.toml")),
    "recipe: a number of 10,000 digits": ("recipe", content(f"x = {MANY_DIGITS}".encode(), "x.toml")),
    "recipe: no text": ("recipe", content(b"\xff\xfe", "x.toml")),
    "probe result: brackets in brackets": ("probe result", content(nested().encode(), "probe-x.json")),
    "probe result: a list": ("probe result", content(b'{"probe": []}', "probe-x.json")),
}  # fmt: skip
