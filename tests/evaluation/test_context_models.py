from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import SQUARE, toy_model

from everyword.errors import InputError, NoScoreError
from everyword.evaluation.context_models import (
    ContextModel,
    form_only,
    mean_of_context_words,
    mean_of_pieces,
    open_context_model,
    reading,
)
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.models.model import Model

SENTENCES = {"quing": ["The king, the quing.", "a woman"], "nothing": ["zzz"], "empty": []}


def test_context_words_are_counted_as_often_as_they_stand_there_and_the_word_itself_is_not() -> None:
    model = toy_model({**SQUARE, "quing": [9.0, 9, 9, 9]})
    found = mean_of_context_words(model)(SENTENCES)

    the, king, woman = (np.array(SQUARE[word]) for word in ("the", "king", "woman"))
    np.testing.assert_allclose(found[0], (2 * the + king + woman) / 4, atol=1e-6)
    assert not found[1:].any()


def test_stop_words_can_be_left_out() -> None:
    found = mean_of_context_words(toy_model(SQUARE), without={"the"})(SENTENCES)

    np.testing.assert_allclose(found[0], (np.array(SQUARE["king"]) + SQUARE["woman"]) / 2, atol=1e-6)


def test_the_base_answers_for_all_other_words(tiny_model_folder: Path, tiny_model: Model) -> None:
    base = open_evaluated(str(tiny_model_folder), candidates=50)
    model = ContextModel(base, "form", form_only(tiny_model.infer), fingerprint=base.fingerprint)

    np.testing.assert_array_equal(model.encode(["dan", "xdanx"]), tiny_model.encode(["dan", "xdanx"]))
    assert (model.candidates, model.limited, model.fingerprint) == (base.candidates, True, base.fingerprint)
    assert model.known(tiny_model.known_words.words[100])
    inferred = tiny_model.infer(["dan"])
    np.testing.assert_allclose(model.units_in({"dan": ["a"]}), inferred / np.linalg.norm(inferred), atol=1e-6)
    assert model.encode_seconds > 0


def test_a_language_models_form_is_the_mean_of_its_pieces(tiny_bert_folder: Path) -> None:
    from everyword.language_models.language_model import LanguageModel

    bert = LanguageModel.load(tiny_bert_folder, device="cpu")
    model = open_context_model(str(tiny_bert_folder), "form")
    rows = bert.tokenizer("catdog", add_special_tokens=False)["input_ids"]
    mean = bert.input_matrix()[rows].mean(axis=0)

    assert len(rows) > 1
    assert model.known("cat")
    np.testing.assert_allclose(model.units_in({"catdog": []})[0], mean / np.linalg.norm(mean), atol=1e-5)
    around = open_context_model(str(tiny_bert_folder), "context").units_in({"x": ["the cat"]})
    assert np.isclose(np.linalg.norm(around), 1)


def test_a_word_without_pieces_has_zeros() -> None:
    assert not mean_of_pieces(lambda words: [[] for _ in words], np.ones((3, 2), dtype=np.float32))({"x": []}).any()


def test_what_cannot_be_scored_is_refused() -> None:
    base = toy_model(SQUARE)
    wide = ContextModel(base, "context", lambda sentences: np.zeros((len(sentences), 5)))
    odd = ContextModel(base, "context", lambda sentences: np.full((len(sentences), 4), np.nan))
    with pytest.raises(InputError, match=r"toy must return an array of shape \(1, 4\).*Got \(1, 5\)"):
        wide.units_in({"quing": ["a"]})
    with pytest.raises(InputError, match="gives 'quing' a vector that holds NaN"):
        odd.units_in({"quing": ["a"]})
    with pytest.raises(NoScoreError, match="The task nonce gives sentences, which the policy 'zero' does not read"):
        reading(base, "nonce")


def test_a_table_has_no_form(tmp_path: Path) -> None:
    path = tmp_path / "toy.vec"
    path.write_text("2 2\nking 1 0\nqueen 0 1\n")
    with pytest.raises(InputError, match="is a table of vectors and cannot infer any"):
        open_evaluated(str(path), "form")
    assert open_evaluated(str(path), "context").policy == "context"
