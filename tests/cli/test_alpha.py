"""everyword alpha."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from everyword.space import LimitVectors, alpha_vectors
from everyword.vectors.context_pair import ContextPair, description_of
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

from .conftest import Run

RNG = np.random.default_rng(0)
WORDS = [f"w{row}" for row in range(40)]
PAIR = ContextPair(
    WORDS, *RNG.normal(size=(2, 40, 4)).astype(np.float32), RNG.integers(1, 99, 40), None, "negative-sampling"
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    PAIR.save(tmp_path / "u.npy", tmp_path / "v.npy")
    return tmp_path


def test_limit_vectors_and_later_words(run: Run, files: Path) -> None:
    result = run("alpha", "u.npy", "--contexts", "v.npy", "--output", "limit.vec")
    assert result.exit_code == 0, result.stderr
    assert "negative-sampling" in result.stdout
    assert "of 10 neighbours stay" in result.stdout
    assert result.stderr.endswith(
        "Saved 40 vectors of dimension 4 to limit.vec.\nSaved the record to limit.vec.record.\n"
    )
    expected = alpha_vectors(PAIR, LimitVectors()).table.matrix
    np.testing.assert_allclose(read_table(files / "limit.vec").matrix, expected, atol=1e-4)
    with_contexts = ("alpha", "u.npy", "--contexts", "v.npy", "--record", "limit.vec.record", "--limit", 5)
    assert run(*with_contexts, "--output", "some.npy").exit_code == 0
    np.testing.assert_allclose(read_table(files / "some.npy").matrix, expected[:5], atol=1e-4)
    later = run("alpha", "u.npy", "--record", "limit.vec.record", "--limit", 5, "--output", "later.npy")
    assert later.stderr == "Saved 5 vectors of dimension 4 to later.npy.\n"


def test_all_choices(run: Run, files: Path) -> None:
    counts = "".join(f"{word}\t{row + 1}\n" for row, word in enumerate(WORDS))
    (files / "counts.tsv").write_text("word\tcount\n" + counts)
    one = run(
        *("alpha", "u.npy", "--contexts", "v.npy", "--alpha", "1", "--reference", "uniform", "--combine", "u"),
        *("--metric", "identity", "--trained", "softmax", "--ridge", "0.0", "--output", "plain.npy"),
    )
    assert one.exit_code == 0, one.stderr
    found, expected = read_table(files / "plain.npy"), PAIR.table.unit()
    np.testing.assert_allclose(found.matrix, expected.matrix, atol=1e-4)
    other = run(
        *("alpha", "u.npy", "--contexts", "v.npy", "--counts", "counts.tsv", "--top", "3", "--weighted"),
        *("--reference", "model-unigram", "--save-record", "kept", "--output", "limit.npy"),
    )
    assert other.exit_code == 0, other.stderr
    assert (files / "kept" / "record.json").exists()


def test_a_fasttext_model_has_both(run: Run, tmp_path: Path) -> None:
    model = Path(__file__).parents[1] / "vectors" / "data" / "skipgram.bin"
    result = run("alpha", model, "--alpha", "-2", "--output", "alpha.vec")
    assert result.exit_code == 0, result.stderr
    assert len(read_table(tmp_path / "alpha.vec")) == 48


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["u.npy"], "u.npy has no context vectors; give the file that has them, too (--contexts in the shell)"),
        (["u.npy", "--contexts", "none.npy"], "There is no file none.npy"),
        (["u.npy", "--contexts", "other.npy"], "have no word in common"),
        (["u.npy", "--contexts", "wide.npy"], "of dimension 4 and wide.npy of dimension 3"),
        (["u.npy", "--contexts", "bare.npy"], "The unigram reference needs the counts of its words"),
        (["u.npy", "--contexts", "flat.npy", "--reference", "uniform"], "vary in 3 of 4 directions only"),
        (["narrow.npy", "--contexts", "narrow.npy"], "at least 2 words and 2 dimensions"),
        (["u.npy", "--contexts", "nan.npy"], "nan.npy"),
        (["u.npy", "--contexts", "v.npy", "--alpha", "low"], "--alpha must be a number or limit. Got 'low'"),
        (["u.npy", "--contexts", "v.npy", "--alpha", "nan"], "alpha"),
        (["u.npy", "--contexts", "v.npy", "--alpha", "2", "--top", "3"], "--top and --weighted go with --alpha limit"),
        (["u.npy", "--contexts", "v.npy", "--ridge", "-1"], "ridge"),
        (["u.npy", "--record", "r", "--alpha", "2"], "leave out --alpha"),
        (["u.npy", "--record", "r"], "r is not a saved record"),
    ],
)
def test_refusals(options: list[str], sentence: str, refused: Callable[..., str], files: Path) -> None:
    VectorTable([f"x{row}" for row in range(40)], PAIR.contexts).save(files / "other.npy")
    VectorTable(WORDS, PAIR.contexts[:, :3].copy()).save(files / "wide.npy")
    VectorTable(WORDS, PAIR.contexts[:, :1].copy()).save(files / "narrow.npy")
    VectorTable(WORDS, PAIR.contexts).save(files / "bare.npy")
    VectorTable(WORDS, PAIR.contexts[:, [0, 1, 2, 2]]).save(files / "flat.npy")
    broken = PAIR.contexts.copy()
    broken[1, 1] = np.nan
    np.save(files / "nan.npy", broken)
    (files / "nan.words.txt").write_text("\n".join(WORDS))
    description_of(files / "bare.npy").unlink(missing_ok=True)
    before = sorted(files.iterdir())
    assert sentence in refused("alpha", *options, "--output", "x.npy")
    assert sorted(files.iterdir()) == before
