from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_is_fitted, validate_data
from tiny import tiny_table

from everyword.errors import InputError, UnknownNameError
from everyword.models.model import Model
from everyword.plugins.sklearn import POOLINGS, WordVectorizer

TEXTS = ["Ban, grelo! ban", "kusting: bann", "", "?!"]


class NumbersAsTexts(WordVectorizer):
    """scikit-learn's checks know only matrices of numbers: here each number is a word, and each row a text."""

    def fit(self, X: Any, y: object = None) -> NumbersAsTexts:
        super().fit(self._texts(validate_data(self, X)))
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        return super().transform(self._texts(validate_data(self, X, reset=False)))

    def _texts(self, X: Any) -> list[str]:
        words = tiny_table().words
        return [" ".join(words[int(abs(number) * 10) % len(words)] for number in row) for row in X]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = False, True
        return tags


@parametrize_with_checks([NumbersAsTexts(pooling=pooling) for pooling in POOLINGS])
def test_scikit_learn_finds_nothing_amiss(
    estimator: Any, check: Callable[[Any], None], tiny_model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyword.plugins.sklearn.given_model", lambda model: tiny_model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        check(estimator)


def test_a_text_is_what_the_model_says_of_it(tiny_model: Model) -> None:
    made = WordVectorizer(tiny_model).fit_transform(TEXTS)

    assert made.dtype == np.float32
    np.testing.assert_allclose(made, tiny_model.encode_texts(TEXTS), atol=1e-6)


def test_a_text_may_be_the_mean_of_its_words(tiny_model: Model) -> None:
    made = WordVectorizer(tiny_model, pooling="mean").fit_transform(TEXTS)

    assert made.dtype == np.float32
    np.testing.assert_allclose(made[0], tiny_model.encode(["ban", "grelo", "ban"]).mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(made[1], tiny_model.encode(["kusting", "bann"]).mean(axis=0), atol=1e-5)


def test_max_takes_the_largest_value_of_each_column(tiny_model: Model) -> None:
    made = WordVectorizer(tiny_model, pooling="max").fit_transform(TEXTS)

    np.testing.assert_array_equal(made[1], tiny_model.encode(["kusting", "bann"]).max(axis=0))


def test_tfidf_weighs_words_by_the_texts_of_fit(tiny_model: Model) -> None:
    vectoriser = WordVectorizer(tiny_model, pooling="tfidf").fit(["ban grelo", "ban ban", "ban"])

    weights = np.array([log(4 / 4) + 1, log(4 / 2) + 1, log(4 / 1) + 1])  # in three texts, in one, in none
    vectors = tiny_model.encode(["ban", "grelo", "kust"])
    np.testing.assert_allclose(
        vectoriser.transform(["ban grelo kust"])[0], weights @ vectors / weights.sum(), atol=1e-6
    )


@pytest.mark.parametrize("pooling", POOLINGS)
def test_texts_without_words_are_zeros_and_words_without_vectors_do_not_count(tiny_model: Model, pooling: str) -> None:
    vectoriser = WordVectorizer(tiny_model, pooling=pooling, tokenize=None if pooling == "text" else str.split)
    vectoriser.fit(["ban"])
    made = vectoriser.transform(["", "\u200b", "ban \u200b", "ban"])

    assert not made[:2].any()
    np.testing.assert_array_equal(made[2], made[3])
    assert vectoriser.transform([]).shape == (0, tiny_model.dim)


def test_words_are_cut_by_the_tokeniser_given_after_lowering(tiny_model: Model) -> None:
    seen: list[str] = []

    def tokenize(text: str) -> list[str]:
        seen.append(text)
        return [text]

    for lowercase in (True, False):
        vectoriser = WordVectorizer(tiny_model, pooling="mean", tokenize=tokenize, lowercase=lowercase)
        vectoriser.fit(["grelo"]).transform(["BAN"])
    assert seen == ["ban", "BAN"]
    assert WordVectorizer(tiny_model)._words("Don't e-mail 'Ban'!") == ["don't", "e-mail", "ban"]


def test_a_vector_does_not_depend_on_the_other_texts(tiny_model: Model) -> None:
    vectoriser = WordVectorizer(tiny_model).fit(TEXTS)
    one_by_one = np.concatenate([vectoriser.transform([text]) for text in TEXTS])
    np.testing.assert_allclose(one_by_one, vectoriser.transform(TEXTS), atol=1e-5)


def test_columns_have_names(tiny_model: Model) -> None:
    names = WordVectorizer(tiny_model).fit(TEXTS).get_feature_names_out()
    assert names[[0, -1]].tolist() == ["wordvectorizer0", "wordvectorizer15"]


def test_parameters_survive_clone_and_pickle(tiny_model: Model, tiny_model_folder: Path) -> None:
    vectoriser = WordVectorizer(tiny_model_folder, pooling="max", lowercase=False)
    assert clone(vectoriser).get_params() == vectoriser.get_params()
    assert vectoriser.set_params(pooling="mean").pooling == "mean"

    given = clone(WordVectorizer(tiny_model, pooling="tfidf")).fit(TEXTS)
    again = pickle.loads(pickle.dumps(given))
    np.testing.assert_array_equal(again.transform(TEXTS), given.transform(TEXTS))


def test_it_stands_in_a_pipeline_whose_parameters_are_searched(tiny_model_folder: Path) -> None:
    words = tiny_table().words
    texts = np.array([word for word in words if word.startswith(("b", "tr"))])
    labels = np.array([text.startswith("b") for text in texts])
    pipeline = make_pipeline(WordVectorizer(str(tiny_model_folder)), LogisticRegression())

    search = GridSearchCV(pipeline, {"wordvectorizer__pooling": ["text", "mean", "max"]}, cv=2).fit(texts, labels)

    assert search.score(texts, labels) > 0.9


def test_what_is_not_fitted_says_so(tiny_model: Model) -> None:
    with pytest.raises(NotFittedError):
        WordVectorizer(tiny_model).transform(TEXTS)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("ban", r"A list of texts is needed\. Got one str instead"),
        (iter(["ban"]), r"A list of texts is needed\. Got one list_iterator instead"),
        (["ban", None], r"Texts must be str\. Item 1 is of type NoneType"),
        (["ban", float("nan")], r"Item 1 is of type float; missing='empty' reads it as an empty text\."),
        (["ban", 3.0], r"Texts must be str\. Item 1 is of type float\.$"),
        (np.array([["ban", "grelo"]]), r"One column of texts is needed\. Got an array of shape \(1, 2\); choose"),
        (
            pd.DataFrame({"a": ["ban"], "b": ["grelo"]}),
            r"One column of texts is needed\. Got an array of shape \(1, 2\)",
        ),
        (np.array("ban"), r"One column of texts is needed\. Got an array of shape \(\)"),
    ],
)
def test_what_is_no_list_of_texts_is_refused(tiny_model: Model, texts: Any, message: str) -> None:
    vectoriser = WordVectorizer(tiny_model).fit(TEXTS)
    with pytest.raises(InputError, match=message):
        vectoriser.fit(texts)
    with pytest.raises(InputError, match=message):
        vectoriser.transform(texts)


@pytest.mark.parametrize("given", [pd.DataFrame({"text": TEXTS}), np.array(TEXTS)[:, None], pd.Series(TEXTS)])
def test_one_column_is_taken_as_its_texts(tiny_model: Model, given: Any) -> None:
    expected = WordVectorizer(tiny_model).fit_transform(TEXTS)
    np.testing.assert_array_equal(WordVectorizer(tiny_model).fit_transform(given), expected)


@pytest.mark.parametrize("column", ["text", ["text"]])
def test_it_stands_in_a_column_transformer(tiny_model: Model, column: Any) -> None:
    frame = pd.DataFrame({"text": TEXTS, "number": range(len(TEXTS))})
    columns = ColumnTransformer([("t", WordVectorizer(tiny_model), column)], remainder="passthrough")
    made = columns.fit_transform(frame)
    np.testing.assert_allclose(made[:, :-1], WordVectorizer(tiny_model).fit_transform(TEXTS))
    assert columns.get_feature_names_out()[[0, -1]].tolist() == ["t__wordvectorizer0", "remainder__number"]


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA])
def test_what_is_missing_is_an_empty_text_by_choice(tiny_model: Model, nothing: Any) -> None:
    vectoriser = WordVectorizer(tiny_model, missing="empty")
    for given in (["ban", nothing], pd.DataFrame({"text": ["ban", nothing]})):
        np.testing.assert_array_equal(vectoriser.fit_transform(given), vectoriser.fit_transform(["ban", ""]))


def test_unknown_parameters_are_refused_when_fitted(tiny_model: Model) -> None:
    with pytest.raises(InputError, match=r"The parameter pooling cannot be 'maen': did you mean 'mean'\?"):
        WordVectorizer(tiny_model, pooling="maen").fit(TEXTS)
    with pytest.raises(InputError, match=r"The parameter missing cannot be 'emty': did you mean 'empty'\?"):
        WordVectorizer(tiny_model, missing="emty").fit(TEXTS)
    with pytest.raises(InputError, match=r"'text' has a tokeniser of its own; with tokenize, choose pooling='mean'"):
        WordVectorizer(tiny_model, tokenize=str.split).fit(TEXTS)
    with pytest.raises(UnknownNameError, match="There is no model 'no-such-model'"):
        WordVectorizer("no-such-model").fit(TEXTS)
