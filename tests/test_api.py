from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny import TINY_OVERRIDES, tiny_table

import everyword
from everyword.errors import ConfigError, InputError, UnknownNameError

QUICK: dict[str, Any] = dict(assignment.split("=") for assignment in TINY_OVERRIDES)
QUICK = {key: float(value) if "." in value else int(value) for key, value in QUICK.items()}


def test_train_makes_saves_and_resumes(tiny_model_folder: Path, teacher_path: Path, tmp_path: Path) -> None:
    options = {"name": "tiny", "store__words": 200, **QUICK}
    model = everyword.train("love", teacher_path, tmp_path / "mine", **options)
    same = everyword.load(tiny_model_folder)  # trained with the same options by the room that trains
    np.testing.assert_array_equal(model.encode(["ban", "bann"]), same.encode(["ban", "bann"]))
    np.testing.assert_array_equal(everyword.load(tmp_path / "mine").encode(["bann"]), model.encode(["bann"]))
    assert model.record["command"].startswith("everyword train love ")
    with pytest.raises(InputError, match=r"mine already holds a model; .* pass overwrite=True"):
        everyword.train("love", teacher_path, tmp_path / "mine", **options)
    with pytest.raises(InputError, match=r"mine-run already holds a run; continue it with resume=True"):
        everyword.train("love", teacher_path, tmp_path / "other", run_folder=tmp_path / "mine-run", **options)
    again = everyword.train("love", output=tmp_path / "mine", resume=True, overwrite=True, **options)
    np.testing.assert_array_equal(again.encode(["bann"]), model.encode(["bann"]))


def test_train_takes_a_table_and_returns_the_model() -> None:
    model = everyword.train("bos", tiny_table(), **{**QUICK, "training.epochs": 1})
    assert model.dim == tiny_table().dim
    assert model.encode("bann").any()


def test_train_explains_what_is_wrong(teacher_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="There is no recipe 'lov': did you mean 'love'"):
        everyword.train("lov", teacher_path)
    with pytest.raises(ConfigError, match=r"training\.epoch'"):
        everyword.train("love", teacher_path, training__epoch=3)
    with pytest.raises(InputError, match="needs a teacher"):
        everyword.train("love")
    with pytest.raises(InputError, match="either a teacher or a teacher_model"):
        everyword.train("love", teacher_path, teacher_model="bert")


def test_evaluate_gives_a_table(tiny_model_folder: Path, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("\n".join(tiny_table().words[200:250]) + "\n")
    tiny_table().save(tmp_path / "teacher.vec")
    held_out = {"held_out": str(words), "teacher": str(tmp_path / "teacher.vec"), "save_to": str(tmp_path / "r")}
    results = everyword.evaluate(tiny_model_folder, tasks="held-out", **held_out)
    [result] = results
    assert result.task == "held-out"
    assert "held-out" in results.table()


def test_what_cannot_be_evaluated(tiny_model_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="There is no task 'similarty': did you mean 'similarity'"):
        everyword.evaluate(tiny_model_folder, tasks="similarty")
    with pytest.raises(InputError, match=r"There is no data folder .*nowhere; check the path"):
        everyword.evaluate(tiny_model_folder, tmp_path / "nowhere")
