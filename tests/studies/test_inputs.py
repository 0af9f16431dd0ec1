from __future__ import annotations

from pathlib import Path

from everyword.files import checksum, checksum_of_all
from everyword.studies.inputs import describe_inputs


def test_files_folders_models_and_named_files_have_checksums(tmp_path: Path, tiny_model_folder: Path) -> None:
    first, second = tmp_path / "a.vec", tmp_path / "folder" / "b.txt"
    second.parent.mkdir()
    first.write_text("1")
    second.write_text("2")
    found = describe_inputs(
        {
            "teacher": first,
            "vectors": (f"glove={first}",),
            "corpus": (first, second),
            "encoder": str(second.parent),
            "model_name": str(tiny_model_folder),
            "contexts": None,
            "device": "cpu",
        }
    )
    one, two = checksum(first), checksum(second)
    assert [*found] == ["teacher", "model", "vectors", "encoder", "corpus"]
    assert found["teacher"] == found["vectors"] == {"a.vec": one}
    assert found["corpus"] == {"a.vec": one, "b.txt": two}
    assert found["encoder"] == {"folder": checksum_of_all([second])}
    assert list(found["model"]) == ["tiny"]


def test_what_is_not_on_this_machine_has_a_name_alone() -> None:
    assert describe_inputs({"encoder": "owner/model", "teacher": None}) == {"encoder": {"model": None}}
    [(name, mark)] = describe_inputs({"model_name": None})["model"].items()
    assert name == "everyword-en"
    assert mark is not None
