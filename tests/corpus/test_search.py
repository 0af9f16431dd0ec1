"""Search among the texts of a file, and when its index is made again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import everyword
from corpus.columns.written import FORMS, write
from everyword import InputError, Model
from everyword.corpus.search import FileSearch, index_paths
from everyword.sentences.index import TextIndex, write_index

TEXTS = ["how to bake bread", "treatment of leukemia", "", "football results", *["the weather today"] * 600]


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def small() -> Model:
    return everyword.load("everyword-en-small")


def opened(path: str, model: Model, **more: object) -> tuple[FileSearch, bool]:
    """A file, and whether its index was made."""
    made: list[int] = []
    return FileSearch.open(path, model, progress=lambda done, of: made.append(done), **more), bool(made)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FORMS)
def test_texts_are_found_in_every_form(small: Model, name: str) -> None:
    write(Path(name), TEXTS)
    search, _ = opened(name, small)

    (bread,), (leukemia, other), nothing = (
        search.search(["bakin bred"], 1)[0],
        search.search(["leukamia treatmnt"], 2)[0],
        search.search(["?!"])[0],
    )

    assert (bread.row, bread.text) == (0, TEXTS[0])
    assert (leukemia.row, leukemia.text) == (1, TEXTS[1])
    assert leukemia.cosine > 0.7 > other.cosine
    assert nothing == []
    assert search.texts[603] == search.texts[-1] == "the weather today"
    assert search.texts[1:4] == TEXTS[1:4]
    assert small.nearest_texts("football", search.index, 1)[0][0] == "football results"


def test_an_index_is_kept_until_file_model_or_column_change(small: Model) -> None:
    write(Path("a.jsonl"), TEXTS)
    first, made = opened("a.jsonl", small)
    assert made
    again, made = opened("a.jsonl", small)
    assert not made
    assert again.search(["bread"], 3) == first.search(["bread"], 3)

    assert opened("a.jsonl", small, rebuild=True)[1]
    write(Path("a.jsonl"), TEXTS[::-1])
    changed, made = opened("a.jsonl", small)
    assert made
    assert changed.search(["bread"], 1)[0][0].row == len(TEXTS) - 1
    other = small.without(["bread"])
    other.name = "other"
    assert opened("a.jsonl", other)[1]
    write(Path("a.jsonl"), TEXTS, "body")
    assert opened("a.jsonl", other, column="body")[1]
    with pytest.raises(InputError, match="has no column 'text'"):
        opened("a.jsonl", other)


@pytest.mark.parametrize("content", [b"", b"rubbish" * 100])
def test_a_damaged_index_is_made_again(small: Model, content: bytes) -> None:
    write(Path("a.txt"), TEXTS)
    index_paths(Path("a.txt"))[0].write_bytes(content)

    assert opened("a.txt", small)[1]
    assert not opened("a.txt", small)[1]


def test_where_the_file_cannot_be_written_beside_the_index_is_cached(small: Model, tmp_path: Path) -> None:
    write(Path("a.txt"), TEXTS)
    beside, cached = index_paths(Path("a.txt"))
    beside.mkdir()  # nothing can be written there

    assert opened("a.txt", small)[1]
    assert cached.is_file()
    assert cached.is_relative_to(tmp_path / "cache")
    assert not opened("a.txt", small)[1]


def test_what_cannot_be_searched_is_told(small: Model) -> None:
    Path("folder").mkdir()
    Path("empty.txt").write_text("")
    write(Path("a.jsonl"), ["a", None])
    for path, message in [
        ("folder", "folder is a folder; give the path of a file of texts"),
        ("empty.txt", "empty.txt holds no texts; there is nothing to search"),
        ("missing.txt", "There is no file missing.txt"),
        ("a.doc", "what it holds is not clear"),
        ("a.jsonl", "row 1 .* has no text"),
    ]:
        with pytest.raises(InputError, match=message):
            opened(path, small)
    assert len(opened("a.jsonl", small, missing="empty")[0]) == 2


def test_an_index_of_texts_is_saved_in_half_precision(small: Model) -> None:
    texts = [*TEXTS, "né 😢", "\x00"]
    index = TextIndex.build(small, texts)
    index.save("x.index")

    loaded = TextIndex.load("x.index", small)

    assert loaded.texts == texts
    assert loaded.vectors.dtype == np.float16
    query = small.encode_texts(["bread", "leukemia", "?"])
    for one, two in zip(index.search(query, 2), loaded.search(query, 2), strict=True):
        assert [row for row, _ in one[:1]] == [row for row, _ in two[:1]]  # the second ones may be equally near
        np.testing.assert_allclose([cosine for _, cosine in one], [cosine for _, cosine in two], atol=2e-3)
    with pytest.raises(InputError, match=r"x\.index was built with another model"):
        TextIndex.load("x.index", everyword.load("love-en"))
    write_index("y.index", index)
    with pytest.raises(InputError, match=r"y\.index does not hold the texts of its vectors"):
        TextIndex.load("y.index", small)
    with pytest.raises(InputError, match=r"saved with the fingerprint of its model; make it by TextIndex\.build"):
        TextIndex(texts, index.vectors).save("z.index")
    for content in (b"", b"rubbish"):
        Path("x.index").write_bytes(content)
        with pytest.raises(InputError, match=r"x\.index is not an index of texts"):
            TextIndex.load("x.index", small)
    with pytest.raises(InputError, match=r"There must be a vector for each text\. Got 3 texts and 606 vectors"):
        TextIndex(TEXTS[:3], index.vectors)


def test_searching_in_blocks_finds_the_same(small: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    index = TextIndex.build(small, TEXTS[:40])
    queries = small.encode_texts(["bread", "weather", "leukemia", "rain", "oven"])
    whole = index.search(queries, 7)
    monkeypatch.setattr("everyword.sentences.index.ROWS_AT_ONCE", 9)
    monkeypatch.setattr("everyword.sentences.index.QUERIES_AT_ONCE", 2)

    for one, two in zip(whole, index.search(queries, 7), strict=True):
        assert [row for row, _ in one] == [row for row, _ in two]
    assert index.search(queries, 100)[0][0][0] == 0
    assert len(index.search(queries, 100)[0]) == 40
