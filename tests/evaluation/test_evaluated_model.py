from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from made import SQUARE, toy_model

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import (
    POLICIES,
    EvaluatedModel,
    evaluated_model,
    model_fingerprint,
    open_evaluated,
)
from everyword.models.model import Model
from everyword.vectors.formats.fasttext import load_fasttext

WORDS = ["dan", "DAN ", "xdanx", "", "plustlyx"]


def test_encode_is_what_a_user_gets(tiny_model: Model) -> None:
    model = evaluated_model(tiny_model, "encode")

    assert np.array_equal(model.encode(WORDS), tiny_model.encode(WORDS))
    assert [model.known(word) for word in WORDS] == [True, True, False, False, False]


def test_infer_infers_the_candidates_too(tiny_model: Model) -> None:
    model = evaluated_model(tiny_model, "infer")

    assert np.array_equal(model.encode(WORDS), tiny_model.infer(WORDS))
    inferred = tiny_model.infer(model.candidates)
    np.testing.assert_allclose(
        model.candidate_units, inferred / np.linalg.norm(inferred, axis=1, keepdims=True), atol=1e-6
    )


def test_zero_leaves_unknown_words_zero(tiny_model: Model) -> None:
    vectors = evaluated_model(tiny_model, "zero").encode(WORDS)

    assert np.array_equal(vectors[:2], tiny_model.encode(WORDS[:2]))
    assert not vectors[2:].any()


def test_an_unknown_word_gets_what_the_policy_makes_of_the_known_ones(tiny_model: Model) -> None:
    spelling = evaluated_model(tiny_model, "spelling").encode(["xdan", "DAN", ""])
    assert np.array_equal(spelling[:2], tiny_model.encode(["dan", "dan"]))
    assert not spelling[2].any()
    assert evaluated_model(tiny_model, "mean").encode([]).shape == (0, tiny_model.dim)


def test_a_fasttext_model_answers_for_every_word() -> None:
    path = Path(__file__).parents[1] / "vectors" / "data" / "skipgram.bin"
    model, fasttext = open_evaluated(str(path)), load_fasttext(path)
    words = [fasttext.words[1], "neverseen"]
    assert model.policy == "encode"
    assert np.array_equal(model.encode(words), np.array([fasttext.vector(word) for word in words]))
    assert [model.known(word) for word in words] == [True, False]
    assert not open_evaluated(str(path), "zero").encode(words)[1].any()


def test_candidates_are_the_first_known_words(tiny_model: Model) -> None:
    model = evaluated_model(tiny_model, candidates=7)

    assert model.candidates == list(tiny_model.known_words.words[:7])
    assert model.candidate_units.shape == (7, tiny_model.dim)
    assert model.candidate(model.candidates[3].upper()) == 3
    assert model.known(tiny_model.known_words.words[9])
    assert model.candidate(tiny_model.known_words.words[9]) is None


def test_a_table_is_looked_up_as_written_then_in_lower_case() -> None:
    model = toy_model({"Paris": [1, 0], "cat": [0, 1]})

    assert model.encode(["Paris", "paris", "CAT", "dog"]).tolist() == [[1, 0], [0, 0], [0, 1], [0, 0]]
    assert [model.known(word) for word in ("Paris", "paris", "CAT")] == [True, False, True]


def test_the_time_for_vectors_is_counted() -> None:
    model = toy_model(SQUARE)
    model.encode(["king"])

    assert model.encode_seconds > 0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_vector_that_is_not_finite_is_named(bad: float) -> None:
    model = toy_model({"cat": [1, 0], "dog": [bad, 0]})

    with pytest.raises(InputError, match="toy gives 'dog' a vector that holds NaN or infinity"):
        model.encode(["cat", "dog"])


def test_one_policy_of_those_there_are(tiny_model: Model, tiny_model_folder: Path) -> None:
    with pytest.raises(InputError, match=r"encode, .*, characters, form, context or context-content\. Got 'guess'"):
        evaluated_model(tiny_model, "guess")
    assert [open_evaluated(str(tiny_model_folder), policy).policy for policy in POLICIES] == list(POLICIES)


def test_no_candidates_are_too_few(tiny_model: Model) -> None:
    with pytest.raises(InputError, match=r"1 or more\. Got 0"):
        evaluated_model(tiny_model, candidates=0)
    with pytest.raises(InputError, match="stores no words"):
        _ = EvaluatedModel(
            "empty", "zero", lambda words: np.zeros((len(words), 2), np.float32), [], str
        ).candidate_units


def test_a_vector_file_has_its_checksum_and_cannot_infer(teacher_path: Path) -> None:
    from everyword.files import checksum

    model = open_evaluated(str(teacher_path))

    assert (model.name, model.policy, model.fingerprint) == ("tiny", "zero", checksum(teacher_path))
    with pytest.raises(InputError, match=r"tiny is a table of vectors and cannot infer any\. Choose the policy"):
        open_evaluated(str(teacher_path), "infer")


def test_the_identity_of_a_model_changes_with_its_vectors_and_not_with_its_card(
    tiny_model_folder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(tiny_model_folder, folder)
    before = model_fingerprint(folder)
    described = json.loads((folder / "config.json").read_text())

    described["name"] = "other"
    (folder / "config.json").write_text(json.dumps(described))
    assert model_fingerprint(folder) == before

    described["encoder"]["norm"] = 2.5
    (folder / "config.json").write_text(json.dumps(described))
    assert model_fingerprint(folder) != before
