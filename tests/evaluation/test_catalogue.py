from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from everyword import registry
from everyword.errors import InputError
from everyword.evaluation.catalogue import COLUMNS, DATA_SETS, data_folder, find
from everyword.evaluation.tasks.analogy import AnalogySet
from everyword.evaluation.tasks.similarity import SimilaritySet

BY_NAME = {data.name: data for data in DATA_SETS}
FAKE = {
    "wordsim353.tsv": "# a remark\n# Word 1\tWord 2\tHuman (mean)\nsun\tsea\t3.1\nTom\tcat\t5\n",
    "simlex999.txt": "# a remark\n# Word 1\tWord 2\tHuman (mean)\nold\tyoung\t1\nsmart\tbright\t8\n",
    "questions-words.txt": ": one\na b c d\ne f g h\n: two\ni j k l\n",
}


@pytest.fixture
def no_gensim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.evaluation.catalogue.find_spec", lambda name: None)


@pytest.fixture
def fake_gensim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that cannot be imported, only found."""
    data = tmp_path / "site" / "gensim" / "test" / "test_data"
    data.mkdir(parents=True)
    (tmp_path / "site" / "gensim" / "__init__.py").write_text("raise AssertionError('imported')")
    for name, text in FAKE.items():
        (data / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "gensim", raising=False)  # another test may have imported the real one
    return data


def test_records_are_complete_and_names_are_unique() -> None:
    assert len(BY_NAME) == len(DATA_SETS) == len({(data.path, data.reverse) for data in DATA_SETS})
    kinds = {registry.tasks.get(name).kind for name in registry.tasks} - {"held-out"}
    assert {data.kind for data in DATA_SETS} == set(COLUMNS) == kinds
    for data in DATA_SETS:
        assert len(data.sha256) == 64
        assert data.items > 0
        assert data.source.startswith(("http", "the authors of everyword"))
        assert data.citation
        assert data.license
        assert data.part_of is None or BY_NAME[data.part_of].kind == data.kind


def test_a_set_in_the_data_folder_is_the_expected_copy_or_said_not_to_be(tmp_path: Path, no_gensim: None) -> None:
    path = tmp_path / "similarity" / "men3000.tsv"
    path.parent.mkdir()
    path.write_text("word1\tword2\tscore\n")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()

    found = find(BY_NAME["men3000"], tmp_path)
    assert (found.path, found.sha256, found.expected) == (path, digest, False)
    assert found.origin == "data folder: similarity/men3000.tsv"
    assert find(replace(BY_NAME["men3000"], sha256=digest), tmp_path).expected


def test_a_missing_set_says_where_to_get_it(tmp_path: Path, no_gensim: None) -> None:
    with pytest.raises(InputError) as caught:
        find(BY_NAME["men3000"], tmp_path)
    message = str(caught.value)
    assert "'men3000' is missing: get it from https://staff.fnwi.uva.nl/e.bruni/MEN" in message
    assert f"word1, word2, score as {tmp_path / 'similarity' / 'men3000.tsv'}." in message
    with pytest.raises(InputError, match="--data or EVERYWORD_DATA names, or pip install gensim, which contains it"):
        find(BY_NAME["google"], None)


@pytest.mark.parametrize("name", ["wordsim353", "simlex999", "google"])
def test_three_sets_come_with_gensim_which_is_not_imported(fake_gensim: Path, name: str) -> None:
    found = find(BY_NAME[name], None)

    assert found.path.parent == fake_gensim
    assert found.origin.startswith("gensim: test/test_data/")
    assert not found.expected  # made-up content
    assert "gensim" not in sys.modules


def test_gensims_forms_are_read(fake_gensim: Path) -> None:
    pairs = SimilaritySet.load(find(BY_NAME["wordsim353"], None).path)
    questions = AnalogySet.load(find(BY_NAME["google"], None).path)

    assert list(pairs.pairs) == [("sun", "sea"), ("Tom", "cat")]
    assert pairs.scores.tolist() == [3.1, 5.0]
    assert list(questions.sections) == ["one", "one", "two"]
    assert questions.questions[2] == ("i", "j", "k", "l")


def test_the_data_folder_comes_before_gensim(fake_gensim: Path, tmp_path: Path) -> None:
    path = tmp_path / "similarity" / "simlex999.tsv"
    path.parent.mkdir()
    path.write_text("x")

    assert find(BY_NAME["simlex999"], tmp_path).path == path


def test_the_folder_is_given_or_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVERYWORD_DATA", raising=False)
    assert data_folder() is None
    assert data_folder(tmp_path) == tmp_path
    monkeypatch.setenv("EVERYWORD_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    with pytest.raises(InputError, match=r"no data folder .*nowhere; check the path"):
        data_folder(tmp_path / "nowhere")


def test_the_page_of_tasks_names_them_all() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tasks.md").read_text(encoding="utf-8")
    for data in DATA_SETS:
        assert f"`{data.path}` | {data.items:,} | {data.source} | {data.citation} | {data.license} |" in page
    for name in registry.tasks:
        assert f"| `{name}` | `{registry.tasks.get(name).main}` |" in page
        assert f"\n## {registry.tasks.get(name).name}\n" in page
