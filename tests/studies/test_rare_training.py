from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.one_token import OneTokenConfig
from everyword.studies.config import load_study
from everyword.studies.kinds.rare_words import models as rare_models
from everyword.studies.kinds.rare_words import training as rare_training
from everyword.studies.kinds.rare_words.models import RareModels, RareWordJob, load_training
from everyword.studies.kinds.rare_words.study import RareWordStudy
from everyword.studies.kinds.rare_words.training import draw_training, one_token_targets
from everyword.systems.bertram.static import ALaCarte, AttentiveMimicking
from everyword.vectors.table import VectorTable

TABLE = VectorTable(["cat", "dog", "mat"], np.eye(3, dtype=np.float32))
CONTEXTS = {word: [f"{word} {number}" for number in range(9)] for word in ("cat", "dog", "mats", "yorker")}


def test_words_and_sentences_are_drawn_by_the_seed() -> None:
    one_token = VectorTable(["mats"], np.ones((1, 3), dtype=np.float32))
    first, other, again = (
        draw_training(TABLE, CONTEXTS, one_token, words=2, sentences=4, seed=seed) for seed in (0, 3, 0)
    )

    assert first.sentences == again.sentences != other.sentences
    assert first.numbers["words"] == 2
    assert first.numbers["sentences"] == 8
    all_words = draw_training(TABLE, CONTEXTS, one_token, words=None, sentences=4, seed=0)
    assert list(all_words.sentences) == all_words.targets.words == ["cat", "dog", "mats"]
    assert all_words.one_piece == 2
    np.testing.assert_array_equal(all_words.targets["mats"], [1, 1, 1])
    with pytest.raises(InputError, match="No word with sentences has an input vector"):
        draw_training(TABLE, {"yorker": ["a yorker"]}, None, words=None, sentences=4, seed=0)


def test_words_of_several_pieces_get_targets_that_are_saved(
    bert: LanguageModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = OneTokenConfig(iterations=2)
    found = one_token_targets(bert, ["cat", "mats"], config, tmp_path)

    assert found is not None
    assert found.words == ["mats"]
    monkeypatch.setattr(rare_training, "one_token_table", None)
    again = one_token_targets(bert, ["cat", "mats"], config, tmp_path)
    assert again is not None
    np.testing.assert_array_equal(again.matrix, found.matrix)
    assert one_token_targets(bert, ["cat"], config, tmp_path) is None


def test_all_models_learn_from_the_same_words_and_sentences(
    bert: LanguageModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = _job(tmp_path)
    training = load_training(job, bert, [1])[1]
    seen: dict[str, dict[str, int]] = {}

    def note(name: str, words: Any) -> Any:
        seen[name] = {word: len(sentences) for word, sentences in words.items()}
        raise _NotedError

    monkeypatch.setattr(rare_models, "train_bertram", lambda encoder, run: note("BERTRAM", run.contexts))
    monkeypatch.setattr(AttentiveMimicking, "train", lambda table, words, *more, **by: note("AM", _in(table, words)))
    monkeypatch.setattr(ALaCarte, "train", lambda table, words, **by: note("A La Carte", _in(table, words)))
    monkeypatch.setattr(
        rare_models.spelling,
        "train",
        lambda run: note("Mimick", dict.fromkeys(VectorTable.load(run.teacher).words, "abc")),
    )
    models = RareModels(job, bert, training, 1)
    for variant in job.study.variants:
        if variant.vectors in ("bertram", "attentive-mimicking", "a-la-carte", "mimick") and variant.form == "ngrams":
            with pytest.raises(_NotedError):
                models.infer(variant)

    assert len(seen) == 4
    assert set(map(str, seen.values())) == {str(dict.fromkeys(("cat", "dog", "mats", "walking"), 3))}


def test_what_is_learnt_from_does_not_depend_on_the_precision_of_the_encoder(
    tiny_bert_folder: Path, tmp_path: Path
) -> None:
    half, whole = (
        LanguageModel.load(tiny_bert_folder, device="cpu", precision=name) for name in ("bfloat16", "float32")
    )
    job = _job(tmp_path, encoder=str(tiny_bert_folder), device="cpu")

    models = [RareModels(job, encoder, load_training(job, encoder, [1])[1], 1) for encoder in (half, whole)]

    assert models[0].fingerprint == models[1].fingerprint
    np.testing.assert_array_equal(models[0].training.targets.matrix, models[1].training.targets.matrix)


class _NotedError(Exception):
    pass


def _job(folder: Path, **given: Any) -> RareWordJob:
    study = load_study("bertram-probe")
    assert isinstance(study, RareWordStudy)
    contexts = folder / "frequent.jsonl"
    lines = [f'{{"word": "{word}", "sentences": [{_quoted(word)}]}}' for word in ("cat", "dog", "mats", "walking")]
    contexts.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return RareWordJob(
        study=study,
        work=folder,
        results=folder,
        contexts=contexts,
        put_in=lambda *asked: None,
        overrides=("contexts_a_word=3", "one_token.iterations=2"),
        report=lambda line: None,
        **{"encoder": "unused", **given},
    )


def _in(table: VectorTable, words: dict[str, list[str]]) -> dict[str, list[str]]:
    return {word: sentences for word, sentences in words.items() if word in table}


def _quoted(word: str) -> str:
    return ", ".join(f'"the {word} sat {number}"' for number in range(8))
