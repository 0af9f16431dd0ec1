"""Records on disk: whole, or refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from everyword.errors import EverywordError, InputError
from everyword.space import Pipeline, load_record, merge
from everyword.space.record import load_merge, load_pipeline

from .test_mergers import A, B
from .test_steps import CROSS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Pipeline.fit("centre,pca:1", CROSS).save(tmp_path / "record")
    return tmp_path / "record"


def altered(folder: Path, **values: object) -> None:
    path = folder / "record.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_names_and_options_are_in_plain_sight(folder: Path) -> None:
    said = json.loads((folder / "record.json").read_text())
    assert (said["kind"], said["dim"], said["format"]) == ("postprocess", 2, 1)
    assert [(step["name"], step["options"]) for step in said["steps"]] == [("centre.v1", {}), ("pca.v1", {"dims": 1})]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a saved record: it has no record\.json; check the path"):
        load_record(tmp_path)
    with pytest.raises(InputError, match="is not a saved record"):
        load_record(tmp_path / "nowhere")


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "record").touch()
    with pytest.raises(InputError, match="is a file; a record is saved to a folder"):
        Pipeline.fit("centre", CROSS).save(tmp_path / "record")


def test_damage_is_seen(folder: Path) -> None:
    with (folder / "record.safetensors").open("ab") as file:
        file.write(b"x")
    with pytest.raises(InputError, match="is missing or not the file that was saved"):
        load_record(folder)
    (folder / "record.safetensors").unlink()
    with pytest.raises(InputError, match="is missing or not the file that was saved"):
        load_record(folder)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"format": 2}, "has record format 2, and this version of everyword reads format 1"),
        ({"kind": "dance"}, "was altered: KeyError"),
        ({"steps": [{"name": "centre.v1"}]}, "was altered: KeyError"),
        ({"steps": None}, "was altered: TypeError"),
        ({"files": None}, "is missing or not the file"),
        ({"steps": [{"name": "centre.v9", "options": {}, "dim": 2, "facts": {}}]}, "There is no post-processing step"),
    ],
)
def test_an_altered_description(folder: Path, values: dict[str, object], sentence: str) -> None:
    altered(folder, **values)
    with pytest.raises(EverywordError) as caught:
        load_record(folder)
    assert sentence in str(caught.value)


def test_text_that_is_no_description(folder: Path) -> None:
    (folder / "record.json").write_text("{")
    with pytest.raises(InputError, match="is not a description of a record"):
        load_record(folder)
    (folder / "record.json").write_text("[]")
    with pytest.raises(InputError, match="it holds no JSON object"):
        load_record(folder)


def test_the_other_kind_of_record_is_refused_with_the_right_command(folder: Path, tmp_path: Path) -> None:
    merge([A, B])[1].save(tmp_path / "merged")
    with pytest.raises(InputError, match="apply it with 'everyword postprocess --record"):
        load_merge(folder)
    with pytest.raises(InputError, match="apply it with 'everyword merge --record"):
        load_pipeline(tmp_path / "merged")
    np.testing.assert_array_equal(load_merge(tmp_path / "merged").merge([A, B])["x"], merge([A, B]).table["x"])
