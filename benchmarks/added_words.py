"""Words as new tokens of a language model: time, cost, and similarity of the new rows to the pieces they replace.

python benchmarks/added_words.py --model all-MiniLM-L6-v2
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy and torch are imported

import copy
import json
import random
import tempfile
import time
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
import transformers
from record import keep_part
from tokenizers import ByteLevelBPETokenizer, Tokenizer

import everyword
from everyword.arrays import FloatArray
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pooling import mean_of_spans
from everyword.language_models.templates import tokenize_in_template
from everyword.models.model import Model
from everyword.plugins.transformers.choices import adapt_to
from everyword.plugins.transformers.new_words import add_words
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

TEXTS, WORDS_A_TEXT = 3_000, 30
TEMPLATE = "Yesterday I read a long article about {} in the newspaper."
BYTE_PAIRS = 30_000


@click.command()
@click.option("--model", "folder", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--words", "count", default=50_000, show_default=True, help="Words to add.")
@click.option("--judged", default=500, show_default=True, help="Words whose new rows are judged.")
@click.option("--part", "parts", multiple=True, type=click.Choice(["speed", "quality"]), help="Only this one.")
def main(folder: Path, count: int, judged: int, parts: tuple[str, ...]) -> None:
    """Measure speed and quality, and save each."""
    base = everyword.load()
    head = {"model": folder.name if folder.name != "model" else folder.parent.name, "base": base.name}
    measures = {"speed": lambda: speeds(folder, base, count), "quality": lambda: quality(folder, base, judged)}
    for part in parts or measures:
        keep_part("added-words", part, measures[part](), head)


def speeds(folder: Path, base: Model, count: int) -> dict[str, Any]:
    return {
        "word_pieces": speed(*load(folder), base, count),
        "byte_pairs": speed(*byte_pair_model(base), base, count),
        "entries_of_the_vocabulary": as_entries(load(folder)[1], base, count),
    }


def load(folder: Path) -> tuple[Any, Any]:
    return transformers.AutoModel.from_pretrained(folder), transformers.AutoTokenizer.from_pretrained(folder)


def byte_pair_model(base: Model) -> tuple[Any, Any]:
    """Make a RoBERTa with random weights and byte pairs learnt from frequent words, to measure its speed."""
    pairs = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pairs.train_from_iterator(made_texts(base), vocab_size=BYTE_PAIRS, special_tokens=special, show_progress=False)
    described = json.loads(pairs.to_str())["model"]
    merges = [tuple(pair) for pair in described["merges"]]
    tokenizer = transformers.RobertaTokenizerFast(vocab=described["vocab"], merges=merges)
    size = {"hidden_size": 384, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 64}
    return transformers.RobertaModel(transformers.RobertaConfig(vocab_size=len(tokenizer), **size)), tokenizer


def made_texts(base: Model) -> list[str]:
    """Draw words of the default model at random, frequent ones more often."""
    draw, words = random.Random(1), base.known_words.words
    weights = list(accumulate(1 / (rank + 100) for rank in range(len(words))))
    return [" ".join(draw.choices(words, cum_weights=weights, k=WORDS_A_TEXT)) for _ in range(TEXTS)]


def split_words(tokenizer: Any, base: Model, count: int) -> list[str]:
    """Return the most frequent words that are several pieces."""
    words = [word for word in base.known_words.words if word.isalpha() and word.isascii()]
    cut = tokenizer([f" {word}" for word in words], add_special_tokens=False)["input_ids"]
    return [word for word, pieces in zip(words, cut, strict=True) if len(pieces) > 1][:count]


def speed(model: Any, tokenizer: Any, base: Model, count: int) -> dict[str, Any]:
    texts = made_texts(base)
    before = {"text_tokenizer": text_tokenizer(tokenizer, texts), "loading_seconds": loading(tokenizer)}
    words = split_words(tokenizer, base, count)
    started = time.perf_counter()
    vectors = VectorTable(words, adapt_to(model, tokenizer).encode(words))
    imputed = time.perf_counter()
    report = add_words(model, tokenizer, words, vectors)
    ended = time.perf_counter()
    return {
        "added": len(report.added),
        "seconds_to_impute": round(imputed - started, 2),
        "seconds_to_add": round(ended - imputed, 2),
        "before": before,
        "after": {"text_tokenizer": text_tokenizer(tokenizer, texts), "loading_seconds": loading(tokenizer)},
    }


def text_tokenizer(tokenizer: Any, texts: Sequence[str]) -> dict[str, float]:
    return tokenising_by(copy.deepcopy(tokenizer.backend_tokenizer), texts)


def tokenising_by(backend: Any, texts: Sequence[str]) -> dict[str, float]:
    backend.no_padding()
    backend.no_truncation()
    runs = []
    for _ in range(5):
        started = time.perf_counter()
        encodings = [backend.encode(text) for text in texts]
        runs.append(time.perf_counter() - started)
    tokens = sum(len(encoding.ids) for encoding in encodings)
    return {
        "words_per_second": round(TEXTS * WORDS_A_TEXT / min(runs)),
        "tokens_per_second": round(tokens / min(runs)),
        "tokens_per_word": round(tokens / (TEXTS * WORDS_A_TEXT), 3),
    }


def loading(tokenizer: Any) -> float:
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        started = time.perf_counter()
        transformers.AutoTokenizer.from_pretrained(folder)
        return round(time.perf_counter() - started, 2)


def as_entries(tokenizer: Any, base: Model, count: int) -> dict[str, Any]:
    """Measure the alternative for word pieces, entries of their vocabulary: speed, and how many other words change."""
    words = split_words(tokenizer, base, count)
    described = json.loads(tokenizer.backend_tokenizer.to_str())
    first = len(tokenizer)
    described["model"]["vocab"] |= {word: first + index for index, word in enumerate(words)}
    started = time.perf_counter()
    backend = Tokenizer.from_str(json.dumps(described))
    loaded = time.perf_counter() - started
    added = set(words)
    others = [word for word in base.known_words.words if word.isalpha() and word.isascii() and word not in added]
    plain = copy.deepcopy(tokenizer.backend_tokenizer)
    for reader in (plain, backend):
        reader.no_padding()
        reader.no_truncation()
    pairs = zip(plain.encode_batch(others), backend.encode_batch(others), strict=True)
    changed = sum(one.tokens != other.tokens for one, other in pairs)
    return {
        "text_tokenizer": tokenising_by(backend, made_texts(base)),
        "loading_seconds": round(loaded, 2),
        "other_words": len(others),
        "other_words_cut_anew": changed,
    }


def quality(folder: Path, base: Model, judged: int) -> dict[str, Any]:
    """Return the cosines of sentence and word vectors before and after, by kind of new row."""
    model, tokenizer = load(folder)
    words = split_words(tokenizer, base, judged)
    shown = adapt_to(model, tokenizer)
    table = input_table(LanguageModel(model, copy.deepcopy(tokenizer)))
    hidden = everyword.adapt(table, base.without(words))
    rows = model.get_input_embeddings().weight.detach().numpy()
    drawn = np.random.default_rng(1).normal(rows.mean(axis=0), rows.std(axis=0), size=(len(words), rows.shape[1]))
    imputers: dict[str, Any] = {
        "everyword-en, adapted": shown,
        "the same without these words": hidden,
        "mean of pieces": "mean-of-pieces",
        "the default, halfway between the first and the third": None,
        "random": VectorTable(words, drawn.astype(np.float32)),
    }
    original = in_template(model, tokenizer, words)
    scores = {}
    for name, imputer in imputers.items():
        model, tokenizer = load(folder)
        add_words(model, tokenizer, words, imputer)
        made = in_template(model, tokenizer, words)
        scores[name] = {kind: _mean_cosine(made[kind], original[kind]) for kind in original}
    return {"words": len(words), "template": TEMPLATE, "mean_cosine_to_several_pieces": scores}


@torch.inference_mode()
def in_template(model: Any, tokenizer: Any, words: Sequence[str]) -> dict[str, FloatArray]:
    """Return the mean over the sentence, as sentence encoders do, and the mean over the word's pieces."""
    reader = LanguageModel(model, copy.deepcopy(tokenizer))
    sentences, own = [], []
    for text in tokenize_in_template(reader, words, TEMPLATE):
        outputs, _ = reader.outputs([text.ids])
        sentences.append(outputs[0].mean(dim=0).numpy())
        own.append(mean_of_spans(outputs, [0], text.spans)[0].numpy())
    return {"sentence": np.array(sentences), "word": np.array(own)}


def _mean_cosine(one: FloatArray, other: FloatArray) -> float:
    return round(float((unit_rows(one) * unit_rows(other)).sum(axis=1).mean()), 4)


if __name__ == "__main__":
    main()
