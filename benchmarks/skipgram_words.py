"""New words in a contextual table: are vectors from a few sentences as good as trained ones?

    everyword contexts wiki.txt --words rare.txt --output rare
    python benchmarks/skipgram_words.py --encoder MODEL --table words.npy --contexts rare

The words are taken out of the table, and come back from some of their sentences. Judge is the default model, which
learnt from neither: how alike do the two rank the similarities of a word to frequent ones?
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from record import RESULTS, keep

import everyword
from everyword.arrays import FloatArray
from everyword.corpus.contexts.sentences import read_sentences
from everyword.evaluation.tasks.similarity import spearman
from everyword.language_models.language_model import LanguageModel
from everyword.systems.skipgram import PreparedCorpus, SkipgramRun, SkipgramTraining, add_words
from everyword.systems.skipgram.config import config_of_record
from everyword.systems.skipgram.sentences import Vocabulary
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

NAME = "skipgram-words"
FREQUENT = slice(100, 2100)
"""The words to which similarities are measured, without the first hundred, which are function words."""
path = click.Path(exists=True, path_type=Path)


@click.command()
@click.option("--encoder", required=True)
@click.option("--table", type=path, required=True, help='Of "everyword train skipgram"; its run folder is beside it.')
@click.option("--contexts", type=path, required=True, help="Words of the table with their sentences.")
@click.option("--counts", default=(1, 3, 10), multiple=True, show_default=True, help="How many sentences a word has.")
@click.option("--kept", type=click.Path(path_type=Path), default=RESULTS, help="The folder of saved results.")
def main(encoder: str, table: Path, contexts: Path, counts: tuple[int, ...], kept: Path) -> None:
    """Score rows from training and rows from sentences."""
    training = _training(encoder, table)
    trained, judge = training.table(), everyword.load()
    most = max(counts)
    sentences = {
        word: said
        for word, said in read_sentences(contexts).items()
        if word in trained and judge.known(word) and len(said) >= most
    }
    frequent = [word for word in trained.words[FREQUENT] if judge.known(word) and word not in sentences]
    judged = judge.vectors_for([*frequent, *sentences])
    scores = {"trained": _agreement(trained, judged, frequent, sentences)}
    _forget(training, sentences)
    for count in counts:
        added = add_words(training, {word: said[:count] for word, said in sentences.items()})
        scores[f"{count}"] = _agreement(added, judged, frequent, sentences)
    result = {
        "metric": "mean Spearman x 100 of a word's cosines to frequent words, with those of the judge",
        "judge": judge.name,
        "encoder": training.run.prepared.record["encoder"],
        "table": {"words": len(trained), "sentences": sum(training.run.prepared.sizes)},
        "words": len(sentences),
        "frequent": len(frequent),
        "scores": {name: round(score, 2) for name, score in scores.items()},
    }
    keep(NAME, result, kept)
    print(json.dumps(result, indent=2))


def _training(encoder: str, table: Path) -> SkipgramTraining:
    folder, record = table.with_name(table.name + "-run"), table.with_name(table.name + ".record.json")
    config = config_of_record(json.loads(record.read_text(encoding="utf-8"))["config"])
    run = SkipgramRun(PreparedCorpus.load(folder / "prepared"), folder, config, resume=True)
    return SkipgramTraining(LanguageModel.load(encoder, device="auto"), run)


def _forget(training: SkipgramTraining, words: Collection[str]) -> None:
    """Rename words to names that no text has, so that the table lacks them."""
    vocabulary = training.run.prepared.vocabulary
    names = [f"forgotten {row}" if word in words else word for row, word in enumerate(vocabulary.words)]
    renamed = Vocabulary(names, vocabulary.counts.tolist())
    training.run = replace(training.run, prepared=replace(training.run.prepared, vocabulary=renamed))


def _agreement(table: VectorTable, judged: VectorTable, frequent: list[str], words: Collection[str]) -> float:
    ours, theirs = (_cosines(vectors, frequent, words) for vectors in (table, judged))
    return 100 * float(np.mean([spearman(own, other) for own, other in zip(ours, theirs, strict=True)]))


def _cosines(table: VectorTable, frequent: list[str], words: Collection[str]) -> FloatArray:
    asked, others = (unit_rows(table.select(list(some)).matrix) for some in (words, frequent))
    cosines: Any = asked @ others.T
    return cosines


if __name__ == "__main__":
    main()
