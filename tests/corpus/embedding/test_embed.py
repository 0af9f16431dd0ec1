"""Vectors of files: the same bytes in every way to make them, and nothing finished is lost."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from attacks.sound import small_model
from safetensors.numpy import load_file

import everyword
from corpus.columns.written import FORMS, write
from everyword.corpus.embedding import embed, worker
from everyword.corpus.embedding.embed import Embedded, embed_files
from everyword.corpus.embedding.plan import MANIFEST, Plan
from everyword.errors import ConfigError, InputError

TEXTS = [f"ban belo grin {'grinn ' * (number % 7)}" if number % 5 else "" for number in range(25)]


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    small_model(["ban", "belo", "grin"]).save_pretrained("model")
    write(Path("a.jsonl"), TEXTS)


def make(*inputs: str, output: str = "out", **more: Any) -> Embedded:
    settings = {"model": "model", "rows_per_part": 10, "batch_size": 4, "format": "npy", **more}
    return embed_files(inputs or ["a.jsonl"], output, **settings)


def bytes_of(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def vectors_in(done: Embedded) -> np.ndarray:
    return np.concatenate([np.load(path) for path in done.files])


def expected() -> np.ndarray:
    return everyword.load("model").encode_texts(TEXTS)


def test_every_text_has_its_vector() -> None:
    done = make()

    assert (done.texts, done.dim, done.complete) == (25, 3, True)
    assert [path.name for path in done.files] == [f"part-0000{number}-of-00003.npy" for number in range(3)]
    np.testing.assert_allclose(vectors_in(done), expected(), atol=1e-6)
    assert not vectors_in(done)[::5].any()


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_vectors(name: str) -> None:
    write(Path(name), TEXTS, "body")

    made = vectors_in(make(name, column="body"))

    np.testing.assert_array_equal(made, vectors_in(make(str(write(Path("of.jsonl"), TEXTS)), output="of-json")))


def test_parquet_tells_where_a_vector_comes_from() -> None:
    write(Path("b.csv"), TEXTS[:3])
    make("a.jsonl", "b.csv", format="parquet", keep=["id"])

    table = pq.read_table("out")  # the manifest is no obstacle

    assert table.column_names == ["file", "row", "id", "vector"]
    assert table["file"].to_pylist() == ["a.jsonl"] * 25 + ["b.csv"] * 3
    assert table["row"].to_pylist() == [*range(25), *range(3)]
    assert table["id"].to_pylist() == [*map(str, range(25)), *map(str, range(3))], "those of a CSV file are text"
    np.testing.assert_allclose(np.stack(table["vector"].to_numpy()), np.concatenate([expected(), expected()[:3]]))
    make(output="whole", format="parquet", keep=["id"])
    assert pq.read_table("whole")["id"].to_pylist() == [*range(25)]


def test_safetensors_tell_it_too() -> None:
    write(Path("b.txt"), TEXTS[:3])
    done = make("a.jsonl", "b.txt", format="safetensors", normalize=True, rows_per_part=100)

    found = load_file(done.files[0])

    assert found["file"].tolist() == [0] * 25 + [1] * 3
    assert found["row"].tolist() == [*range(25), *range(3)]
    lengths = np.linalg.norm(found["vectors"], axis=1)
    np.testing.assert_allclose(lengths[[0, 1, 5, 26]], [0, 1, 0, 1], atol=1e-6)


def test_processes_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["my docter diagnosed leukamia", "new york in 1999 😢", "a hart attack", "covfefe " * 9, "?!"] * 30
    for name in ("b.txt.gz", "c.jsonl"):
        write(Path(name), texts)
    ways = {"none": 1, "processes": 2}
    for executor, workers in ways.items():
        make(
            *("b.txt.gz", "c.jsonl"),
            output=executor,
            executor=executor,
            workers=workers,
            model="everyword-en-small",
            rows_per_part=64,
            batch_size=25,
            format="parquet",
        )

    assert len(bytes_of("none")) == 6
    assert bytes_of("none") == bytes_of("processes")


def test_a_killed_worker_is_replaced() -> None:
    killed: list[int] = []

    def kill_one(done: int, of: int) -> None:
        children = multiprocessing.active_children()
        if children and not killed:
            killed.append(children[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    make(executor="processes", workers=2, rows_per_part=2, progress=kill_one)

    assert killed
    make(output="expected", rows_per_part=2)
    assert bytes_of("out") == bytes_of("expected")


class Killed(BaseException):
    """Stands for whatever ends a run at once."""


def stop_after(parts: int, how: Callable[[], object]) -> Callable[[int, int], None]:
    def progress(done: int, of: int) -> None:
        if done == parts * 10:
            how()

    return progress


def test_a_killed_run_goes_on_and_makes_no_finished_part_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill() -> None:
        raise Killed

    with pytest.raises(Killed):
        make(progress=stop_after(1, kill))
    before = Path("out/part-00000-of-00003.npy").stat().st_mtime_ns
    Path("out/_part-00001-of-00003.npy.1234.partial").write_bytes(b"half")
    seen: list[tuple[int, ...]] = []
    with monkeypatch.context() as patched:
        patched.setattr(embed, "survey_file", None)  # the manifest knows the file already
        assert make(progress=lambda *numbers: seen.append(numbers)).complete

    assert seen == [(10, 25), (20, 25), (25, 25)]
    assert Path("out/part-00000-of-00003.npy").stat().st_mtime_ns == before
    make(output="expected")
    assert bytes_of("out") == bytes_of("expected")


def test_ctrl_c_loses_nothing() -> None:
    done = make(progress=stop_after(2, lambda: os.kill(os.getpid(), signal.SIGINT)))

    assert not done.complete
    assert len(bytes_of("out")) == 3
    assert make().complete


def test_what_a_folder_holds_of_another_run_is_refused_and_may_be_replaced() -> None:
    make()
    before = bytes_of("out")
    write(Path("b.jsonl"), TEXTS)
    small_model(["ban"]).save_pretrained("other")
    for change, message in [
        ({"normalize": True}, "out was begun with other options .normalize False, now True.; choose another --output"),
        ({"format": "parquet", "keep": ["id"]}, "keep nothing, now id; format npy, now parquet"),
        ({"model": "other"}, "out holds vectors of another model"),
        ({"inputs": ["b.jsonl"]}, "out was begun with other input files"),
    ]:
        with pytest.raises(InputError, match=message):
            make(*change.pop("inputs", []), **change)
    assert bytes_of("out") == before
    write(Path("a.jsonl"), [*TEXTS[:-1], "ban"])
    with pytest.raises(InputError, match=r"a\.jsonl has changed since out was begun; .* start again with --overwrite"):
        make()

    assert make(overwrite=True, rows_per_part=100).complete
    assert [*bytes_of("out")] == ["part-00000-of-00001.npy", MANIFEST] or len(bytes_of("out")) == 2


def test_a_file_that_is_only_touched_has_not_changed() -> None:
    make()
    os.utime("a.jsonl", ns=(5, 5))

    assert make().complete


def test_a_missing_text_is_refused_before_anything_is_made_or_is_empty() -> None:
    write(Path("a.jsonl"), [*TEXTS, None])

    with pytest.raises(InputError, match=r"a\.jsonl: row 25 .* has no text in 'text', but None"):
        make()
    assert not Path("out").exists()
    assert not vectors_in(make(missing="empty"))[25].any()


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"executor": "threads"}, InputError, "There is no executor 'threads'"),
        ({"missing": "skip"}, InputError, "There is no missing 'skip'"),
        ({"format": "csv"}, ConfigError, "format"),
        ({"keep": ["id"]}, ConfigError, "only the format parquet keeps columns"),
        ({"keep": ["row"], "format": "parquet"}, ConfigError, "a column 'row' cannot be kept"),
        ({"batch_size": 0}, ConfigError, "batch_size must be 1 or more"),
        ({"output": "a.jsonl"}, InputError, "a.jsonl is a file; choose a folder"),
        ({"output": "model"}, InputError, "model is not empty and has no manifest of vectors"),
    ],
)
def test_what_cannot_be_done_is_told(settings: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make(**settings)


def test_files_without_texts_are_refused_unless_others_have_some() -> None:
    Path("empty.txt").write_text("")
    with pytest.raises(InputError, match=r"empty\.txt holds no texts; there is nothing to embed"):
        make("empty.txt")

    assert make("empty.txt", "a.jsonl").texts == 25


def test_the_result_in_a_folder_of_inputs_is_no_input() -> None:
    Path("texts").mkdir()
    shutil.copy("a.jsonl", "texts")
    make("texts", output="texts/out", format="parquet")

    assert make("texts", output="texts/out", format="parquet").texts == 25


def test_long_texts_are_encoded_in_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = vectors_in(make())
    monkeypatch.setattr(worker, "MOST_CHARACTERS", 60)

    np.testing.assert_allclose(vectors_in(make(output="small")), whole, atol=1e-6)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"format": "x"}',
        '{"format": "everyword-embedding.v1"}',
        '{"format": "everyword-embedding.v1", "rows": {}}',
    ],
)
def test_a_manifest_that_is_none_is_refused(content: str) -> None:
    make()
    manifest = Path("out", MANIFEST)
    described = json.loads(manifest.read_text())
    manifest.write_text(content)
    with pytest.raises(InputError, match=r"is not a manifest of 'everyword embed' .* start again with --overwrite"):
        make()

    for change in ({"rows": 10**12}, {"rows": 24}, {"inputs": 3}, {"options": {"rows_per_part": -1}}):
        manifest.write_text(json.dumps(described | change))
        with pytest.raises(InputError, match="is not a manifest"):
            Plan.load(Path("out"))


def test_a_full_disk_is_one_sentence_and_loses_nothing() -> None:
    write(Path("a.jsonl"), TEXTS * 40)
    code = (
        "from everyword.corpus.embedding.embed import embed_files\n"
        "from everyword import EverywordError\n"
        "try: embed_files('a.jsonl', 'out', model='model', rows_per_part=300, format='npy')\n"
        "except EverywordError as error: print(error)"
    )
    make(output="out", rows_per_part=300, batch_size=2048, progress=stop_after(30, lambda: os.kill(os.getpid(), 2)))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(everyword.__file__).parents[1])},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)),
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == (
        f"{Path('out').resolve()}/part-00001-of-00004.npy cannot be written (File too large); make room for it and "
        "give the same command again: finished parts are kept.\n"
    )
    assert sorted(bytes_of("out")) == [MANIFEST, "part-00000-of-00004.npy"]
    assert make(rows_per_part=300, batch_size=2048).complete


def test_workers_end_with_a_run_that_is_killed() -> None:
    write(Path("a.jsonl"), TEXTS * 40)
    code = (
        "from everyword.corpus.embedding.embed import embed_files\n"
        "import multiprocessing, os, signal\n"
        "def kill(done, of):\n"
        "    if children := multiprocessing.active_children():\n"
        "        print(*(child.pid for child in children), flush=True)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "if __name__ == '__main__':\n"
        "    embed_files('a.jsonl', 'out', model='model', rows_per_part=10, executor='processes', workers=2,"
        " progress=kill, format='npy')\n"
    )
    Path("run.py").write_text(code)
    environment = {**os.environ, "PYTHONPATH": str(Path(everyword.__file__).parents[1])}

    done = subprocess.run([sys.executable, "run.py"], env=environment, capture_output=True, text=True, check=False)

    # The pipe of standard output is closed when the last worker has ended, or this would wait.
    assert done.returncode == -signal.SIGKILL
    assert len(done.stdout.split()) == 2
    assert make(rows_per_part=10, batch_size=2048).complete
