from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny import TINY_OVERRIDES, tiny_table

from everyword import registry
from everyword.errors import ConfigError, InputError, UnknownNameError
from everyword.learning.loop import CHECKPOINT, LOG, TrainingLoop
from everyword.systems.spelling.config import RecipeConfig
from everyword.systems.spelling.recipe import load_recipe, shipped_recipes
from everyword.systems.spelling.teacher import Teacher, WordsConfig, merge_spellings
from everyword.systems.spelling.train import EVALUATED, SpellingRun, get_prepared, train, trained_encoder
from everyword.systems.spelling.trainer import Trainer
from everyword.text.normalise import Normaliser
from everyword.vectors.table import VectorTable

WORDS = ["ban", "bann", "grelon", "trusting"]


MORE_WORKERS_THAN_CORES = pytest.mark.filterwarnings("ignore:This DataLoader will create", "ignore:This process.*fork")


def run_in(folder: Path, teacher: Path | None, *overrides: str, **options: object) -> SpellingRun:
    recipe = load_recipe("love", [*TINY_OVERRIDES, *overrides])
    return SpellingRun(recipe, folder, teacher, show_progress=False, **options)


def vectors_after(run: SpellingRun) -> np.ndarray:
    model = train(run)
    assert model is not None
    return model.infer(WORDS)


def test_the_same_seed_gives_the_same_model_and_another_seed_another(tmp_path: Path, teacher_path: Path) -> None:
    one = vectors_after(run_in(tmp_path / "one", teacher_path))
    np.testing.assert_array_equal(one, vectors_after(run_in(tmp_path / "two", teacher_path)))
    assert not np.allclose(one, vectors_after(run_in(tmp_path / "three", teacher_path, "training.seed=1")), atol=1e-2)


def interrupt_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C in the middle of a step, as a person does."""
    original, done = TrainingLoop._step, [0]

    def step(self: TrainingLoop, *more: object) -> None:
        done[0] += 1
        if done[0] == steps:
            os.kill(os.getpid(), signal.SIGINT)
        original(self, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(TrainingLoop, "_step", step)


@pytest.mark.parametrize("steps", [2, 5, 7])
def test_an_interrupted_run_resumes_to_the_same_result(
    tmp_path: Path, teacher_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    straight = vectors_after(run_in(tmp_path / "straight", teacher_path))
    with monkeypatch.context() as patch:
        interrupt_after(steps, patch)
        assert train(run_in(tmp_path / "stopped", teacher_path)) is None
    assert (tmp_path / "stopped" / CHECKPOINT).exists()
    resumed = vectors_after(run_in(tmp_path / "stopped", None, resume=True))
    np.testing.assert_array_equal(resumed, straight)
    logs = [(tmp_path / name / LOG).read_text().splitlines() for name in ("straight", "stopped")]
    timeless = [[{k: v for k, v in json.loads(x).items() if "second" not in k} for x in lines] for lines in logs]
    assert timeless[0] == timeless[1]


def test_a_finished_run_can_be_extended(tmp_path: Path, teacher_path: Path) -> None:
    train(run_in(tmp_path / "run", teacher_path, "training.epochs=1"))
    extended = vectors_after(run_in(tmp_path / "run", None, "training.epochs=2", resume=True))
    np.testing.assert_array_equal(extended, vectors_after(run_in(tmp_path / "straight", teacher_path)))


@MORE_WORKERS_THAN_CORES
@pytest.mark.parametrize("workers", [1, 3])
def test_workers_change_nothing_but_the_time(tmp_path: Path, teacher_path: Path, workers: int) -> None:
    alone = vectors_after(run_in(tmp_path / "alone", teacher_path))
    helped = run_in(tmp_path / "helped", teacher_path, f"training.workers={workers}")
    np.testing.assert_array_equal(vectors_after(helped), alone)


@MORE_WORKERS_THAN_CORES
def test_an_interrupted_run_with_workers_goes_on_without(
    tmp_path: Path, teacher_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = vectors_after(run_in(tmp_path / "straight", teacher_path))
    with monkeypatch.context() as patch:
        interrupt_after(4, patch)
        assert train(run_in(tmp_path / "stopped", teacher_path, "training.workers=2")) is None
    np.testing.assert_array_equal(vectors_after(run_in(tmp_path / "stopped", None, resume=True)), straight)


ALL_NEW = ("training.frequency_power=0.5", "training.schedule=cosine", "negatives.shown=false")


def test_drawing_by_frequency_and_a_cosine_resume_to_the_same_result(
    tmp_path: Path, teacher_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = vectors_after(run_in(tmp_path / "straight", teacher_path, *ALL_NEW))
    with monkeypatch.context() as patch:
        interrupt_after(7, patch)
        assert train(run_in(tmp_path / "stopped", teacher_path, *ALL_NEW)) is None
    resumed = vectors_after(run_in(tmp_path / "stopped", None, *ALL_NEW, resume=True))
    np.testing.assert_array_equal(resumed, straight)
    assert not np.allclose(straight, vectors_after(run_in(tmp_path / "plain", teacher_path)), atol=1e-2)


def test_a_cosine_cannot_be_extended(tmp_path: Path, teacher_path: Path) -> None:
    train(run_in(tmp_path, teacher_path, "training.schedule=cosine", "training.epochs=1"))
    with pytest.raises(InputError, match="another configuration"):
        train(run_in(tmp_path, None, "training.schedule=cosine", "training.epochs=2", resume=True))


def test_no_epochs_give_the_untrained_encoder(tmp_path: Path, teacher_path: Path) -> None:
    untrained = vectors_after(run_in(tmp_path, teacher_path, "training.epochs=0"))
    assert np.isfinite(untrained).all()
    trained = vectors_after(run_in(tmp_path, None, "training.epochs=1", resume=True))
    np.testing.assert_array_equal(
        trained, vectors_after(run_in(tmp_path / "straight", teacher_path, "training.epochs=1"))
    )
    assert not np.allclose(trained, untrained, atol=1e-2)


def test_early_stopping_keeps_the_best_epoch(tmp_path: Path, teacher_path: Path) -> None:
    run = run_in(tmp_path, teacher_path, "training.epochs=30", "training.patience=2", "training.learning_rate=0.3")
    model = train(run)
    scores = [json.loads(line)["held_out_cosine"] for line in (tmp_path / LOG).read_text().splitlines()]
    assert len(scores) < 30
    assert scores.index(max(scores)) == len(scores) - 3
    assert model is not None


def test_the_last_epoch_can_be_kept_instead_of_the_best(
    tmp_path: Path, teacher_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    falling = iter([0.3, 0.2, 0.3, 0.2, 0.3])
    monkeypatch.setattr(Trainer, "held_out_cosine", lambda _: next(falling))
    best, last = (
        vectors_after(run_in(tmp_path / kept, teacher_path, f"training.keep={kept}")) for kept in ("best", "last")
    )
    first = vectors_after(run_in(tmp_path / "one", teacher_path, "training.epochs=1"))
    np.testing.assert_array_equal(best, first)
    assert not np.allclose(best, last, atol=1e-2)

    run = run_in(tmp_path / "last", None, "training.keep=last", resume=True)
    encoder, prepared = trained_encoder(run)
    ids = torch.from_numpy(prepared.units.batch(WORDS).sequences.padded()).long()
    with torch.no_grad():
        again = torch.nn.functional.normalize(encoder.eval()(ids), dim=1).numpy()
    np.testing.assert_allclose(again, last / np.linalg.norm(last, axis=1, keepdims=True), atol=1e-5)


def test_words_find_their_look_alikes_only_once(tmp_path: Path, teacher_path: Path) -> None:
    cache = tmp_path / "cache"
    one = get_prepared(run_in(tmp_path / "one", teacher_path, cache=cache))
    assert len(list(cache.iterdir())) == 2, "synonyms and hard negatives"
    for path in cache.iterdir():
        found = np.load(path)
        found[0, 0] = 7
        np.save(path, found)
    two = get_prepared(run_in(tmp_path / "two", teacher_path, "negatives.per_word=1", "loss.name=mse", cache=cache))
    assert (two.negatives[0, 0], two.synonyms[0, 0]) == (7, 7), "from the cache"
    np.testing.assert_array_equal(two.negatives[1:], one.negatives[1:])
    other = get_prepared(run_in(tmp_path / "three", teacher_path, "training.seed=1", cache=cache))
    assert len(list(cache.iterdir())) == 4, "another seed holds out other words"
    assert other.words != one.words


NARROW = {"transformer.v1": ("encoder.options.width=24", "encoder.options.feed_forward=24")}
"""Options that make a slow encoder small enough for a test."""
EVERY_ENCODER = [(name, "mixed.v1") for name in registry.encoders]
BAGS = [(name, "ngrams.v1") for name in ("bos.v1", "kvq.v1", "self-attention.v1", "cnn.v1", "dan.v1")]


@pytest.mark.parametrize(("name", "units"), [*EVERY_ENCODER, *BAGS])
def test_every_encoder_trains_by_the_recipe(tmp_path: Path, teacher_path: Path, name: str, units: str) -> None:
    parts = (f"encoder.name={name}", f"units.name={units}", *NARROW.get(name, ()))
    run = run_in(tmp_path, teacher_path, *parts, "training.epochs=8")
    model = train(run)
    scores = [json.loads(line)["held_out_cosine"] for line in (tmp_path / LOG).read_text().splitlines()]
    assert max(scores) > 0.4
    assert model is not None
    assert np.isfinite(model.infer(WORDS)).all()


@pytest.mark.parametrize("name", list(registry.losses))
def test_every_loss_trains_by_the_recipe(tmp_path: Path, teacher_path: Path, name: str) -> None:
    model = train(run_in(tmp_path, teacher_path, f"loss.name={name}"))
    assert model is not None
    lengths = np.linalg.norm(model.infer(WORDS), axis=1)
    if registry.losses.get(name).direction_only:
        np.testing.assert_allclose(lengths, lengths[0], rtol=1e-5)
    else:
        assert lengths.std() > 1e-3


@pytest.mark.parametrize("override", ["units.buckets=60", 'vocabulary.shrink=["top"]', "encoder.options.rank=5"])
def test_every_way_to_shrink_the_vocabulary_makes_a_smaller_model(
    tmp_path: Path, teacher_path: Path, override: str
) -> None:
    plain = train(run_in(tmp_path / "plain", teacher_path, "vocabulary.shrink=[]", "training.epochs=1"))
    options = ("vocabulary.shrink=[]", "vocabulary.top=60", "training.epochs=1", override)
    shrunk = train(run_in(tmp_path / "shrunk", teacher_path, *options))
    assert plain is not None
    assert shrunk is not None
    assert shrunk.record["parameters"] < plain.record["parameters"]
    assert np.isfinite(shrunk.infer(WORDS)).all()


@pytest.mark.parametrize("kind", ["char", "subword"])
def test_characters_or_pieces_alone_can_be_the_input(tmp_path: Path, teacher_path: Path, kind: str) -> None:
    model = train(run_in(tmp_path, teacher_path, f"units.input={kind}", "training.epochs=1"))
    assert model is not None
    model.save_pretrained(tmp_path / "model")
    assert np.isfinite(model.infer(WORDS)).all()


@pytest.mark.parametrize("name", list(registry.encoders))
def test_bfloat16_trains_too(tmp_path: Path, teacher_path: Path, name: str) -> None:
    parts = (f"encoder.name={name}", *NARROW.get(name, ()), "training.precision=bfloat16", "training.epochs=1")
    assert np.isfinite(vectors_after(run_in(tmp_path, teacher_path, *parts))).all()


def test_held_out_words_are_never_trained_on(tmp_path: Path, teacher_path: Path) -> None:
    from everyword.systems.spelling.train import get_prepared

    prepared = get_prepared(run_in(tmp_path, teacher_path))
    assert not set(prepared.words) & set(prepared.held_out_words)
    assert len(prepared.words) + len(prepared.held_out_words) == 300
    assert prepared.synonyms.max() < len(prepared.words)
    assert prepared.negatives.max() < len(prepared.words)


def test_words_kept_for_evaluation_take_no_part_but_are_stored(tmp_path: Path, teacher_path: Path) -> None:
    from everyword.systems.spelling.train import get_prepared

    overrides = ("words.evaluated=20", "words.evaluated_from=10", "words.evaluated_to=250", "training.epochs=1")
    model = train(run_in(tmp_path, teacher_path, *overrides))
    assert model is not None
    prepared = get_prepared(run_in(tmp_path, None, *overrides, resume=True))
    evaluated = set(prepared.evaluated_words)
    assert len(evaluated) == model.record["evaluated_words"] == 20
    assert not evaluated & {*prepared.words, *prepared.held_out_words}
    assert evaluated <= set(prepared.known_words)
    assert (tmp_path / EVALUATED).read_text().splitlines() == prepared.evaluated_words


def test_the_record_tells_all_that_is_needed_to_repeat_the_training(tmp_path: Path, teacher_path: Path) -> None:
    run = replace(run_in(tmp_path, teacher_path), command="everyword train love")
    model = train(run)
    assert model is not None
    from everyword import config

    assert config.build(RecipeConfig, model.record["recipe"]) == run.config
    assert model.record["teacher"]["sha256"] == Teacher.load(teacher_path, Normaliser()).sha256
    assert model.record["command"] == "everyword train love"
    assert model.record["versions"]["torch"] == torch.__version__


class TestBadInput:
    def test_resuming_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="nothing to resume"):
            train(run_in(tmp_path, None, resume=True))

    def test_resuming_with_another_configuration(self, tmp_path: Path, teacher_path: Path) -> None:
        train(run_in(tmp_path, teacher_path, "training.epochs=1"))
        with pytest.raises(InputError, match="another configuration or teacher"):
            train(run_in(tmp_path, None, "training.seed=9", resume=True))

    def test_resuming_with_another_teacher(self, tmp_path: Path, teacher_path: Path) -> None:
        train(run_in(tmp_path, teacher_path, "training.epochs=1"))
        other = tmp_path / "other.vec"
        tiny_table().head(50).save(other)
        with pytest.raises(InputError, match="another teacher than"):
            train(run_in(tmp_path, other, resume=True))

    @pytest.mark.parametrize("name", [CHECKPOINT, "prepared.safetensors"])
    def test_resuming_from_a_damaged_file(self, tmp_path: Path, teacher_path: Path, name: str) -> None:
        train(run_in(tmp_path, teacher_path, "training.epochs=1"))
        (tmp_path / name).write_bytes(b"damaged")
        with pytest.raises(InputError, match=f"{name} cannot be read"):
            train(run_in(tmp_path, None, resume=True))

    def test_no_teacher(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="needs a teacher"):
            train(run_in(tmp_path, None))

    def test_a_teacher_with_no_fitting_word(self, tmp_path: Path) -> None:
        path = tmp_path / "digits.vec"
        VectorTable(["1", "2", "3"], np.ones((3, 2), dtype=np.float32)).save(path)
        with pytest.raises(InputError, match="no words that pass the filter"):
            train(run_in(tmp_path, path, "words.alphabetic=true"))

    def test_a_device_that_is_not_there(self, tmp_path: Path, teacher_path: Path) -> None:
        with pytest.raises(InputError, match="The device 'toaster' cannot be used"):
            train(run_in(tmp_path, teacher_path, device="toaster"))

    def test_an_unknown_recipe_gets_a_suggestion(self) -> None:
        with pytest.raises(UnknownNameError, match="no recipe 'lov': did you mean 'love'"):
            load_recipe("lov")

    @pytest.mark.parametrize(
        ("override", "message"),
        [
            ("encoder.name=pam-staked.v1", "no encoder 'pam-staked.v1': did you mean 'pam-stacked.v1'"),
            ("encoder.options.dropuot=0.1", "unknown key 'dropuot': did you mean 'dropout'"),
            ("loss.name=contrast", "no loss 'contrast'"),
            ("units.name=mixd.v1", "no unit vocabulary 'mixd.v1': did you mean 'mixed.v1'"),
            ("units.bukets=9", "unknown key 'bukets': did you mean 'buckets'"),
            ("units.options=9", "'units.options' must be a section of keys"),
            ("encoder.options.initial_scale=0", "compares directions, and vectors that start at zero have none"),
            ("training.epochs=-1", "epochs must be 0 or more. Got -1 instead"),
            ("training.workers=-1", "workers must be 0 or more. Got -1 instead"),
            ("training.frequency_power=-0.5", "frequency_power must be 0 or more. Got -0.5 instead"),
            ("training.schedule=linear", "schedule"),
            ('training={"keep": "last", "patience": 3}', "patience needs keep='best'"),
            ("training.keep=first", "must be one of 'best', 'last'"),
            ("words.held_out=1", "held_out must be above 0 and below 1. Got 1.0 instead"),
        ],
    )
    def test_a_value_that_cannot_be_is_refused_before_anything_runs(self, override: str, message: str) -> None:
        with pytest.raises(ConfigError, match=message):
            load_recipe("love", [override])


def test_bare_targets_need_a_loss_that_uses_them() -> None:
    with pytest.raises(ConfigError, match=r"shown=false needs a loss .*: contrastive, coco, aam. Got 'mse'"):
        load_recipe("love", ["negatives.shown=false", "loss.name=mse"])


def test_every_shipped_recipe_is_valid_and_tells_its_command() -> None:
    assert {"love", "love-en"} <= shipped_recipes().keys()
    for name, path in shipped_recipes().items():
        assert load_recipe(name).name
        assert f"# everyword train {name} " in path.read_text(encoding="utf-8")


def test_the_first_of_several_spellings_wins_and_zero_rows_go() -> None:
    table = VectorTable(["the", "The", "nil", "THE"], np.array([[1.0], [2.0], [0.0], [3.0]]))
    words, matrix = merge_spellings(table, Normaliser())
    assert words == ["the"]
    assert matrix.tolist() == [[1.0]]


def test_words_are_chosen_in_the_order_of_the_teacher() -> None:
    teacher = Teacher(["b2", "b", "a", "c"], np.ones((4, 1), dtype=np.float32), "four", "")
    assert teacher.choose(WordsConfig(alphabetic=True, limit=2)).tolist() == [1, 2]
    assert teacher.choose(WordsConfig(min_length=1)).tolist() == [0, 1, 2, 3]
