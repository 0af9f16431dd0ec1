"""A sentence encoder under typos, plain and with `robustify`: finding 2,000 sentences by misspelt copies.

python benchmarks/robust_sentences.py --encoder FOLDER --name all-MiniLM-L6-v2 --corpus TEXT --simlex simlex999.tsv
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy and torch are imported

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from peers.spellers import Corrector
from record import keep_part
from sentence_transformers import SentenceTransformer

import everyword
from everyword import registry
from everyword.corpus.text_file import read_text
from everyword.evaluation.tasks.similarity import spearman
from everyword.plugins.sentence_transformers import robustify
from everyword.plugins.transformers import adapt_to
from everyword.text.corruption import TYPOS

SENTENCES = 2_000
SHORTEST, LONGEST = 10, 30
"""The fewest and the most words of a sentence."""
CORRECTED = 150_000
"""Among how many of the most frequent words the spelling corrector searches."""
LEVELS = (1, 2, 3, 5, 8, 99)
"""Misspelt words in each sentence; the last is all of them."""
MISSPELT = re.compile(r"[A-Za-z]{4,}")
WORD = re.compile(r"[A-Za-z]+")
TURNS = 3
"""How often each encoder is timed; the fastest counts."""
KINDS = ("misspelt", "unknown", "split")
SEED = 0

Encode = Callable[[Sequence[str]], Any]


@click.command()
@click.option("--encoder", "folder", required=True)
@click.option("--corpus", multiple=True, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--simlex", required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--name", required=True, help="What the encoder is called in the result.")
@click.option("--only", type=click.Choice(["scores", "timing"]), help="One part; timing needs an idle machine.")
def main(folder: str, corpus: tuple[Path, ...], simlex: Path, name: str, only: str | None) -> None:
    """Score the plain encoder, a spelling corrector before it, and the robust encoder."""
    sentences = draw(corpus)
    head = {"encoder": name, "sentences": len(sentences), "levels": list(LEVELS)}
    if only in (None, "scores"):
        keep_part("robust-sentences", "scores", score_all(folder, sentences, simlex), head)
    if only in (None, "timing"):
        keep_part("robust-sentences", "timing", time_all(folder, sentences), head)


def score_all(folder: str, sentences: list[str], simlex: Path) -> dict[str, Any]:
    """Score every encoder, and compute how much of the loss by typos it recovers."""
    encoder = SentenceTransformer(folder, device="cpu")
    plain_index = encoder.encode(sentences)
    imputer = adapt_to(encoder[0].model, encoder.tokenizer)
    corrector = Corrector(everyword.load().known_words.first(CORRECTED).words)
    result = {
        "plain": scores(encoder.encode, sentences, plain_index, simlex),
        "symspell before it": scores(corrected(encoder.encode, corrector), sentences, plain_index, simlex),
    }
    for words in KINDS:
        robustify(encoder, imputer, words=words)
        result[f"robust, replace, words={words}"] = scores(encoder.encode, sentences, plain_index, simlex)
    return {
        "ways": result,
        "recovered": recovered(result),
        "note": "Each sentence is looked for by a copy with so many misspelt words (99: all of four letters and more) "
        "among all clean ones. 'same': both encoded alike; 'plain': the index was made by the plain encoder.",
    }


def time_all(folder: str, sentences: list[str]) -> dict[str, Any]:
    """Time all clean sentences, plain and robust in turns: the first round, with new words, and the best one."""
    plain, robust = (SentenceTransformer(folder, device="cpu") for _ in range(2))
    started = time.perf_counter()
    imputer = adapt_to(robust[0].model, robust.tokenizer)
    made = time.perf_counter()
    robustify(robust, imputer)
    ready = time.perf_counter()
    plain.encode(sentences[:64])
    turns = [[seconds(encoder, sentences) for encoder in (plain, robust)] for _ in range(TURNS)]
    best = [min(of) for of in zip(*turns, strict=True)]
    return {
        "seconds_to_make_the_imputer": round(made - started, 1),
        "seconds_to_robustify": round(ready - made, 1),
        "plain": {"first": turns[0][0], "best": best[0]},
        "robust": {"first": turns[0][1], "best": best[1]},
        "ratio": {"first": round(turns[0][1] / turns[0][0], 3), "best": round(best[1] / best[0], 3)},
    }


def seconds(encoder: Any, sentences: list[str]) -> float:
    started = time.perf_counter()
    encoder.encode(sentences)
    return round(time.perf_counter() - started, 2)


def draw(corpus: Sequence[Path]) -> list[str]:
    """Return sentences of the corpus, each once."""
    fitting = dict.fromkeys(
        line for path in corpus for line in read_text(path, "corpus") if SHORTEST <= len(line.split()) <= LONGEST
    )
    return Random(SEED).sample(list(fitting), SENTENCES)


def misspelt(text: str, words: int) -> str:
    """Return a text with one typo in each of the given number of words."""
    rng, kinds = Random(f"{SEED}/{text}"), [registry.corruptions.get(name) for name in TYPOS]
    spots = [found.span() for found in MISSPELT.finditer(text)]
    rng.shuffle(spots)
    for start, stop in sorted(spots[:words], reverse=True):
        text = text[:start] + rng.choice(kinds)(text[start:stop], rng) + text[stop:]
    return text


def corrected(encode: Encode, corrector: Corrector) -> Encode:
    """Return an encoder whose texts pass through a spelling corrector first."""
    known = set(corrector.words)

    def right(word: str) -> str:
        return word if word.lower() in known else corrector.best(word.lower()) or word

    return lambda texts: encode([WORD.sub(lambda found: right(found[0]), text) for text in texts])


def scores(encode: Encode, sentences: list[str], plain_index: Any, simlex: Path) -> dict[str, Any]:
    """Return recall at 1, MRR and cosine at each level, and word similarity with a typo."""
    index = encode(sentences)
    levels = {"0": against(index, index, plain_index)}
    for level in LEVELS:
        queries = encode([misspelt(text, level) for text in sentences])
        levels[str(level)] = against(queries, index, plain_index)
    clean_cosine = float((index * plain_index).sum(axis=1).mean())
    return {
        "levels": levels,
        "cosine_to_plain_on_clean_text": round(clean_cosine, 4),
        "simlex": words(encode, simlex),
    }


def against(queries: Any, same: Any, plain: Any) -> dict[str, dict[str, float]]:
    """Return scores among sentences of the same encoder, and among those of an index by the plain encoder."""
    return {name: ranked(queries, index) for name, index in (("same", same), ("plain", plain))}


def ranked(queries: Any, index: Any) -> dict[str, float]:
    """Return retrieval scores; the right answer to a query is the row of the same number."""
    cosines = queries @ index.T
    own = cosines.diagonal()
    ranks = 1 + (cosines > own[:, None] + 1e-6).sum(axis=1)
    return {
        "recall@1": round(100 * float((ranks == 1).mean()), 2),
        "mrr": round(100 * float((1 / ranks).mean()), 2),
        "cosine": round(float(own.mean()), 4),
    }


def words(encode: Encode, simlex: Path) -> dict[str, float]:
    """Return Spearman with human similarity, clean and with a typo in the first word of each pair."""
    lines = [line.split("\t") for line in simlex.read_text(encoding="utf-8").splitlines()[1:]]
    first, second = encode([line[0] for line in lines]), encode([line[1] for line in lines])
    typed = encode([misspelt_word(line[0]) for line in lines])
    human = np.array([float(line[2]) for line in lines])
    return {
        "clean": round(spearman((first * second).sum(axis=1), human), 4),
        "typo": round(spearman((typed * second).sum(axis=1), human), 4),
    }


def misspelt_word(word: str) -> str:
    rng = Random(f"{SEED}/{word}")
    return registry.corruptions.get(rng.choice(TYPOS))(word, rng)


def recovered(result: dict[str, Any]) -> dict[str, dict[str, dict[str, float | None]]]:
    """Return how much of the plain encoder's loss by typos each of the others recovers, in percent."""
    plain, found = result["plain"]["levels"], {}
    for name, of in result.items():
        if name == "plain":
            continue
        found[name] = {
            level: {measure: share(plain, of["levels"], level, measure) for measure in ("recall@1", "mrr", "cosine")}
            for level in plain
            if level != "0"
        }
    return found


def share(plain: Any, other: Any, level: str, measure: str) -> float | None:
    clean, typed, there = plain["0"]["same"][measure], plain[level]["same"][measure], other[level]["same"][measure]
    return None if clean - typed < 1e-9 else round(100 * (there - typed) / (clean - typed), 1)


if __name__ == "__main__":
    main()
