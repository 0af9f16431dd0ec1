"""Equality with the official fastText; see data/README.md."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.vectors import Problems, load_fasttext, read_table
from everyword.vectors.formats.fasttext import fasttext_hash, subword_buckets, subword_ngrams

MODELS = ["skipgram", "cbow_no_subwords", "supervised"]
VERSION_AT = 4
MODEL_HEADER = 8 + 12 * 4 + 8


@pytest.fixture(params=MODELS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def golden(data: Path, name: str) -> dict[str, dict[str, list[float]]]:
    answers: dict[str, dict[str, list[float]]] = json.loads((data / "fasttext_golden.json").read_text())[name]
    return answers


def test_vectors_of_known_and_unknown_words(name: str, data: Path) -> None:
    model, answers = load_fasttext(data / f"{name}.bin"), golden(data, name)
    assert model.words == list(answers["known"])
    for kind in ("known", "unknown"):
        for word, expected in answers[kind].items():
            assert (word in model) == (kind == "known")
            assert np.allclose(model.vector(word), expected, rtol=0, atol=1e-6), word


def test_ngram_rows(name: str, data: Path) -> None:
    model = load_fasttext(data / f"{name}.bin")
    for word, rows in golden(data, name)["ngrams"].items():
        own = [model.words.index(word)] if word in model else []
        assert own + model.ngram_rows(word) == rows


def test_table_rows(name: str, data: Path) -> None:
    table, known = read_table(data / f"{name}.bin"), golden(data, name)["known"]
    assert table.words == list(known)
    assert np.allclose(table.matrix, list(known.values()), rtol=0, atol=1e-6)
    assert read_table(data / f"{name}.bin", limit=3).words == table.words[:3]


def test_matrix_stays_on_disk(data: Path) -> None:
    assert isinstance(load_fasttext(data / "skipgram.bin").matrix, np.memmap)


def test_without_subwords_an_unknown_word_is_zero(data: Path) -> None:
    assert not load_fasttext(data / "cbow_no_subwords.bin").vector("unheard-of").any()


@pytest.mark.parametrize("word", ["a", "né", "東京", "😀", ""])
def test_running_hash_equals_hash_of_each_ngram(word: str) -> None:
    grams = subword_ngrams(word, 1, 4)
    assert "<" not in grams
    assert ">" not in grams
    assert subword_buckets(word, 1, 4, 97) == [fasttext_hash(gram.encode()) % 97 for gram in grams]


def test_quantised_model_is_refused(data: Path) -> None:
    with pytest.raises(InputError, match=r"quantised fastText model \(\.ftz\)"):
        read_table(data / "quantised.ftz")


def test_every_cut_is_noticed(data: Path, tmp_path: Path) -> None:
    whole = (data / "skipgram.bin").read_bytes()
    model = load_fasttext(data / "skipgram.bin")
    matrix_end = whole.find(model.matrix.tobytes()) + model.matrix.nbytes
    for length in [4, 7, 30, MODEL_HEADER + 10, MODEL_HEADER + 40, matrix_end // 2, matrix_end - 1]:
        (tmp_path / "x.bin").write_bytes(whole[:length])
        with pytest.raises(InputError, match="ends too early"):
            read_table(tmp_path / "x.bin", format="fasttext")


def write_changed(data: Path, folder: Path, change: tuple[int, str, int]) -> Path:
    at, layout, value = change
    content = bytearray((data / "skipgram.bin").read_bytes())
    struct.pack_into(layout, content, at, value)
    (folder / "x.bin").write_bytes(content)
    return folder / "x.bin"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ((0, "<i", 1), "not a fastText model"),
        ((VERSION_AT, "<i", 13), "version 13"),
        ((8, "<i", 7), "matrix should have .* rows of 7"),
        ((8, "<i", 0), "dim 0"),
        ((8 + 8 * 4, "<i", 10**6), "matrix should have"),
        ((8 + 8 * 4, "<i", 0), "0 buckets"),
        ((MODEL_HEADER + 4, "<i", 3), "should have 3 words"),
        ((MODEL_HEADER + 20, "<q", 5), "quantised"),
    ],
)
def test_damaged_or_foreign_models(change: tuple[int, str, int], said: str, data: Path, tmp_path: Path) -> None:
    path = write_changed(data, tmp_path, change)
    with pytest.raises(InputError, match=said):
        read_table(path, format="fasttext")


def test_version_11_is_read(data: Path, tmp_path: Path) -> None:
    path = write_changed(data, tmp_path, (VERSION_AT, "<i", 11))
    assert load_fasttext(path).vector("fox").any()


def test_word_that_is_not_utf8(data: Path, tmp_path: Path) -> None:
    content = (data / "skipgram.bin").read_bytes().replace(b"fox\0", b"f\xffx\0")
    (tmp_path / "x.bin").write_bytes(content)
    with pytest.raises(InputError, match="is not UTF-8"):
        read_table(tmp_path / "x.bin")
    problems = Problems(lenient=True)
    table = read_table(tmp_path / "x.bin", problems=problems)
    expected = golden(data, "skipgram")["known"]
    assert table.words == [word for word in expected if word != "fox"]
    assert np.allclose(table["dog"], expected["dog"], atol=1e-6)
    assert "1 word that is not UTF-8" in problems.summary()


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        load_fasttext(tmp_path / "none.bin")
    (tmp_path / "empty.bin").touch()
    with pytest.raises(InputError, match="ends too early"):
        load_fasttext(tmp_path / "empty.bin")
