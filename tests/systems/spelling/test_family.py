"""The published models beside LOVE: each trains by its recipe, is saved, and is used without torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tiny import TINY_OVERRIDES

import everyword
from everyword import config
from everyword.errors import InputError
from everyword.learning.loop import LOG
from everyword.models.explanation import Source
from everyword.models.load import embedded_models
from everyword.models.saved.read import read_description
from everyword.systems.spelling.config import RecipeConfig, UnitsConfig
from everyword.systems.spelling.recipe import load_recipe, shipped_recipes
from everyword.systems.spelling.train import SpellingRun, get_prepared, make_encoder, make_trainer, train
from everyword.vectors.storage.quantised import QuantisedMatrix

FAMILY = ["mimick", "reconstruction", "bos", "kvq", "transformer", "dan"]
FOR_TESTS = {
    "transformer": ["encoder.options.width=24", "encoder.options.feed_forward=24"],
    "dan": ["training.schedule=exponential"],  # so that a run can be extended
}
EVERY_RECIPE = pytest.mark.parametrize("name", FAMILY)
WORDS = ["ban", "bann", "grelon", "trusting", "plinnes", "🙂", "", "bя"]


def run_of(name: str, folder: Path, teacher: Path | None, *overrides: str, **options: object) -> SpellingRun:
    recipe = load_recipe(name, [*TINY_OVERRIDES, *FOR_TESTS.get(name, ()), *overrides])
    return SpellingRun(recipe, folder, teacher, show_progress=False, **options)


def test_the_whole_family_is_shipped() -> None:
    assert set(FAMILY) <= shipped_recipes().keys()


@EVERY_RECIPE
def test_training_lifts_words_that_were_never_trained_on(tmp_path: Path, teacher_path: Path, name: str) -> None:
    run = run_of(name, tmp_path, teacher_path, "training.epochs=10")
    prepared = get_prepared(run)
    trainer = make_trainer(run, prepared, make_encoder(run.config, prepared))
    before = trainer.held_out_cosine()
    trainer.run()
    assert max(report["held_out_cosine"] for report in trainer.loop.history) > before + 0.4


@EVERY_RECIPE
def test_a_saved_model_is_the_same_without_torch(tmp_path: Path, teacher_path: Path, name: str) -> None:
    model = train(run_of(name, tmp_path / "run", teacher_path))
    assert model is not None
    model.save_pretrained(tmp_path / "model")
    code = (
        "import sys; sys.modules['torch'] = None; import everyword, json; "
        f"print(json.dumps(everyword.load({str(tmp_path / 'model')!r}).encode({WORDS!r}).tolist()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    vectors = np.array(json.loads(done.stdout), dtype=np.float32)
    np.testing.assert_allclose(vectors, model.encode(WORDS), atol=1e-6)
    assert np.isfinite(vectors).all()
    for word, vector in zip(WORDS, vectors, strict=True):
        assert vector.any() == (model.source(word) is not Source.NONE), word


@EVERY_RECIPE
@pytest.mark.parametrize(("precision", "cosine"), [("float16", 0.999), ("int8", 0.99), ("int4", 0.9)])
def test_a_smaller_file_holds_nearly_the_same_vectors(
    tmp_path: Path, teacher_path: Path, name: str, precision: str, cosine: float
) -> None:
    words = WORDS[:5]
    full, small = (
        train(run_of(name, tmp_path / kind, teacher_path, f"store.precision={kind}")) for kind in ("float32", precision)
    )
    assert full is not None
    assert small is not None
    one, other = full.infer(words), small.infer(words)
    cosines = (one * other).sum(axis=1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    assert cosines.min() > cosine


def test_stored_vectors_may_have_a_precision_of_their_own(tmp_path: Path, teacher_path: Path) -> None:
    model = train(run_of("dan", tmp_path / "run", teacher_path, "store.precision=int8", "store.known_precision=int4"))
    assert model is not None
    model.save_pretrained(tmp_path / "model")
    loaded = everyword.load(tmp_path / "model")
    assert loaded.known_words.matrix.precision == "int4"
    assert loaded.form_encoder.tables["unit"].precision == "int8"
    np.testing.assert_array_equal(loaded.encode(WORDS), model.encode(WORDS))
    assert loaded.nearest("ban", 3) == model.nearest("ban", 3)


def test_stored_vectors_may_be_quantised_in_sections(tmp_path: Path, teacher_path: Path) -> None:
    options = (
        "store.known_precision=pq",
        "store.quantisation.fine_rows=50",
        "store.words=200",
        "store.sections.words=150",
    )
    with pytest.raises(InputError, match=r"The sections must hold all 200 words. Got {'words': 150} instead"):
        train(run_of("dan", tmp_path / "wrong", teacher_path, *options))
    model = train(run_of("dan", tmp_path / "run", teacher_path, *options, "store.sections.foreign=50"))
    assert model is not None
    assert model.known_words.section_sizes() == {"words": 150, "foreign": 50}
    assert isinstance(model.known_words.matrix, QuantisedMatrix)
    assert [len(level.codes) for level in model.known_words.matrix.levels] == [50, 150]


@EVERY_RECIPE
def test_a_run_resumes_to_the_same_result(tmp_path: Path, teacher_path: Path, name: str) -> None:
    straight = train(run_of(name, tmp_path / "straight", teacher_path))
    train(run_of(name, tmp_path / "stopped", teacher_path, "training.epochs=1"))
    resumed = train(run_of(name, tmp_path / "stopped", None, resume=True))
    assert straight is not None
    assert resumed is not None
    np.testing.assert_array_equal(resumed.encode(WORDS), straight.encode(WORDS))
    assert len((tmp_path / "stopped" / LOG).read_text().splitlines()) == 2


def test_what_a_recipe_does_not_use_is_not_looked_for(tmp_path: Path, teacher_path: Path) -> None:
    prepared = get_prepared(run_of("bos", tmp_path, teacher_path))
    assert prepared.negatives.shape == prepared.synonyms.shape == (len(prepared.words), 1)


def test_the_card_does_not_tell_of_synonyms_that_were_not_shown(tmp_path: Path, teacher_path: Path) -> None:
    for name, told in (("bos", False), ("transformer", True)):
        model = train(run_of(name, tmp_path / name, teacher_path, "training.epochs=1"))
        assert model is not None
        model.save_pretrained(tmp_path / name / "model")
        card = (tmp_path / name / "model" / "README.md").read_text(encoding="utf-8")
        assert ("| synonyms |" in card) == ("| corruptions seen in training |" in card) == told


def test_raw_distances_keep_the_length_that_was_learnt(tmp_path: Path, teacher_path: Path) -> None:
    model = train(run_of("bos", tmp_path, teacher_path))
    assert model is not None
    assert model.form_encoder.norm is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, UnitsConfig()),
        ({"input": "char", "buckets": None}, UnitsConfig(options={"input": "char", "buckets": None})),
        ({"name": "ngrams.v1", "longest": 4}, UnitsConfig("ngrams.v1", {"longest": 4})),
        ({"name": "ngrams.v1", "options": {"longest": 4}}, UnitsConfig("ngrams.v1", {"longest": 4})),
    ],
)
def test_options_of_units_may_stand_beside_the_name(values: dict[str, object], expected: UnitsConfig) -> None:
    assert config.build(UnitsConfig, values) == expected


def test_a_record_from_before_units_had_names_is_still_a_recipe() -> None:
    record = read_description(embedded_models()["love-en"])["training"]["recipe"]
    recipe = config.build(RecipeConfig, record)
    assert recipe.recipe == "love"
    assert recipe.units == UnitsConfig("mixed.v1", {"input": "mixed", "buckets": None})


def test_hashed_ngrams_train_and_save(tmp_path: Path, teacher_path: Path) -> None:
    model = train(run_of("bos", tmp_path / "run", teacher_path, "units.buckets=300"))
    assert model is not None
    model.save_pretrained(tmp_path / "model")
    loaded = everyword.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.encode(WORDS), model.encode(WORDS))
    assert model.record["parameters"] == 302 * 16
