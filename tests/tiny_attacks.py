"""Small files of trees, rewrites, paraphrases and names, made of the tiny world's words: nothing is taken from data."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

from tiny import tiny_table

GOOD, BAD = tiny_table().words[:8], tiny_table().words[40:48]
FILLERS = tiny_table().words[100:130]
MALE, FEMALE = (
    [f"Bob{letter}" for letter in "abcdefghijklmnopqrstuvwxy"],
    [f"Ann{letter}" for letter in "abcdefghijklmnopqrstuvwxy"],
)
LAST = [word.capitalize() for word in tiny_table().words[200:240]] + [f"Zq{number}x" for number in range(40)]
"""Last names that the tiny table knows, and others that it does not."""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode())


def sentence(label: int, rng: Random, *, person: bool) -> list[str]:
    name = [rng.choice([*MALE, *FEMALE]), rng.choice(LAST)] if person else []
    return [rng.choice(FILLERS), *name, rng.choice(GOOD if label else BAD), rng.choice(FILLERS)]


def tree(words: list[str], label: int) -> str:
    text = f"(2 {words[-1]})"
    for place, word in enumerate(reversed(words[:-1])):
        inner = label if place == len(words) - 2 else 2
        text = f"({inner} (2 {word}) {text})"
    return text


def write_attacked(folder: Path) -> Path:
    """Write all files that the probes of parts and names need, and return the folder."""
    rng = Random(3)
    for part, count in (("train", 80), ("dev", 40), ("test", 40)):
        rows = [tree(sentence(n % 2, rng, person=n % 3 > 0), 4 * (n % 2)) for n in range(count)]
        _write(folder / "trees" / "sst" / f"{part}.txt.gz", "\n".join([*rows, "(2 (2 a) (2 b))"]) + "\n")
    for name in ("yelp", "amazon"):
        rows = [f"{n % 2}\t{' '.join(sentence(n % 2, rng, person=False))}\n" for n in range(120)]
        _write(folder / "rewrite" / f"{name}_dev.tsv.gz", "label\ttext\n" + "".join(rows))
        pairs = []
        for n in range(30):
            filler, good, bad = rng.choice(FILLERS), rng.choice(GOOD), rng.choice(BAD)
            pairs.append(f"neg2pos\t{filler} {bad} {n}\t{filler} {good} {n}\n")
        _write(folder / "rewrite" / f"{name}_sentiment.tsv", "direction\tsource\trewrite\n" + "".join(pairs))
    for part, count in (("train", 60), ("test", 30)):
        rows = []
        for n in range(count):
            one = sentence(1, rng, person=True)
            other = [*one[:3], rng.choice(GOOD if n % 2 else BAD)]
            rows.append(f"{n % 2}\t{' '.join(one)}\t{' '.join(other)}\n")
        _write(folder / "paraphrase" / "mrpc" / f"{part}.tsv.gz", "label\tsentence1\tsentence2\n" + "".join(rows))
    lists = (("male", MALE), ("female", FEMALE), ("last", LAST))
    rows = [f"{part}\t{name}\t0.1\t{rank}\n" for part, names in lists for rank, name in enumerate(names)]
    _write(folder / "names" / "us_census1990.tsv.gz", "kind\tname\tpercent\trank\n" + "".join(rows))
    return folder
