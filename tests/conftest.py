from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

# Before torch is imported: on arrays this small, several threads only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Before SciPy is imported: without it, scikit-learn skips some of its own checks.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
# Tests make their own data; those of a shell would answer instead.
os.environ.pop("EVERYWORD_DATA", None)

# A shell that starts pytest in the background ignores Ctrl-C for it and for all processes that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

import pytest
from hypothesis import settings
from tiny import TINY_OVERRIDES, own_table, tiny_teacher
from tiny_transformers import save_tiny_bert, save_tiny_roberta

import everyword
from everyword.models.model import Model

if TYPE_CHECKING:
    from everyword.language_models.language_model import LanguageModel


# A busy machine is slow: how long an example takes says nothing about the code.
settings.register_profile("everyword", deadline=None)
settings.load_profile("everyword")


@pytest.fixture(scope="session")
def teacher_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_teacher(tmp_path_factory.mktemp("teacher"))


def train_tiny(recipe_name: str, folder: Path, teacher: Path, *overrides: str) -> Path:
    """Train a small model by a shipped recipe and save it."""
    from everyword.systems.spelling.recipe import load_recipe
    from everyword.systems.spelling.train import SpellingRun, train

    recipe = load_recipe(recipe_name, ["name=tiny", "store.words=200", *TINY_OVERRIDES, *overrides])
    model = train(SpellingRun(recipe, folder / "run", teacher, show_progress=False))
    assert model is not None
    model.save_pretrained(folder / "model")
    return folder / "model"


@pytest.fixture(scope="session")
def tiny_model_folder(tmp_path_factory: pytest.TempPathFactory, teacher_path: Path) -> Path:
    return train_tiny("love", tmp_path_factory.mktemp("tiny-model"), teacher_path)


@pytest.fixture(scope="session")
def tiny_dan_model(tmp_path_factory: pytest.TempPathFactory, teacher_path: Path) -> Model:
    """n-grams instead of pieces, a bag instead of attention, a gate, and packed as small as can be."""
    options = ("blend.enabled=true", "blend.network.epochs=6", "store.precision=int8", "store.known_precision=int4")
    return everyword.load(train_tiny("dan", tmp_path_factory.mktemp("tiny-dan"), teacher_path, *options))


@pytest.fixture(scope="session")
def tiny_adapted_model(tiny_dan_model: Model) -> Model:
    """The same for a table of another space."""
    return everyword.adapt(own_table(), tiny_dan_model, scores=True)


@pytest.fixture(scope="session")
def tiny_model(tiny_model_folder: Path) -> Model:
    return everyword.load(tiny_model_folder)


@pytest.fixture(scope="session")
def tiny_bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("transformers") / "bert")


@pytest.fixture(scope="session")
def tiny_masked_bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("masked") / "bert", "ForMaskedLM")


@pytest.fixture(scope="session")
def tiny_roberta_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_roberta(tmp_path_factory.mktemp("transformers") / "roberta")


@pytest.fixture(scope="session")
def bert(tiny_bert_folder: Path) -> LanguageModel:
    from everyword.language_models.language_model import LanguageModel

    return LanguageModel.load(tiny_bert_folder, device="cpu")


@pytest.fixture(scope="session")
def roberta(tiny_roberta_folder: Path) -> LanguageModel:
    from everyword.language_models.language_model import LanguageModel

    return LanguageModel.load(tiny_roberta_folder, device="cpu")
