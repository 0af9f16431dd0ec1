from __future__ import annotations

import pickle
from pathlib import Path
from threading import Barrier, Thread

import numpy as np
import pytest
from tiny import tiny_table

import everyword
from everyword.models.blend.blender import CHUNK, Blender
from everyword.models.model import Model

WORDS = ["bna", "grelonesss", "trusting", "plinnnes", "xx", "ban2", "sorug", "b", "🙂", "ban" * 20]


@pytest.fixture
def blender(tiny_dan_model: Model) -> Blender:
    """One that was not asked anything yet."""
    assert tiny_dan_model.gate is not None
    return Blender(tiny_dan_model.known_words, tiny_dan_model.form_encoder, tiny_dan_model.gate)


def test_a_word_has_the_same_vector_alone_and_among_others(tiny_dan_model: Model) -> None:
    together = tiny_dan_model.encode(WORDS)
    for word, vector in zip(WORDS, together, strict=True):
        np.testing.assert_allclose(tiny_dan_model[word], vector, atol=1e-6)
    np.testing.assert_allclose(tiny_dan_model.encode(WORDS[::-1])[::-1], together, atol=1e-5)


def test_more_words_than_a_chunk(blender: Blender) -> None:
    words = (WORDS * (CHUNK // len(WORDS) + 2))[: CHUNK + 5]
    vectors = blender(words)
    np.testing.assert_allclose(vectors, np.resize(vectors[: len(WORDS)], vectors.shape), atol=1e-6)


def test_a_blend_is_the_weighted_mean_of_its_parts(blender: Blender) -> None:
    blend = blender.blend(["bna"])
    mixture, weights = blend.mixture, blend.mixture.weights
    rows = blender.known.matrix.floats(mixture.candidates.row)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    mean = weights.candidates @ units + weights.form * mixture.form[0]
    np.testing.assert_allclose(mixture.blended[0], mean, atol=0.05)  # shares below 1 % are left out
    assert np.linalg.norm(mixture.blended) <= 1.0001
    np.testing.assert_allclose(weights.candidates.sum() + weights.form, 1, atol=1e-6)


def test_blends_are_as_long_as_inferred_vectors(blender: Blender) -> None:
    lengths = np.linalg.norm(blender(["bna", "sorug"]), axis=1)
    np.testing.assert_allclose(lengths, blender.form_encoder.norm, rtol=1e-5)


def test_confidence_of_all_kinds_of_words(blender: Blender) -> None:
    confidence = blender.blend(WORDS).confidence
    assert ((confidence >= 0) & (confidence <= 1)).all()
    assert confidence[WORDS.index("🙂")] == 0


def test_nothing_asked_is_nothing_answered(blender: Blender) -> None:
    assert blender([]).shape == (0, blender.form_encoder.dim)


def test_a_saved_model_blends_as_before(tiny_dan_model: Model, tmp_path: Path) -> None:
    tiny_dan_model.save_pretrained(tmp_path / "again")
    again = everyword.load(tmp_path / "again")
    fresh = tiny_dan_model.without(())  # it remembers no word of another batch
    np.testing.assert_array_equal(again.encode(WORDS), fresh.encode(WORDS))
    assert [again.explain(word) for word in WORDS] == [tiny_dan_model.explain(word) for word in WORDS]


def test_a_model_that_has_blended_can_be_pickled(tiny_dan_model: Model) -> None:
    expected = tiny_dan_model.encode(WORDS)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(tiny_dan_model)).encode(WORDS), expected)


def test_eight_threads_on_a_fresh_model_give_the_answers_of_one(tiny_dan_model: Model, tmp_path: Path) -> None:
    tiny_dan_model.save_pretrained(tmp_path / "model")
    fresh = everyword.load(tmp_path / "model")
    words = [word + ending for word in tiny_table().words for ending in ("x", "e")]
    expected, answers, together = tiny_dan_model.without(()).encode(words), {}, Barrier(8)

    def ask(thread: int) -> None:
        together.wait()
        answers[thread] = fresh.encode(words)

    threads = [Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    for vectors in answers.values():
        np.testing.assert_array_equal(vectors, expected)
