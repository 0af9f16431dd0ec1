from __future__ import annotations

from pathlib import Path

import pytest

from everyword.errors import InputError, UnknownNameError
from everyword.models.model import Model
from everyword.plugins.inputs import given_model


def test_a_model_may_be_given_itself_or_as_a_folder(tiny_model: Model, tiny_model_folder: Path) -> None:
    assert given_model(tiny_model) is tiny_model
    assert given_model(tiny_model_folder).name == given_model(str(tiny_model_folder)).name == tiny_model.name


def test_none_is_the_default_model() -> None:
    assert given_model(None).name == "everyword-en"


def test_what_is_no_model_is_refused_in_one_sentence() -> None:
    with pytest.raises(UnknownNameError, match=r"There is no model 'everyword-enn'.*did you mean 'everyword-en'"):
        given_model("everyword-enn")
    with pytest.raises(InputError, match=r"A model must be a Model, a name, a folder or None\. Got 3, of type int"):
        given_model(3)  # type: ignore[arg-type]
