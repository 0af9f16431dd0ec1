"""The three tasks that give words in sentences."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from made import SQUARE, toy_model, write

from everyword.errors import InputError
from everyword.evaluation.context_models import ContextModel, Sentences, form_only, mean_of_context_words
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks import rare_words


def context_model(**options: int) -> ContextModel:
    base = toy_model(SQUARE, **options)
    return ContextModel(base, "context", mean_of_context_words(base))


def rare_set(folder: Path, **sentences: list[str]) -> Path:
    write(
        folder / "crw_dev.tsv", "word1\tword2\tscore\nking\tquing\t9\nwoman\tquing\t1\nwoman\twoma\t8\nking\twoma\t2\n"
    )
    lines = "".join(json.dumps({"word": word, "sentences": texts}) + "\n" for word, texts in sentences.items())
    (folder / "crw_dev_contexts.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return folder


def test_similarities_grow_with_sentences(tmp_path: Path) -> None:
    helpful, misleading = "unk king", "the apple woman woman woman woman woman"
    data = rare_words.ContextSet.load(
        rare_set(tmp_path, quing=[misleading] + 4 * ["king king king"], woma=["woman", "woman woman", helpful])
    )
    scores = rare_words.run_context_similarity(context_model(), data, seed=0)

    assert data.sentences["woma"][-1] == "king"
    assert list(scores.values) == ["spearman@1", "spearman@2", "spearman@4", "spearman@5", "spearman"]
    assert scores.values["spearman"] == scores.values["spearman@5"] == 100
    assert scores.spread["spearman@5"] == 0
    assert scores.values["spearman@1"] <= 100
    assert (scores.n, scores.known, scores.seeds) == (4, 4, 3)


def test_sentences_are_drawn_by_seed_and_the_fewer_are_among_the_more(tmp_path: Path) -> None:
    seen: list[dict[str, list[str]]] = []

    def watch(sentences: Sentences) -> np.ndarray:
        seen.append({word: list(texts) for word, texts in sentences.items()})
        return np.ones((len(sentences), 4), dtype=np.float32)

    texts = [f"sentence {letter}" for letter in "abcdefgh"]
    data = rare_words.ContextSet.load(rare_set(tmp_path, quing=texts, woma=texts[:2]))
    model = ContextModel(toy_model(SQUARE), "context", watch)
    for _ in range(2):
        rare_words.run_context_similarity(model, data, seed=1)

    assert [len(one["quing"]) for one in seen[:4]] == [1, 2, 4, 8]
    assert [len(one["woma"]) for one in seen[:4]] == [1, 2, 2, 2]
    assert seen[2]["quing"][:2] == seen[1]["quing"]
    assert seen[:12] == seen[12:]
    assert seen[2] != seen[6], "another draw"


def test_each_rare_word_needs_sentences(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no sentences for 'woma', the second word of a pair"):
        rare_words.ContextSet.load(rare_set(tmp_path, quing=["a"]))
    with pytest.raises(InputError, match=":1: 'quing' has no sentence"):
        rare_words.ContextSet.load(rare_set(tmp_path, quing=[]))
    (tmp_path / "crw_dev_contexts.jsonl.gz").write_bytes(gzip.compress(b'{"word": 3}\n'))
    with pytest.raises(InputError, match=r":1: needs a JSON object with word \(str\), sentences \(list\). Got"):
        rare_words.ContextSet.load(tmp_path)


def definitions(folder: Path) -> rare_words.NonceSet:
    text = "split\tword\tdefinition\ntest\tking\t___ is a man\ntest\tqueen\tthe\ntest\tzzz\t___ man\n"
    return rare_words.NonceSet.load(write(folder / "definitional_nonce.tsv", text + "train\tapple\tx\n"))


def test_the_rank_of_the_words_own_vector(tmp_path: Path) -> None:
    data = definitions(tmp_path)
    assert data.definitions == {"king": ["king is a man"], "queen": ["the"], "zzz": ["zzz man"]}
    scores = rare_words.run_nonce(context_model(), data, seed=0)

    # Nearest to man are man and king; the points away from queen and king, whose cosines are the same: queen is last.
    assert scores.values["mrr_known"] == pytest.approx(100 * (1 / 2 + 1 / 6) / 2)
    assert scores.values["mrr"] == pytest.approx(100 * (1 / 2 + 1 / 6) / 3)
    assert (scores.n, scores.known) == (3, 2)
    assert scores.sections["rank"] == {"median": 4, "of candidates": 6}


def test_a_perfect_reader_finds_every_word_and_an_empty_one_finds_it_last(tmp_path: Path) -> None:
    base = toy_model(SQUARE)
    perfect = ContextModel(base, "form", form_only(base.encode))
    empty = ContextModel(base, "form", form_only(lambda words: np.zeros((len(words), 4), dtype=np.float32)))

    assert rare_words.run_nonce(perfect, definitions(tmp_path), 0).values["mrr_known"] == 100
    assert rare_words.run_nonce(empty, definitions(tmp_path), 0).values["mrr_known"] == pytest.approx(100 / 6)


def test_definitions_of_another_language_have_no_score(tmp_path: Path) -> None:
    with pytest.raises(NoOverlapError, match="No word of foreign is among the 6 candidates of toy"):
        rare_words.run_nonce(context_model(), rare_words.NonceSet("foreign", {"zzz": ["a"]}), 0)
    with pytest.raises(InputError, match="holds no definitions whose split is test"):
        rare_words.NonceSet.load(write(tmp_path / "d.tsv", "split\tword\tdefinition\ntrain\ta\tb\n"))


def trials(path: Path, *records: dict[str, object]) -> Path:
    return write(path, "".join(json.dumps(record) + "\n" for record in records))


TRIAL = {
    "length": 2,
    "split": "test",
    "sentences": ["the ___ king", "king"],
    "probes": ["king", "queen", "apple"],
    "scores": [5.0, 3.0, 1.0],
}


def test_chimeras_are_scored_within_each_trial(tmp_path: Path) -> None:
    turned = {**TRIAL, "length": 4, "scores": [1.0, 3.0, 5.0], "probes": ["king", "queen", "zzz"]}
    data = rare_words.ChimeraSet.load(trials(tmp_path / "c.jsonl", TRIAL, turned, {**TRIAL, "split": "train"}))
    base = toy_model(SQUARE)
    scores = rare_words.run_chimera(
        ContextModel(base, "context", mean_of_context_words(base, without={"the"})), data, 0
    )

    assert data.chimeras[0].sentences == [f"the {rare_words.MADE_UP_WORD} king", "king"]
    assert scores.values["spearman@2"] == 100
    assert scores.values["spearman@4"] == -100
    assert scores.values["spearman"] == 0
    assert (scores.n, scores.known) == (2, 1)


def test_trials_that_cannot_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":1: a chimera needs sentences, two or more probes.* Got 2, 3 and 1"):
        rare_words.ChimeraSet.load(trials(tmp_path / "c.jsonl", {**TRIAL, "scores": [1.0]}))
    with pytest.raises(InputError, match="holds no chimeras whose split is test"):
        rare_words.ChimeraSet.load(trials(tmp_path / "c.jsonl", {**TRIAL, "split": "train"}))
