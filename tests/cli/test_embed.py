from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import everyword
from everyword.cli.embed import THREADS

from .conftest import Run

TEXTS = ["my docter diagnosed leukamia", "", "bake bread"]


@pytest.fixture(autouse=True)
def _files(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in THREADS:
        monkeypatch.setenv(name, "1")  # the command sets them
    lines = [json.dumps({"id": f"n{number}", "body": text}) for number, text in enumerate(TEXTS)]
    Path("a.jsonl").write_text("\n".join(lines))


ASKED = ["embed", "a.jsonl", "--column", "body", "--output", "out", "--executor", "none", "--quiet"]
SMALL = [*ASKED, "--model", "everyword-en-small"]


def test_vectors_with_rows_and_kept_columns(run: Run) -> None:
    result = run(*SMALL, "--keep", "id", "--normalize")

    assert result.exit_code == 0, result.stderr
    assert result.stderr == "Saved the vectors of 3 texts, of dimension 256, to out (1 file).\n"
    table = pq.read_table("out")
    assert table["id"].to_pylist() == ["n0", "n1", "n2"]
    expected = everyword.load("everyword-en-small").encode_texts(TEXTS, normalize=True)
    np.testing.assert_allclose(np.stack(table["vector"].to_numpy()), expected, atol=1e-6)
    schema = pq.read_schema("out/part-00000-of-00001.parquet").metadata
    assert schema[b"everyword.model"] == b"everyword-en-small"


def test_again_goes_on_and_otherwise_is_refused(run: Run, refused: Callable[..., str]) -> None:
    assert run(*SMALL, "--rows-per-part", 2).exit_code == 0
    Path("out/part-00000-of-00002.parquet").unlink()

    assert "(2 files)" in run(*SMALL, "--rows-per-part", 2).stderr
    assert "rows_per_part 2, now 65536" in refused(*SMALL)
    assert "another model" in refused(*ASKED, "--rows-per-part", 2, "--model", "love-en")
    assert run(*SMALL, "--overwrite", "--format", "npy").exit_code == 0
    assert np.load("out/part-00000-of-00001.npy").shape == (3, 256)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--column", "txt"], "a.jsonl has no column 'txt' (--column); choose from body, id."),
        (["--keep", "ids"], "a.jsonl has no column 'ids' (--keep); did you mean 'id'? Its columns: body, id."),
        (["--keep", "id", "--format", "npy"], "only the format parquet keeps columns. Got npy"),
        (["missing.csv"], "There is no file missing.csv; check the path."),
        (["--output", "a.jsonl"], "a.jsonl is a file; choose a folder for the vectors."),
        (["--model", "nothing"], "There is no model 'nothing'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(refused: Callable[..., str], options: list[str], message: str) -> None:
    assert message in refused(*SMALL, *options)
    assert not Path("out").exists()


def test_a_missing_text_is_refused_or_empty(run: Run, refused: Callable[..., str]) -> None:
    Path("a.jsonl").write_text('{"body": "cat"}\n{"body": NaN}\n')

    assert "a.jsonl: row 1 (the first is 0) has no text in 'body', but nan" in refused(*SMALL)
    assert run(*SMALL, "--on-missing", "empty").exit_code == 0


def test_a_bar_shows_how_far_it_is(run: Run) -> None:
    result = run(*SMALL[:-3], "--model", "everyword-en-small")

    assert result.stderr.startswith("texts")
