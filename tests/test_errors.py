from __future__ import annotations

import pickle

import pytest

from everyword import errors
from everyword.errors import EverywordError, MissingExtraError, UnknownNameError, did_you_mean

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_an_everyword_error_and_prints_its_sentence(kind: type[Exception]) -> None:
    error = kind('It\'s "here": a\\b.')

    assert isinstance(error, EverywordError)
    assert str(error) == 'It\'s "here": a\\b.'
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_unknown_name_is_a_key_error_and_a_missing_extra_an_import_error() -> None:
    assert issubclass(UnknownNameError, KeyError)
    assert issubclass(MissingExtraError, ImportError)


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("glov", ["word2vec", "glove"], "did you mean 'glove'?"),
        ("swap", ["swap1", "swap2", "drop"], "did you mean 'swap2' or 'swap1'?"),
        ("x", ["word2vec", "glove"], "choose from glove, word2vec."),
        ("x", [], "none is registered."),
        ("", ["glove"], "choose from glove."),
    ],
)
def test_a_mistyped_name_gets_a_hint(name: str, known: list[str], hint: str) -> None:
    assert did_you_mean(name, known) == hint
