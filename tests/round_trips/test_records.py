"""Records come back: of spaces, of trainings, of scores, and of BERTRAMs."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from everyword.evaluation import results
from everyword.evaluation.results import Result
from everyword.language_models.language_model import LanguageModel
from everyword.learning.checkpoint import read_arrays, write_arrays
from everyword.space import Pipeline, load_record
from everyword.systems.bertram import Bertram, BertramConfig
from everyword.systems.bertram.config import NgramsConfig

from .strange import any_word, short_word

STEPS = ["centre", "unit-rows", "whiten", "all-but-the-top:1", "spectrum:-0.5", "pca:2"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_word,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_word, inner, max_size=3),
    max_leaves=6,
)
kinds = st.sampled_from([np.float32, np.float16, np.int64, np.uint8, np.bool_])


@given(steps=st.lists(st.sampled_from(STEPS), max_size=3), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=30)
def test_records_of_spaces(steps: list[str], seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(12, 3)).astype(np.float32)
    record = Pipeline.fit(steps, rows)
    with tempfile.TemporaryDirectory() as folder:
        record.save(folder)
        assert load_record(folder).apply(rows).tobytes() == record.apply(rows).tobytes()  # type: ignore[union-attr]


@given(
    tensors=st.dictionaries(st.text("ab./", min_size=1), kinds.flatmap(lambda kind: arrays.arrays(kind, (2, 3)))),
    header=st.dictionaries(any_word, json_values, max_size=3),
    fingerprint=any_word,
)
@settings(deadline=None, max_examples=40)
def test_arrays_with_a_fingerprint(tensors: dict[str, Any], header: dict[str, Any], fingerprint: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.safetensors"
        write_arrays(path, tensors, header, fingerprint)
        again, told = read_arrays(path, fingerprint)
    assert told == header
    assert {name: (array.dtype, array.tobytes()) for name, array in again.items()} == {
        name: (array.dtype, array.tobytes()) for name, array in tensors.items()
    }


numbers = st.floats(-1e6, 1e6)
scores = st.builds(
    Result,
    schema=st.just(results.SCHEMA),
    task=short_word,
    version=st.integers(0, 9),
    data=short_word,
    data_place=short_word,
    data_sha256=short_word,
    data_expected=st.booleans(),
    model=short_word,
    model_sha256=st.none() | short_word,
    policy=short_word,
    candidates=st.integers(0, 10**9),
    seed=st.integers(0, 9),
    main=st.just("score"),
    scores=st.fixed_dictionaries({"score": st.none() | numbers}),
    spread=st.dictionaries(short_word, numbers, max_size=2),
    seeds=st.integers(1, 9),
    n=st.integers(1, 10**6),
    known=st.integers(0, 10**6),
    coverage=numbers,
    sections=st.dictionaries(short_word, st.dictionaries(short_word, numbers, max_size=2), max_size=2),
    encode_seconds=numbers,
    score_seconds=numbers,
    versions=st.dictionaries(short_word, short_word, max_size=2),
)


@given(result=scores)
@settings(deadline=None, max_examples=40)
def test_results(result: Result) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.json"
        results.write(path, result)
        again = results.read(path)
        assert again.as_json() == result.as_json()
        rounded = {"scores": {}, "spread": {}, "sections": {}, "coverage": 0, "encode_seconds": 0, "score_seconds": 0}
        assert replace(again, **rounded) == replace(result, **rounded)  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", ["add", "shallow"])
@given(words=st.lists(any_word, min_size=1, max_size=4, unique=True))
@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bertrams(bert: LanguageModel, variant: Any, words: list[str]) -> None:
    config = BertramConfig(variant=variant, ngrams=NgramsConfig(fewest_words=1))
    made = Bertram.untrained(bert, words, config)
    contexts = {word: [f"the {word} sat"] for word in words[:2]}
    with tempfile.TemporaryDirectory() as folder:
        made.save(folder)
        again = Bertram.load(folder, bert)
    assert again.network.form.listed == made.network.form.listed  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a word of signs alone is found in no sentence
        before, after = made.infer(contexts), again.infer(contexts)
    np.testing.assert_array_equal(before, after)
