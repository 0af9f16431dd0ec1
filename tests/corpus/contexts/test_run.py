from __future__ import annotations

import gzip
import json
import lzma
import multiprocessing
import os
import signal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from everyword.corpus.contexts import find as running
from everyword.corpus.contexts import shards
from everyword.corpus.contexts import worker as tasks
from everyword.corpus.contexts.find import ShardShare
from everyword.corpus.contexts.sentences import stream_sentences
from everyword.corpus.contexts.spec import SearchOptions
from everyword.corpus.contexts.worker import scan_shard
from everyword.corpus.executors import Task, process_executor
from everyword.errors import EverywordError, InputError

from .deadly import die
from .made_corpus import WORDS, bytes_of, make, naive, read, sentences, write_corpus


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two files of text in some twenty shards."""
    monkeypatch.setattr(shards, "BYTES_PER_SHARD", 4000)
    return [write_corpus(tmp_path / f"{name}.txt", seed=seed) for seed, name in enumerate(["one", "two"])]


@pytest.fixture
def expected(corpus: list[Path], tmp_path: Path) -> tuple[bytes, bytes]:
    assert make(corpus, tmp_path / "expected")
    return bytes_of(tmp_path / "expected")


def test_counts_and_sentences_are_those_of_the_slow_way(corpus: list[Path], tmp_path: Path) -> None:
    assert make(corpus, tmp_path / "out", options=SearchOptions(sentences=10_000))

    lines = [line for path in corpus for line in path.read_text(encoding="utf-8").splitlines()]
    assert read(tmp_path / "out") == naive(lines, WORDS)
    assert [line.word for line in stream_sentences(tmp_path / "out")] == WORDS


def test_a_result_has_bands_and_a_record(corpus: list[Path], tmp_path: Path, expected: tuple[bytes, bytes]) -> None:
    lines = [json.loads(line) for line in expected[0].splitlines()]
    record = json.loads(expected[1])

    assert max(len(line["sentences"]) for line in lines) == 100
    bands = {line["word"]: line["band"] for line in lines}
    assert (bands["ka"], bands["kaka"], bands["never-there"]) == ("frequent", "medium", "rare")
    assert sum(record["bands"].values()) == record["words"] == len(WORDS)
    assert [file["file"] for file in record["corpus"]] == ["one.txt", "two.txt"]
    assert sorted(path.name for path in (tmp_path / "expected").iterdir()) == ["contexts.jsonl", "record.json"]


def test_two_workers_give_the_same_bytes(corpus: list[Path], tmp_path: Path, expected: tuple[bytes, bytes]) -> None:
    assert make(corpus, tmp_path / "out", workers=2)

    assert bytes_of(tmp_path / "out") == expected


def test_shares_and_rounds_give_the_same_bytes(
    corpus: list[Path], tmp_path: Path, expected: tuple[bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PARTS_AT_ONCE", 3)
    for which in (3, 1):
        assert make(corpus, tmp_path / "out", share=ShardShare(which, 3))
    assert not (tmp_path / "out" / "contexts.jsonl").exists()

    assert make(corpus, tmp_path / "out")

    assert bytes_of(tmp_path / "out") == expected


def test_a_shard_larger_than_memory_is_read_in_pieces(
    corpus: list[Path], tmp_path: Path, expected: tuple[bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "BYTES_PER_SHARD", 1 << 20)
    monkeypatch.setattr(tasks, "CHARACTERS_PER_PART", 1000)
    monkeypatch.setattr(tasks, "PARTS_AT_ONCE", 3)
    monkeypatch.setattr("everyword.corpus.contexts.shards.BLOCK_SIZE", 500)
    monkeypatch.setattr("everyword.corpus.contexts.parts.KEYS_AT_ONCE", 400)

    assert make(corpus, tmp_path / "out")

    assert bytes_of(tmp_path / "out") == expected


def packed(lines: list[str], folder: Path) -> dict[str, Path]:
    """The same sentences in every form that is read."""
    text = ("\n".join(lines) + "\n").encode()
    objects = "\n".join(json.dumps({"id": 1, "body": line}) for line in lines).encode()
    contents = {
        "a.txt": text,
        "a.txt.gz": gzip.compress(text),
        "a.txt.xz": lzma.compress(text),
        "a.zst": zstandard.compress(text[:5000]) + zstandard.compress(text[5000:]),
        "a.jsonl": objects,
        "a.jsonl.gz": gzip.compress(objects),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    table = pa.table({"body": [*lines, None], "id": [1] * (len(lines) + 1)})
    pq.write_table(table, folder / "a.parquet", row_group_size=100)
    return {name: folder / name for name in (*contents, "a.parquet")}


def test_every_form_of_a_corpus_gives_the_same_sentences(tmp_path: Path) -> None:
    found = {}
    for name, path in packed(sentences(300), tmp_path).items():
        assert make([path], tmp_path / f"out-{name}", options=SearchOptions(text_field="body"))
        found[name] = (tmp_path / f"out-{name}" / "contexts.jsonl").read_bytes()

    assert len(set(found.values())) == 1


@pytest.mark.parametrize("name", ["a.txt.gz", "a.txt.xz", "a.zst", "a.parquet"])
def test_a_file_that_is_cut_off_is_named_and_the_others_are_kept(tmp_path: Path, name: str) -> None:
    paths = packed(sentences(300), tmp_path)
    whole = paths[name].read_bytes()
    paths[name].write_bytes(whole[: len(whole) * 2 // 3])
    options = SearchOptions(text_field="body")

    with pytest.raises(InputError, match=rf"{name}: .* damaged or cut off .*fetch"):
        make([paths[name], write_corpus(tmp_path / "b.txt")], tmp_path / "out", options=options)

    assert not (tmp_path / "out" / "contexts.jsonl").exists()
    paths[name].write_bytes(whole)
    assert make([paths[name], tmp_path / "b.txt"], tmp_path / "out", options=options)


def test_a_file_that_is_not_utf8_is_named_with_the_place(corpus: list[Path], tmp_path: Path) -> None:
    raw = corpus[1].read_bytes()
    corpus[1].write_bytes(raw[:4500] + b"\n\xff\n" + raw[4500:])
    seen: list[int] = []

    with pytest.raises(InputError, match=r"two\.txt: the text at byte 4,501 is not UTF-8; .* All other parts are kept"):
        make(corpus, tmp_path / "out", progress=seen.append)
    assert len(list((tmp_path / "out" / "parts").glob("*-text-*"))) > 10


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("no json", "each line should be a JSON object with a text in 'text'. Got 'no json' instead"),
        ('{"a": 1}', "--field"),
    ],
)
def test_json_without_the_field_is_refused(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": null}\n\n' + line, encoding="utf-8")

    with pytest.raises(InputError, match=message):
        make([tmp_path / "a.jsonl"], tmp_path / "out")


def test_a_parquet_file_without_the_column_is_refused(tmp_path: Path) -> None:
    paths = packed(sentences(5), tmp_path)

    with pytest.raises(InputError, match="has no column 'bod'; did you mean 'body'"):
        make([paths["a.parquet"]], tmp_path / "out", options=SearchOptions(text_field="bod"))
    with pytest.raises(InputError, match=r"the column 'id' should hold texts\. Got 1"):
        make([paths["a.parquet"]], tmp_path / "out2", options=SearchOptions(text_field="id"))


def test_half_a_character_in_json_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(r'{"text": "a cat is \ud83d here é"}', encoding="utf-8")

    assert make([tmp_path / "a.jsonl"], tmp_path / "out", ["cat"])
    assert read(tmp_path / "out") == {"cat": (1, {"a cat is \ufffd here é"})}


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.corpus.contexts.shards.LONGEST_LINE", 1000)
    monkeypatch.setattr("everyword.corpus.contexts.shards.BLOCK_SIZE", 500)
    (tmp_path / "a.txt").write_text("a " * 5000, encoding="utf-8")

    with pytest.raises(InputError, match="has a line of more than 1,000 bytes; break it into lines"):
        make([tmp_path / "a.txt"], tmp_path / "out")


def test_an_empty_file_has_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("", encoding="utf-8")

    assert make([tmp_path / "a.txt"], tmp_path / "out", ["cat"])
    assert read(tmp_path / "out") == {"cat": (0, set())}


def test_a_corpus_is_one_or_more_different_files(tmp_path: Path) -> None:
    path = write_corpus(tmp_path / "a.txt", 3)
    for corpus, message in [([], "Got none"), ([path, path], "given twice"), ([tmp_path], "is a folder")]:
        with pytest.raises(InputError, match=message):
            make(corpus, tmp_path / "out")
    with pytest.raises(InputError, match="is a file; choose a folder"):
        make([path], path)


class Killed(BaseException):
    """Stands for whatever ends a run at once."""


def test_a_killed_run_goes_on_and_redoes_no_finished_part(
    corpus: list[Path], tmp_path: Path, expected: tuple[bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def scan_and_note(folder: Path, fingerprint: str, shard: shards.Shard) -> str:
        if len(done) == 7:
            raise Killed
        done.append(shard.name)
        return scan_shard(folder, fingerprint, shard)

    monkeypatch.setattr(running, "scan_shard", scan_and_note)
    with pytest.raises(Killed):
        make(corpus, tmp_path / "out")
    done.append("the run was killed here")

    assert make(corpus, tmp_path / "out")

    assert len(set(done)) == len(done)
    assert bytes_of(tmp_path / "out") == expected


def test_a_worker_that_dies_is_replaced(corpus: list[Path], tmp_path: Path, expected: tuple[bytes, bytes]) -> None:
    killed: list[int] = []

    def kill_one(size: int) -> None:
        children = multiprocessing.active_children()
        if children and not killed:
            killed.append(children[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    assert make(corpus, tmp_path / "out", workers=2, progress=kill_one)

    assert killed
    assert bytes_of(tmp_path / "out") == expected


def test_ctrl_c_lets_workers_finish(corpus: list[Path], tmp_path: Path, expected: tuple[bytes, bytes]) -> None:
    told: list[int] = []

    def interrupt_once(size: int) -> None:
        told.append(size)
        if len(told) == 5:
            os.kill(os.getpid(), signal.SIGINT)

    assert not make(corpus, tmp_path / "out", progress=interrupt_once)
    assert make(corpus, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == expected


def test_a_folder_of_another_run_is_refused(corpus: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    make(corpus, out, share=ShardShare(1, 2))
    with pytest.raises(InputError, match="holds parts of a search with other words or options; use those again"):
        make(corpus, out, words=["other"])
    make(corpus, out)
    before = bytes_of(out)

    for change in ({"words": ["other"]}, {"options": SearchOptions(sentences=5)}, {"corpus": corpus[:1]}):
        with pytest.raises(InputError, match="holds the result of other words, options or files"):
            make(**{"corpus": corpus, "out": out, **change})  # type: ignore[arg-type]
    assert make(corpus, out)
    assert bytes_of(out) == before


def test_a_corpus_grows_where_parts_are_kept(
    corpus: list[Path], tmp_path: Path, expected: tuple[bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    make(corpus[:1], tmp_path / "out", keep_parts=True)
    read_again: list[Path] = []

    def scan_and_note(folder: Path, fingerprint: str, shard: shards.Shard) -> str:
        read_again.append(shard.path)
        return scan_shard(folder, fingerprint, shard)

    monkeypatch.setattr(running, "scan_shard", scan_and_note)

    make(corpus, tmp_path / "out", keep_parts=True)

    assert set(read_again) == {corpus[1]}
    assert bytes_of(tmp_path / "out") == expected


@pytest.mark.parametrize(("which", "of"), [(0, 4), (5, 4), (1, 0)])
def test_a_share_that_is_none_is_refused(which: int, of: int) -> None:
    with pytest.raises(InputError, match=r"A share must be one of 1/N to N/N, such as 1/4\. Got"):
        ShardShare(which, of)


def test_a_task_that_no_worker_survives_is_given_up() -> None:
    with pytest.raises(EverywordError, match=r"Workers died 3 times over a deadly task; .* finished work is kept"):
        list(process_executor(2)([Task("a deadly task", die, (number,)) for number in range(2)], lambda: False))
