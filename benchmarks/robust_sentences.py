"""What typos do to a sentence encoder, and what `robustify` gives back: finding 2,000 sentences by misspelt copies.

python benchmarks/robust_sentences.py --encoder FOLDER --corpus TEXT [--corpus ...] --simlex simlex999.tsv
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
from record import keep
from sentence_transformers import SentenceTransformer

import everyword
from everyword import registry
from everyword.evaluation.intrinsic.rank import spearman
from everyword.plugins.sentence_transformers import robustify
from everyword.plugins.transformers import imputer_for, make_plain
from everyword.teachers.text_file import read_text
from everyword.text.corruption import TYPOS

SENTENCES = 2_000
SHORTEST, LONGEST = 10, 30
"""Words of a sentence."""
LEVELS = (1, 2, 3, 5, 8, 99)
"""Misspelt words in each sentence; the last is all of them."""
MISSPELT = re.compile(r"[A-Za-z]{4,}")
WORD = re.compile(r"[A-Za-z]+")
TURNS = 5
"""How often each encoder is timed; the fastest counts."""

Encode = Callable[[Sequence[str]], Any]


@click.command()
@click.option("--encoder", "folder", required=True)
@click.option("--corpus", multiple=True, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--simlex", required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--seed", default=0, show_default=True)
def main(folder: str, corpus: tuple[Path, ...], simlex: Path, seed: int) -> None:
    """Score the plain encoder, a spelling corrector before it, and the robust encoder."""
    encoder = SentenceTransformer(folder, device="cpu")
    encoder.encode(["warm up"])
    sentences = draw(corpus, seed)
    plain_index = encoder.encode(sentences)
    started = time.perf_counter()
    imputer = imputer_for(encoder[0].model, encoder.tokenizer)
    seconds = time.perf_counter() - started
    corrector = Corrector(everyword.load().known_words.words)
    result: dict[str, Any] = {}
    timed = {"plain": timing(encoder, sentences)}
    result["plain"] = scores(encoder.encode, sentences, plain_index, simlex, seed)
    result["symspell before it"] = scores(corrected(encoder.encode, corrector), sentences, plain_index, simlex, seed)
    for words in ("misspelt", "unknown", "split"):
        robustify(encoder, imputer, words=words)
        name = f"robust, replace, words={words}"
        timed[name] = timing(encoder, sentences)
        result[name] = scores(encoder.encode, sentences, plain_index, simlex, seed)
        make_plain(encoder[0].model)
        encoder = SentenceTransformer(folder, device="cpu")
    keep(
        "robust-sentences",
        {
            "encoder": Path(folder).name,
            "sentences": len(sentences),
            "levels": list(LEVELS),
            "seconds_to_make_the_imputer": round(seconds, 1),
            "timing": timed,
            "scores": result,
            "recovered": recovered(result),
            "note": "Each sentence is looked for by a copy with so many misspelt words (99: all of four letters and "
            "more) among all clean ones. 'same': both encoded alike; 'plain': the index was made by the plain encoder.",
        },
    )


def draw(corpus: Sequence[Path], seed: int) -> list[str]:
    """Sentences of the corpus, each once."""
    fitting = dict.fromkeys(
        line for path in corpus for line in read_text(path, "corpus") if SHORTEST <= len(line.split()) <= LONGEST
    )
    return Random(seed).sample(list(fitting), SENTENCES)


def misspelt(text: str, words: int, seed: int) -> str:
    """A text with one typo in each of so many words."""
    rng, kinds = Random(f"{seed}/{text}"), [registry.corruptions.get(name) for name in TYPOS]
    spots = [found.span() for found in MISSPELT.finditer(text)]
    rng.shuffle(spots)
    for start, stop in sorted(spots[:words], reverse=True):
        text = text[:start] + rng.choice(kinds)(text[start:stop], rng) + text[stop:]
    return text


def corrected(encode: Encode, corrector: Corrector) -> Encode:
    """An encoder that sees texts after a corrector has gone over every word it does not know."""
    known = set(corrector.words)

    def right(word: str) -> str:
        return word if word.lower() in known else corrector.best(word.lower()) or word

    return lambda texts: encode([WORD.sub(lambda found: right(found[0]), text) for text in texts])


def scores(encode: Encode, sentences: list[str], plain_index: Any, simlex: Path, seed: int) -> dict[str, Any]:
    """Recall at 1, MRR and cosine at each level, on clean text, and word similarity with a typo."""
    index = encode(sentences)
    levels = {"0": against(index, index, plain_index)}
    for level in LEVELS:
        queries = encode([misspelt(text, level, seed) for text in sentences])
        levels[str(level)] = against(queries, index, plain_index)
    clean_cosine = float((index * plain_index).sum(axis=1).mean())
    return {
        "levels": levels,
        "cosine_to_plain_on_clean_text": round(clean_cosine, 4),
        "simlex": words(encode, simlex, seed),
    }


def against(queries: Any, same: Any, plain: Any) -> dict[str, dict[str, float]]:
    """Scores among sentences encoded alike, and among those of an index made before."""
    return {name: ranked(queries, index) for name, index in (("same", same), ("plain", plain))}


def ranked(queries: Any, index: Any) -> dict[str, float]:
    """Each query should find the row of its own number."""
    cosines = queries @ index.T
    own = cosines.diagonal()
    ranks = 1 + (cosines > own[:, None] + 1e-6).sum(axis=1)
    return {
        "recall@1": round(100 * float((ranks == 1).mean()), 2),
        "mrr": round(100 * float((1 / ranks).mean()), 2),
        "cosine": round(float(own.mean()), 4),
    }


def words(encode: Encode, simlex: Path, seed: int) -> dict[str, float]:
    """Spearman with human similarity, of clean words and with a typo in the first word of each pair."""
    lines = [line.split("\t") for line in simlex.read_text(encoding="utf-8").splitlines()[1:]]
    first, second = encode([line[0] for line in lines]), encode([line[1] for line in lines])
    typed = encode([misspelt_word(line[0], seed) for line in lines])
    human = np.array([float(line[2]) for line in lines])
    return {
        "clean": round(spearman((first * second).sum(axis=1), human), 4),
        "typo": round(spearman((typed * second).sum(axis=1), human), 4),
    }


def misspelt_word(word: str, seed: int) -> str:
    rng = Random(f"{seed}/{word}")
    return registry.corruptions.get(rng.choice(TYPOS))(word, rng)


def timing(encoder: Any, sentences: list[str]) -> dict[str, float]:
    """Seconds for all sentences: the first time, when every word is new, and once words are remembered."""
    turns = []
    for _ in range(TURNS):
        started = time.perf_counter()
        encoder.encode(sentences)
        turns.append(time.perf_counter() - started)
    return {"first": round(turns[0], 2), "best": round(min(turns), 2)}


def recovered(result: dict[str, Any]) -> dict[str, dict[str, dict[str, float | None]]]:
    """How much of what typos take from the plain encoder each of the others gives back, in percent."""
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
