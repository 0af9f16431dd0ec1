"""Same seeds, same numbers: what every system learns at tiny size, compared with digits that were recorded once.

Losses and outputs are compared, never single weights: Adam turns the rounding noise of a gradient that is zero into a
step. To record digits after a deliberate change: `python -m pytest tests/learning/test_digits.py` with the environment
variable `RECORD_DIGITS=1`; say in the commit why they changed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from evaluation.tasks.extrinsic import tiny_sets
from systems.bertram.made_contexts import made_contexts, quick_config
from systems.skipgram.made_trees import as_conllu, made_corpus
from tiny import DIM, TINY_OVERRIDES, tiny_table
from tiny_transformers import SENTENCES, SIZE

from everyword.language_models.language_model import LanguageModel

DIGITS = Path(__file__).with_name("digits.json")
Digits = dict[str, list[float]]


@pytest.fixture(autouse=True)
def every_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products in full precision: which processors have a faster one differs."""
    monkeypatch.setattr("everyword.learning.device.multiplies_bfloat16", lambda device: False)
    monkeypatch.setattr("everyword.systems.skipgram.train.fast_products", nullcontext)


@pytest.fixture(scope="module")
def bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT with a fixed vocabulary: the trainer of word pieces orders equally frequent ones by chance."""
    import transformers

    folder = tmp_path_factory.mktemp("fixed") / "bert"
    words = sorted(set(re.findall("[a-z]+", " ".join(SENTENCES).lower().replace("ï", "i").replace("é", "e"))))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ",", ".", *words]
    tokenizer = transformers.BertTokenizerFast(vocab={piece: number for number, piece in enumerate(pieces)})
    shape = transformers.BertConfig(vocab_size=len(pieces), max_position_embeddings=64, pad_token_id=0, **SIZE)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        transformers.BertModel(shape).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def bert(bert_folder: Path) -> LanguageModel:
    return LanguageModel.load(bert_folder, device="cpu")


def logged(folder: Path, *names: str) -> list[float]:
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [line[name] for name in names for line in lines]


def some(values: Any) -> list[float]:
    """A few numbers that stand for an array: how large it is, and some of its sums."""
    array = np.asarray(values, dtype=np.float64)
    weights = np.random.default_rng(0).uniform(0.5, 1.5, size=(3, array.size))
    return [float(np.sqrt((array**2).sum())), *(weights @ np.abs(array.ravel())).tolist()]


def spelling(folder: Path, teacher: Path, recipe_name: str, *overrides: str) -> Digits:
    from everyword.systems.spelling.recipe import load_recipe
    from everyword.systems.spelling.train import SpellingRun, train

    recipe = load_recipe(recipe_name, ["name=tiny", "store.words=200", *TINY_OVERRIDES, *overrides])
    model = train(SpellingRun(recipe, folder, teacher, show_progress=False))
    assert model is not None
    words = ["ban", "bann", "grelon", "trusting"]
    return {"log": logged(folder, "loss", "held_out_cosine", "learning_rate"), "vectors": some(model.infer(words))}


def love(folder: Path, teacher_path: Path) -> Digits:
    return spelling(folder, teacher_path, "love")


def cosine_schedule(folder: Path, teacher_path: Path) -> Digits:
    schedule = ("training.schedule=cosine", "training.frequency_power=0.5")
    more = ("training.patience=3", "training.keep=best", "loss.name=cosine")
    return spelling(folder, teacher_path, "mimick", *schedule, *more)


def gate() -> Digits:
    from everyword.models.blend.reading_gate import READING_SIGNS
    from everyword.models.known import KnownWords
    from everyword.models.retrieval.similar_words import SimilarWords
    from everyword.models.retrieval.spelt_words import SpeltWords
    from everyword.systems.spelling.gate_network import (
        GateConfig,
        GateExamples,
        UnknownWords,
        _fit_expectation,
        train_gate,
        trigram_logarithms,
    )
    from everyword.text.corruption import swap
    from everyword.vectors.storage.stored import StoredMatrix

    table = tiny_table()
    typos = {swap(word, Random(row)): row for row, word in enumerate(table.words)}
    typos = {typo: row for typo, row in typos.items() if typo not in table}
    form = np.random.default_rng(0).normal(size=(len(typos), DIM)).astype(np.float32)
    right = np.array(list(typos.values()))
    known = KnownWords(table.words, StoredMatrix.pack(table.matrix, "float32"))
    trigrams = trigram_logarithms(SpeltWords.of(table.words))
    unknown = UnknownWords(list(typos), form, table.matrix[right], right)
    examples = GateExamples.of(unknown, SimilarWords(table.words), known, trigrams)
    chosen = GateConfig(hidden=8, form_hidden=4, epochs=3, batch=32, learning_rate=0.02)
    network = train_gate([examples], [1.0], examples, chosen)
    signs = np.random.default_rng(1).uniform(size=(50, len(READING_SIGNS))).astype(np.float32)
    learnt = _fit_expectation(torch.from_numpy(signs), torch.from_numpy(signs.mean(axis=1) ** 2), chosen)
    hidden = np.maximum(signs @ learnt["signs"] + learnt["bias"], 0)
    with torch.no_grad():
        return {
            "shares": some(network(examples).shares()),
            "confidence": some(hidden @ learnt["score"] + learnt["score_bias"]),
        }


def bertram(folder: Path, bert: LanguageModel) -> Digits:
    from everyword.systems.bertram import TrainingRun, train_bertram

    found: Digits = {}
    for variant in ("add", "replace", "shallow"):
        run = TrainingRun(made_contexts(bert), folder / variant, quick_config(variant=variant))
        trained = train_bertram(bert, run)
        assert trained is not None
        found[variant] = [*logged(folder / variant, "loss"), *some(trained.infer("cat", ["the cat sat"]))]
    return found


def attentive_mimicking(folder: Path) -> Digits:
    from everyword.systems.bertram import AttentiveMimicking, FormContextModel, StaticConfig

    table, rng, found = tiny_table(), Random(2), {}
    contexts = {word: [" ".join([*rng.sample(table.words, 4), word]) for _ in range(5)] for word in table.words[:100]}
    for kind, warm_up in ((AttentiveMimicking, None), (FormContextModel, 0.2)):
        model = kind.train(table, contexts, StaticConfig(epochs=3, contexts_a_word=4, warm_up=warm_up))
        assert model is not None
        found[kind.NAME] = some(model.infer({word: contexts[word] for word in table.words[:5]}))
    return found


def skipgram_corpus(folder: Path) -> Path:
    rng, path = Random(5), folder / "text.txt"
    animals, places = ("cat", "dog", "cats"), ("city", "mat", "café")
    lines = [f"The {rng.choice(animals)} walked and {rng.choice(animals)} walked in New York." for _ in range(100)]
    lines += [f"An older {rng.choice(places)} is on naïve {rng.choice(places)}, older." for _ in range(100)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def skipgram(folder: Path, bert: LanguageModel) -> Digits:
    from everyword.systems.skipgram import SentencesConfig, SkipgramConfig, SkipgramRun, prepare, train_skipgram

    short = SentencesConfig(shortest=4, longest=12, min_count=3)
    prepared, found = prepare([skipgram_corpus(folder)], folder / "prepared", short, model=bert), {}
    for rule in ("sgd", "adagrad", "adam"):
        old = {
            "states": "raw",
            "weighing": "each",
            "own_word": True,
            "subsample": 0.1,
        }  # as before outputs were standardised
        chosen = SkipgramConfig(dim=8, window=3, batch=32, epochs=2, rule=rule, sentences=short, **old)  # type: ignore[arg-type]
        table = train_skipgram(bert, SkipgramRun(prepared, folder / rule, chosen))
        assert table is not None
        found[rule] = [*logged(folder / rule, "loss"), *some(table.matrix)]
    return found


def glove(folder: Path) -> Digits:
    from everyword.systems.skipgram import SentencesConfig, prepare
    from everyword.systems.skipgram.baselines.config import GloveConfig
    from everyword.systems.skipgram.baselines.glove import glove_table

    short = SentencesConfig(shortest=4, longest=12, min_count=3)
    prepared = prepare([skipgram_corpus(folder)], folder / "prepared", short)
    table = glove_table(prepared, GloveConfig(dim=6, window=4, most=20, epochs=5, batch=16), device="cpu")
    return {"table": some(table.matrix)}


def dependency(folder: Path) -> Digits:
    from everyword.systems.skipgram import SentencesConfig, prepare
    from everyword.systems.skipgram.baselines.config import DependencyConfig
    from everyword.systems.skipgram.baselines.dependency import dependency_table, find_pairs

    path = folder / "made.conllu"
    path.write_text("".join(as_conllu(words) for words in made_corpus(100)), encoding="utf-8")
    ready = prepare([path], folder / "ready", SentencesConfig(shortest=4, longest=12, min_count=2))
    parts = find_pairs([path], folder / "pairs", ready, None)
    chosen = DependencyConfig(dim=8, epochs=3, batch=64, context_count=2, rule="adagrad", learning_rate=0.2)
    return {"table": some(dependency_table(ready, parts, chosen, device="cpu").matrix)}


def tiny_bert(folder: Path) -> Digits:
    from everyword.systems.tiny_bert.config import TinyBertConfig, TinyBertRun
    from everyword.systems.tiny_bert.train import train

    rng, text = Random(3), folder / "text.txt"
    animals, deeds = ("cat", "dog", "cow", "bird"), ("sat", "walked", "ran", "slept")
    lines = [f"The {rng.choice(animals)} {rng.choice(deeds)} on the mat, then {rng.choice(deeds)}." for _ in range(200)]
    text.write_text("\n".join(lines), encoding="utf-8")
    size = {"layers": 1, "width": 16, "heads": 2, "inner": 32, "vocabulary": 120, "length": 16, "dropout": 0.1}
    chosen = TinyBertConfig(**size, epochs=2, batch=8, rate=1e-2, held_out=0.1)  # type: ignore[arg-type]
    assert train(TinyBertRun(chosen, folder / "run", (text,), device="cpu", report=lambda _: None), folder / "bert")
    return {"log": logged(folder / "run", "loss", "held_out_loss")}


def tagger() -> Digits:
    from everyword.evaluation.tasks.extrinsic.networks import TagConfig, TagLearner
    from everyword.learning.word_vectors import WordVectors

    learning = replace(tiny_sets.QUICK, epochs=3, clip=0.5)
    chosen = TagConfig(hidden=16, dropout=0.1, lookup=8, character_states=8, input="frozen+char", learning=learning)
    words = WordVectors(tiny_sets.encode, tiny_sets.DIM)
    task = TagLearner(words, tiny_sets.tagged("train", 80, 1), tiny_sets.tagged("dev", 20, 2), chosen)
    fitted = task.fit(1e-2, 1)
    return {"fit": [*fitted.losses, fitted.dev, fitted.epoch]}


def classifier() -> Digits:
    from everyword.evaluation.tasks.extrinsic.networks import Classifier, ClassifyConfig
    from everyword.learning.word_vectors import WordVectors

    found: Digits = {}
    for optimiser, rate in (("adam", 1e-2), ("sgd", 0.1)):
        learning = replace(tiny_sets.QUICK, epochs=3, optimiser=optimiser)  # type: ignore[arg-type]
        words = WordVectors(tiny_sets.encode, tiny_sets.DIM)
        sets = (tiny_sets.texts("train", 80, 1), tiny_sets.texts("dev", 40, 2))
        fitted = Classifier(words, *sets, ClassifyConfig(filters=8, learning=learning)).fit(rate, 1)
        found[optimiser] = [*fitted.losses, fitted.dev, fitted.epoch]
    return found


def fine_tuning(bert_folder: Path) -> Digits:
    from everyword.language_models.fine_tuning import FineTuning, fine_tune, new_classifier, predict

    network, tokenizer = new_classifier(bert_folder, 2, device="cpu")
    with torch.no_grad():  # the tiny model's weights are too large to learn from
        for weights in network.parameters():
            weights.mul_(0.2 if weights.ndim > 1 else 1)
    labels, rng = [number % 2 for number in range(40)], Random(1)
    fillers = [rng.choices(["the", "city", "walked", "on", "mat"], k=rng.randint(1, 5)) for _ in labels]
    texts = [" ".join([*filler, ("dog", "cat")[label]]) for filler, label in zip(fillers, labels, strict=True)]
    told: list[str] = []
    chosen = FineTuning(epochs=3, batch=8, rate=5e-3, longest=16)
    network = fine_tune(
        network, tokenizer, texts, labels, texts[:20], labels[:20], chosen,
        rewrite=lambda text, rng: text if rng.random() < 0.5 else text.upper(), report=told.append,
    )  # fmt: skip
    numbers = [float(number) for line in told for number in re.findall(r"\d+\.\d+", line)]
    return {"told": numbers, "predicted": some(predict(network, tokenizer, texts))}


TRAININGS: list[Callable[..., Digits]] = [
    *(love, cosine_schedule, gate, bertram, attentive_mimicking, skipgram),
    *(glove, dependency, tiny_bert, tagger, classifier, fine_tuning),
]


@pytest.mark.parametrize("training", TRAININGS, ids=lambda training: training.__name__)
def test_same_seeds_give_the_recorded_digits(
    training: Callable[..., Digits], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    fixtures = {
        name: request.getfixturevalue(name) for name in training.__annotations__ if name not in ("folder", "return")
    }
    here = {"folder": tmp_path} if "folder" in training.__annotations__ else {}
    digits = training(**here, **fixtures)

    recorded = json.loads(DIGITS.read_text()) if DIGITS.exists() else {}
    if os.environ.get("RECORD_DIGITS"):
        recorded[training.__name__] = {
            key: [float(f"{value:.7g}") for value in values] for key, values in digits.items()
        }
        DIGITS.write_text(json.dumps(recorded, indent=1) + "\n")
    assert digits.keys() == recorded[training.__name__].keys()
    for key, values in digits.items():
        np.testing.assert_allclose(values, recorded[training.__name__][key], rtol=1e-4, err_msg=key)
