"""Every way in which a file can be wrong: an error when strict, a counted skip when lenient."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.vectors import Problems, VectorTable, open_rows, read_table

from .wink_sample import wink_json


@dataclass(frozen=True)
class Case:
    format: str
    content: bytes
    said: str
    kept: list[str]
    summary: str


def record(word: bytes, *numbers: float) -> bytes:
    return word + b" " + struct.pack(f"<{len(numbers)}f", *numbers)


def wink(rows: str) -> bytes:
    return b'{"size":3,"dimensions":2,"words":[],"vectors":{' + rows.encode() + b'},"unkVector":[0,0]}'


NAN = float("nan")
BAD_UTF8 = b"\xff\xfe\xfd"
TEXT_ROWS = {
    "ragged": (b"b 3", "x:{line}: the row of 'b' has 1 numbers where 2", "1 ragged row"),
    "long": (b"b 3 4 5", "'b' has 3 numbers where 2|'b 3' has 3 numbers", "1 ragged row"),
    "word only": (b"b", "has 0 numbers", "1 ragged row"),
    "blank": (b"", "has 0 numbers", "1 ragged row"),
    "not a number": (b"b 3 x", "x:{line}: the row of 'b' holds something that is not", "1 row with a non-number"),
    "rubbish behind": (b"b 3 4 x", "not a number", "1 row with a non-number"),
    "nan": (b"b 3 nan", "x:{line}: the vector of 'b' holds NaN", "1 NaN or infinity"),
    "inf": (b"b 3 -inf", "NaN or infinity", "1 NaN or infinity"),
    "too large": (b"b 3 1e39", "NaN or infinity", "1 NaN or infinity"),
    "duplicate": (b"a 3 4", "x:{line}: the word 'a' appears for the second time", "1 duplicate word"),
    "empty word": (b" 3 4", "x:{line}: the word is empty", "1 empty word"),
    "not UTF-8": (BAD_UTF8 + b" 3 4", "x:{line}: the word .* is not UTF-8", "1 word that is not UTF-8"),
}


def text_cases() -> dict[str, Case]:
    cases = {}
    for name, (row, said, summary) in TEXT_ROWS.items():
        rows = b"a 1 2\n" + row + b"\nc 5 6\n"
        for form, header, line in (("word2vec", b"3 2\n", "3"), ("glove", b"", "2")):
            if form == "glove" and name in ("rubbish behind",):
                continue
            where = f"skipped 1 row: {summary} (first at x:{line})"
            cases[f"{form} {name}"] = Case(form, header + rows, said.replace("{line}", line), ["a", "c"], where)
    return cases


CASES = {
    **text_cases(),
    "word2vec count too high": Case(
        "word2vec", b"10 1\na 1\n", "promises 10 rows but the file has 1", ["a"], "promises 10 rows but the file has 1"
    ),
    "word2vec count too low": Case(
        "word2vec", b"1 1\na 1\nb 2\n", "promises 1 rows but the file has 2", ["a", "b"], "but the file has 2"
    ),
    "binary cut in a row": Case(
        "word2vec-binary",
        b"2 2\n" + record(b"a", 1, 2) + record(b"b", 3),
        "row 2: .* middle of a row",
        ["a"],
        "skipped 1 row: 1 truncated row (first at x, row 2); x: the header promises 2 rows but the file has 1",
    ),
    "binary cut between rows": Case(
        "word2vec-binary", b"2 2\n" + record(b"a", 1, 2), "promises 2 rows but the file has 1", ["a"], "has 1"
    ),
    "binary too long": Case(
        "word2vec-binary", b"1 2\n" + record(b"a", 1, 2) + record(b"b", 3, 4), "more bytes follow", ["a"], "more bytes"
    ),
    "binary duplicate": Case(
        "word2vec-binary",
        b"2 2\n" + record(b"a", 1, 2) + b"\n" + record(b"a", 3, 4) + b"\n",
        "x, row 2: the word 'a' appears",
        ["a"],
        "1 duplicate word (first at x, row 2)",
    ),
    "binary empty word": Case(
        "word2vec-binary", b"2 1\n" + record(b"", 1) + record(b"b", 3), "word is empty", ["b"], "1 empty word"
    ),
    "binary not UTF-8": Case(
        "word2vec-binary", b"2 1\n" + record(BAD_UTF8, 1) + record(b"b", 3), "not UTF-8", ["b"], "not UTF-8"
    ),
    "binary NaN": Case(
        "word2vec-binary", b"2 1\n" + record(b"a", NAN) + record(b"b", 3), "row 1: .*NaN", ["b"], "1 NaN or infinity"
    ),
    "wink ragged": Case(
        "wink", wink('"a":[1,2,2.2,0],"b":[1,1],"]":[1,2,2.2,2]'), "row 2: .* 2 numbers where 4", ["a", "]"], "1 ragged"
    ),
    "wink empty row": Case("wink", wink('"a":[1,2,2.2,0],"b":[],"c":[1,2,3,2]'), "0 numbers", ["a", "c"], "1 ragged"),
    "wink not a number": Case(
        "wink", wink('"a":[1,2,2.2,0],"b":[1,null,1,1],"c":[1,2,2.2,2]'), "not a number", ["a", "c"], "non-number"
    ),
    "wink duplicate": Case(
        "wink", wink('"a":[1,2,2.2,0],"\\u0061":[1,2,2.2,1],"c":[1,2,2.2,2]'), "second time", ["a", "c"], "duplicate"
    ),
    "wink bad escape": Case(
        "wink", wink('"a":[1,2,2.2,0],"\\x":[1,2,2.2,1],"c":[1,2,2.2,2]'), "escape", ["a", "c"], "bad escape"
    ),
    "wink out of order": Case(
        "wink", wink('"a":[1,2,2.2,0],"b":[1,2,2.2,7],"c":[1,2,2.2,2]'), "index 7, not 1", ["a", "c"], "out of order"
    ),
    "wink count": Case("wink", wink('"a":[1,2,2.2,0]'), "promises 3 rows but the file has 1", ["a"], "promises 3"),
}


@pytest.fixture(autouse=True)
def _inside_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_strict(case: Case) -> None:
    Path("x").write_bytes(case.content)
    with pytest.raises(InputError, match=case.said) as caught:
        read_table("x", format=case.format)
    assert str(caught.value).startswith("x")
    assert "lenient=True" in str(caught.value)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_lenient(case: Case) -> None:
    Path("x").write_bytes(case.content)
    problems = Problems(lenient=True)
    table = read_table("x", format=case.format, problems=problems)
    assert table.words == case.kept
    assert case.summary in problems.summary()
    with pytest.warns(UserWarning, match="x: ") as warned:
        assert read_table("x", format=case.format, lenient=True).words == case.kept
    assert case.summary in str(warned[0].message)
    assert warned[0].filename == __file__


def test_lenient_streaming_warns_too() -> None:
    Path("x").write_bytes(b"2 1\na 1\nb\n")
    with pytest.warns(UserWarning, match="1 ragged row") as warned, open_rows("x", lenient=True) as rows:
        assert [words for words, _ in rows] == [["a"]]
    assert len(warned) == 1


def test_the_first_duplicate_wins() -> None:
    Path("x").write_bytes(b"a 1\na 2\n")
    assert read_table("x", problems=Problems(lenient=True)).matrix.tolist() == [[1]]


def test_an_unusable_row_does_not_take_the_word() -> None:
    Path("x").write_bytes(b"a nan\na 2\n")
    assert read_table("x", problems=Problems(lenient=True)).matrix.tolist() == [[2]]


def test_rows_beyond_the_limit_do_not_matter() -> None:
    Path("x").write_bytes(b"9 1\na 1\nb 2\nc x\n")
    assert read_table("x", limit=2).words == ["a", "b"]
    with pytest.raises(InputError, match="limit"):
        read_table("x", limit=-1)


@pytest.mark.parametrize("header", [b"a 1 2\n", b"2\n", b"2 0\n", b"2 2 2\n", b"-1 2\n", b"x y\n", b"2 2"])
@pytest.mark.parametrize("format", ["word2vec", "word2vec-binary"])
def test_wrong_header(header: bytes, format: str) -> None:
    Path("x").write_bytes(header)
    for lenient in (False, True):
        with pytest.raises(InputError, match="x:1: the first line should be 'rows dim'"):
            read_table("x", format=format, lenient=lenient)


def test_a_header_that_boasts_costs_no_memory() -> None:
    Path("x").write_bytes(b"999999999999 300\na" + b" 1" * 300 + b"\n")
    with pytest.raises(InputError, match="promises 999999999999 rows"):
        read_table("x")


def test_glove_without_numbers() -> None:
    Path("x").write_bytes(b"hello world\n")
    with pytest.raises(InputError, match="x:1: the first line should be a word and its numbers"):
        read_table("x", format="glove")


def test_harmless_oddities_are_accepted() -> None:
    Path("x").write_bytes(b"\xef\xbb\xbf2 2 \r\na 1  2 \t\r\nb 3\t4")
    assert read_table("x").matrix.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "cut", [b'"vectors":{"the":[-1.0', b'"vectors":{', b'"vectors":{"the":[1],', b'"dimensions":3', b'"vectors":{"the"']
)
def test_wink_cut_off(cut: bytes, small_table: VectorTable) -> None:
    whole = wink_json(small_table)
    at = whole.find(b'"vectors":{')
    Path("x").write_bytes(whole[:at] + cut if cut.startswith(b'"v') else whole[: whole.find(cut) + len(cut)])
    for lenient in (False, True):
        with pytest.raises(InputError, match=r"^x.*fetch the file again|numbers where"):
            read_table("x", format="wink", lenient=lenient)


def test_wink_without_dimensions() -> None:
    Path("x").write_bytes(b'{"size":1,"vectors":{"a":[1,1,0]}}')
    with pytest.raises(InputError, match="dimensions"):
        read_table("x", format="wink")


def test_wink_without_rows() -> None:
    Path("x").write_bytes(json.dumps({"dimensions": 2, "size": 0, "words": [], "vectors": {}}).encode())
    assert len(read_table("x")) == 0


def write_npy(matrix: np.ndarray, words: bytes) -> None:
    np.save("x.npy", matrix)
    Path("x.words.txt").write_bytes(words)


@pytest.mark.parametrize(
    ("numbers", "words", "said", "kept"),
    [
        ([1, NAN, 3], b"a\nb\nc\n", "x.npy, row 2: .*NaN", ["a", "c"]),
        ([1, 2, 3], b"a\na\nc\n", "row 2: .*second time", ["a", "c"]),
        ([1, 2, 3], b"a\n\nc\n", "row 2: .*empty", ["a", "c"]),
        ([1, 2, 3], b"a\n\xff\nc\n", "row 2: .*UTF-8", ["a", "c"]),
        ([1, 2, 3], b"a\nb\n", "3 rows but x.words.txt has 2 words", ["a", "b"]),
        ([1, 2], b"a\nb\nc", "2 rows but x.words.txt has 3 words", ["a", "b"]),
    ],
)
def test_npy_rows(numbers: list[float], words: bytes, said: str, kept: list[str]) -> None:
    write_npy(np.array(numbers, dtype=np.float32)[:, None], words)
    with pytest.raises(InputError, match=said):
        read_table("x.npy")
    problems = Problems(lenient=True)
    table = read_table("x.npy", problems=problems)
    assert table.words == kept
    assert table.matrix[-1, 0] == numbers["abc".index(kept[-1])]
    assert problems


def test_npy_float64_beyond_float32() -> None:
    write_npy(np.array([[1e300]]), b"a\n")
    with pytest.raises(InputError, match="infinity"):
        read_table("x.npy")


@pytest.mark.parametrize("array", [np.ones((2, 2), dtype=np.int8), np.ones(3), np.ones((3, 0)), np.array([["a"]])])
def test_npy_of_the_wrong_kind(array: np.ndarray) -> None:
    write_npy(array, b"a\nb\n")
    with pytest.raises(InputError, match="expected a matrix of floats"):
        read_table("x.npy")


def test_npy_damaged_pickled_or_alone() -> None:
    np.save("x.npy", np.ones((2, 2), dtype=np.float32))
    with pytest.raises(InputError, match=r"There is no file x\.words\.txt"):
        read_table("x.npy")
    Path("x.npy").write_bytes(Path("x.npy").read_bytes()[:-4])
    with pytest.raises(InputError, match="damaged"):
        read_table("x.npy")
    np.save("y.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="no plain array"):
        read_table("y.npy")
