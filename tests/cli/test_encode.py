from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from everyword.cli.encode import BATCH
from everyword.models.form_encoder import FormEncoder
from everyword.models.model import Model
from everyword.vectors.read import read_table

from .conftest import Run

WORDS = ["dan", "daans", "東京", "grusting", "DAN"]


def parsed(lines: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in lines.splitlines()]


def test_arguments_become_json_lines(run: Run, tiny_model_folder: Path, tiny_model: Model) -> None:
    result = run("encode", *WORDS, "--model", tiny_model_folder)
    assert result.exit_code == 0
    rows = parsed(result.stdout)
    assert [row["word"] for row in rows] == WORDS
    assert [row["source"] for row in rows] == ["known", "inferred", "none", "known", "known"]
    vectors = np.array([row["vector"] for row in rows], dtype=np.float32)
    np.testing.assert_array_equal(vectors, tiny_model.encode(WORDS))
    assert result.stderr == "5 words: 3 known, 1 inferred, 1 without a vector\n"


def test_lines_of_standard_input(run: Run, tiny_model_folder: Path) -> None:
    text = "\ufeffdan\r\n\n   \n new york \ndan"
    result = run("encode", "--model", tiny_model_folder, input=text.encode())
    assert [row["word"] for row in parsed(result.stdout)] == ["dan", "new york", "dan"]
    assert result.stderr == "3 words: 2 known, 1 inferred, 0 without a vector; skipped 2 blank\n"


def test_many_batches_keep_order(run: Run, tiny_model_folder: Path, tmp_path: Path) -> None:
    words = [f"dan{'a' * (number % 7)}{number}" for number in range(2 * BATCH + 1)]
    (tmp_path / "words.txt").write_text("\n".join(words))
    result = run("encode", "--input", "words.txt", "--model", tiny_model_folder)
    assert [row["word"] for row in parsed(result.stdout)] == words


@pytest.mark.parametrize("name", ["o.vec", "o.txt", "o.bin", "o.glove", "o.glove.txt.gz", "o.bin.partial.vec"])
def test_tables_read_back_equal(
    run: Run, tiny_model_folder: Path, tiny_model: Model, tmp_path: Path, name: str
) -> None:
    result = run("encode", "--output", name, "--model", tiny_model_folder, input="\n".join([*WORDS, "dan"]))
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert result.stderr.endswith("; skipped 1 repeated\n")
    table = read_table(tmp_path / name)
    assert table.words == WORDS
    np.testing.assert_array_equal(table.matrix, tiny_model.encode(WORDS))


def test_a_matrix_has_a_row_for_every_line(
    run: Run, tiny_model_folder: Path, tiny_model: Model, tmp_path: Path
) -> None:
    lines = ["dan", "", "東京", "dan", "   ", "daans"]
    result = run("encode", "--output", "o.npy", "--model", tiny_model_folder, input="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == "4 words: 2 known, 1 inferred, 1 without a vector; 2 blank lines with zeros\n"
    matrix = np.load(tmp_path / "o.npy")
    np.testing.assert_array_equal(matrix, tiny_model.encode([line.strip() for line in lines]))
    assert not matrix[[1, 2, 4]].any()
    assert (tmp_path / "o.words.txt").read_text(encoding="utf-8") == "dan\n\n東京\ndan\n\ndaans\n"


def test_a_matrix_of_different_words_is_a_table(
    run: Run, tiny_model_folder: Path, tiny_model: Model, tmp_path: Path
) -> None:
    assert run("encode", *WORDS, "--output", "o.npy", "--model", tiny_model_folder).exit_code == 0
    table = read_table(tmp_path / "o.npy")
    assert table.words == WORDS
    np.testing.assert_array_equal(table.matrix, tiny_model.encode(WORDS))


def test_rows_for_data_frames(run: Run, tiny_model_folder: Path, tiny_model: Model, tmp_path: Path) -> None:
    words = ["dan", 'a "quoted", word', "dan"]
    for name in ("o.csv", "o.csv.gz", "o.parquet"):
        result = run("encode", "--output", name, "--model", tiny_model_folder, input="\n".join([*words, ""]))
        assert result.exit_code == 0, result.stderr
    raw = (tmp_path / "o.csv").read_bytes()
    assert gzip.decompress((tmp_path / "o.csv.gz").read_bytes()) == raw
    heading, *rows = csv.reader(raw.decode().splitlines())
    assert heading == ["word", "source", *(f"v{column}" for column in range(tiny_model.dim))]
    table = parquet.read_table(tmp_path / "o.parquet").to_pydict()
    assert [row[0] for row in rows] == table["word"] == words
    assert [row[1] for row in rows] == table["source"] == ["known", "inferred", "known"]
    for vectors in ([row[2:] for row in rows], table["vector"]):
        np.testing.assert_array_equal(np.array(vectors, dtype=np.float32), tiny_model.encode(words))


def test_nothing_is_overwritten_unasked_and_the_input_never(
    run: Run, refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "w.txt").write_text("dan\n")
    model = ("--model", tiny_model_folder)
    assert run("encode", "dan", "--output", "o.npy", *model).exit_code == 0
    (tmp_path / "o.npy").unlink()
    assert "o.words.txt exists already; choose another --output" in refused("encode", "x", "--output", "o.npy", *model)
    (tmp_path / "w.words.txt").symlink_to(tmp_path / "w.txt")
    for output in ("w.txt", "./w.txt", "w.npy"):
        error = refused("encode", "--input", "w.txt", "--output", output, "--overwrite", *model)
        assert "is read by this command and would be lost; choose another --output." in error
    assert (tmp_path / "w.txt").read_text() == "dan\n"


def test_every_vector_is_made_once(run: Run, tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    infer = FormEncoder.__call__
    monkeypatch.setattr(FormEncoder, "__call__", lambda self, words: made.extend(words) or infer(self, words))
    for command in (["encode"], ["nearest"], ["explain"], ["similarity"]):
        made.clear()
        assert run(*command, "xdanx", "xkinx", "--model", tiny_model_folder).exit_code == 0
        assert made in (["xdanx", "xkinx"], []), command


@pytest.mark.parametrize(
    ("name", "form"), [("o.anything", "word2vec"), ("o.jsonl", "glove"), ("o.vec", "word2vec-binary")]
)
def test_format_beats_the_suffix(run: Run, tiny_model_folder: Path, tmp_path: Path, name: str, form: str) -> None:
    assert run("encode", "dan", "--output", name, "--format", form, "--model", tiny_model_folder).exit_code == 0
    assert read_table(tmp_path / name, format=form).words == ["dan"]


def test_json_lines_in_a_file(run: Run, tiny_model_folder: Path, tmp_path: Path) -> None:
    shown = run("encode", *WORDS, "--model", tiny_model_folder).stdout
    for name, options in (("o.jsonl", []), ("o.dat", ["--format", "jsonl"]), ("o.jsonl.gz", [])):
        run("encode", *WORDS, "--output", name, *options, "--model", tiny_model_folder)
        raw = (tmp_path / name).read_bytes()
        assert (gzip.decompress(raw) if name.endswith("gz") else raw).decode() == shown


def test_no_words(run: Run, tiny_model_folder: Path) -> None:
    result = run("encode", "--model", tiny_model_folder, input="\n")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "0 words: 0 known, 0 inferred, 0 without a vector; skipped 1 blank\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["encode", "x", "--input", "words.txt"], "not from both"),
        (["encode", "x", "--format", "glove"], "'glove' needs --output"),
        (["encode", "x", "--format", "glov"], "is not one of"),
        (["encode", "x", "--output", "x.zip"], "not clear from the name; use one of the suffixes .jsonl .csv .parquet"),
        (["encode", "x", "--output", "x.vec", "--format", "wink"], "'wink' is not one of 'jsonl', 'csv'"),
        (["encode", "x", "--output", "no/x.jsonl"], "There is no folder no"),
        (["encode", "new york", "--output", "x.vec"], "cannot store"),
        (["encode", "\ud800", "--output", "x.jsonl"], "is not valid text"),
        (["encode", "--input", "missing.txt"], "missing.txt: No such file"),
    ],
)
def test_refusals(
    refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    assert sentence in refused(*arguments, "--model", tiny_model_folder)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["o.jsonl", "o.npy", "o.vec"])
def test_a_bad_line_leaves_the_old_file(
    refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("old")
    lines = b"dan\n" * BATCH + b"caf\xe9\n"
    error = refused("encode", "--output", name, "--overwrite", "--model", tiny_model_folder, input=lines)
    assert f"standard input:{BATCH + 1}: this line is not UTF-8" in error
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "old"


def test_undecodable_file_is_named(refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_bytes("dan".encode("utf-16"))
    assert "words.txt:1: this line is not UTF-8" in refused(
        "encode", "--input", "words.txt", "--model", tiny_model_folder
    )


def test_a_terminal_is_not_waited_for(
    refused: Callable[..., str], tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import click

    def no_one_types(remedy: str) -> None:
        raise click.UsageError(remedy)

    monkeypatch.setattr("everyword.cli.common.streams.refuse_terminal", no_one_types)
    assert "Give words as arguments" in refused("encode", "--model", tiny_model_folder)
