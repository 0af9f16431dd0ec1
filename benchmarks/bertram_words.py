"""The words of the BERTRAM studies: frequent ones to learn from, and every rare one that a study can need.

python benchmarks/bertram_words.py --data DATA --counts counts.tsv --probe probe.tsv --out words
everyword contexts wiki-*.txt.xz --words words/frequent.txt --output frequent --sentences 32
everyword contexts wiki-*.txt.xz --words words/rare.txt --output rare --sentences 32
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import click

from everyword.atomic import write_lines
from everyword.corpus.labelled.sets import text_splits
from everyword.corpus.rows import read_json_lines, read_rows
from everyword.evaluation.context_models import STOP_WORDS
from everyword.evaluation.probes.cloze.counts import read_counts
from everyword.evaluation.probes.cloze.entries import read_entries
from everyword.evaluation.robustness.rare_texts.making import all_texts
from everyword.evaluation.robustness.rare_texts.substitutes import Substitute, make_misspellings, read_synonyms
from everyword.evaluation.tasks.rare_words import ContextSet

RARE_BELOW = 100
FREQUENT_FROM = 100
SHORTEST = 3
a_path = click.Path(exists=True, path_type=Path)


@click.command()
@click.option("--data", type=a_path, required=True, help="The folder with the data sets.")
@click.option("--counts", type=a_path, required=True, help="Words and counts of the corpus.")
@click.option("--probe", type=a_path, required=True, help="The probe whose keywords need sentences.")
@click.option("--most", default=12_000, show_default=True, help="Frequent words, drawn at random.")
@click.option("--seeds", default=3, show_default=True, help="Number of seeds for the misspellings.")
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(*, data: Path, counts: Path, probe: Path, most: int, seeds: int, out: Path) -> None:
    """Write frequent.txt and rare.txt; no word that is judged is among the frequent ones."""
    counted = read_counts(counts)
    entries = read_entries(probe)
    judged = _words_of_tasks(data / "rare") | {entry.keyword for entry in entries}
    substitutes = set(_substitutes(data, counted, seeds))
    able = _frequent_words(counted, judged | substitutes)
    frequent = Random(0).sample(able, min(most, len(able)))
    out.mkdir(parents=True, exist_ok=True)
    write_lines(out / "frequent.txt", sorted(frequent, key=lambda word: (-counted[word], word)))
    rare = sorted({entry.keyword for entry in entries if entry.band != "frequent"} | substitutes)
    write_lines(out / "rare.txt", rare)
    click.echo(f"{len(frequent):,} frequent words and {len(rare):,} rare ones saved to {out}", err=True)


def _frequent_words(counts: dict[str, int], judged: set[str]) -> list[str]:
    """Return words of any number of pieces by frequency, the most frequent first."""
    words = [
        word
        for word, count in counts.items()
        if count >= FREQUENT_FROM
        and len(word) >= SHORTEST
        and word.isascii()
        and word.isalpha()
        and word not in STOP_WORDS
        and word not in judged
    ]
    return sorted(words, key=lambda word: (-counts[word], word))


def _words_of_tasks(folder: Path) -> set[str]:
    """Return the words of the tasks, and those that a chimera is made of or compared with."""
    words = set(ContextSet.load(folder).sentences)
    columns = ("split", "word", "definition")
    words |= {word for _, (_, word, _) in read_rows(folder / "definitional_nonce.tsv", "set of definitions", columns)}
    keys = {"chimera": list, "probes": list}
    for _, trial in read_json_lines(folder / "chimeras.jsonl.gz", "set of chimeras", keys):
        words.update(trial["chimera"], trial["probes"])
    return words


def _substitutes(data: Path, counts: dict[str, int], seeds: int) -> Iterable[str]:
    """Return every rare word that a rarified text can hold."""
    words = {
        token.lower()
        for source in ("sst2", "mr.tsv.gz", "agnews/train8k.tsv.gz")
        for tokens in all_texts(text_splits(data / "classification" / source)).tokens
        for token in tokens
    }
    synonyms = read_synonyms(data / "lexical" / "wordnet_synonyms.tsv.gz", counts, RARE_BELOW)
    lists: list[dict[str, list[Substitute]]] = [synonyms]
    lists += [make_misspellings(sorted(words), counts, RARE_BELOW, seed) for seed in range(seeds)]
    return (one.word for listed in lists for word in words & set(listed) for one in listed[word])


if __name__ == "__main__":
    main()
