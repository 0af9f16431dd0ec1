"""Texts in files: every form gives the same rows, from any place on; what cannot be used is told in one sentence."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everyword.corpus.columns.column import opened
from everyword.corpus.columns.files import FileIdentity, find_files
from everyword.corpus.columns.records import Record, Survey, Wanted
from everyword.errors import InputError

from .written import FORMS, write

TEXTS = [f'text {number}, "é" {"x" * number}' if number % 5 else "" for number in range(40)]


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def survey(location: str, wanted: Wanted | None = None, step: int = 6) -> Survey:
    with opened(location, wanted or Wanted()) as column:
        return column.survey(step)


def read(location: str, first: int, rows: int, wanted: Wanted | None = None) -> list[Record]:
    wanted = wanted or Wanted()
    with opened(location, wanted) as column:
        return list(column.read(first, rows, column.survey(6)))


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("prefix", ["", "file://"])
def test_every_form_gives_the_same_rows(name: str, prefix: str) -> None:
    location = prefix + str(write(Path(name), TEXTS).resolve())

    assert survey(location).rows == len(TEXTS)
    for first, rows in [(0, 40), (0, 1), (13, 20), (39, 1), (6, 6)]:
        found = read(location, first, rows)
        assert [record.text for record in found] == TEXTS[first : first + rows]
        assert [record.row for record in found] == [*range(first, first + rows)]


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.csv.xz", "a.txt.zst", "a.parquet", "a.txt"])
def test_a_file_is_read_forwards_and_backwards(name: str) -> None:
    write(Path(name), TEXTS)
    with opened(name, Wanted()) as column:
        found = column.survey(6)
        for first in (30, 31, 2, 14, 14):
            assert [record.text for record in column.read(first, 3, found)] == TEXTS[first : first + 3]


def test_values_are_kept_as_whole_numbers_or_as_they_come() -> None:
    for name, value, whole in [("a.jsonl", 3, True), ("a.parquet", 3, True), ("a.csv", "3", False)]:
        write(Path(name), TEXTS)
        wanted = Wanted(keep=("id",))
        assert survey(name, wanted).whole_numbers == (whole,)
        assert read(name, 3, 1, wanted)[0].kept == (value,)
    Path("b.jsonl").write_text('{"text": "", "id": 1}\n{"text": "", "id": true}\n')
    assert survey("b.jsonl", Wanted(keep=("id",))).whole_numbers == (False,)


def test_cells_may_hold_line_ends_and_separators() -> None:
    write(Path("a.csv"), texts := ['a, "b"\nc', "d\r\ne", "f"])
    Path("b.csv").write_bytes(b"\xef\xbb\xbftext,id\n\none,1\n\ntwo\n")
    Path("c.csv").write_text("id,text\n1,a\n2\n")

    assert [record.text for record in read("a.csv", 0, 3)] == texts
    assert [record.text for record in read("b.csv", 0, 3)] == ["one", "two"]
    assert [record.text for record in read("c.csv", 0, 2, Wanted(missing_is_empty=True))] == ["a", ""]


def test_blank_lines_are_texts_of_plain_text_only() -> None:
    Path("a.txt").write_text("one\n\nthree")
    Path("a.jsonl").write_text('{"text": "one"}\n\n  \n{"text": "two"}')

    assert [record.text for record in read("a.txt", 0, 3)] == ["one", "", "three"]
    assert [record.text for record in read("a.jsonl", 0, 2)] == ["one", "two"]


@pytest.mark.parametrize("name", FORMS)
def test_an_empty_file_has_no_rows(name: str) -> None:
    write(Path(name), [])
    assert survey(name).rows == 0
    if name != "a.parquet":
        Path(name).write_bytes(b"")
        assert survey(name).rows == 0


MISSING = "has no text in 'text', but {}; fix this row, or take such texts as empty by --on-missing empty"
BAD = {
    "null.jsonl": ('{"text": "a"}\n{"text": null}\n', r"row 1 \(the first is 0\) " + MISSING.format("None")),
    "nan.jsonl": ('{"text": NaN}\n', "row 0 .* " + MISSING.format("nan")),
    "absent.jsonl": ('{"text": "a"}\n{"id": 1}\n', "row 1 .* " + MISSING.format("None")),
    "field.jsonl": ('{"id": 1, "txt": "a"}\n', "has no column 'text' .*did you mean 'txt'.* Its columns: id, txt"),
    "number.jsonl": (
        '{"text": 3.5}\n',
        r"row 0 .* should have a text in 'text'\. Got 3.5 instead; name another column",
    ),
    "list.jsonl": ('["a"]\n', "row 0 .* should be a JSON object on a line of its own. Got '"),
    "broken.jsonl": ('{"text": "a"}\n{"text"\n', "row 1 .* should be a JSON object"),
    "deep.jsonl": ("[" * 100_000, "row 0 .* should be a JSON object"),
    "latin.jsonl": (b'{"text": "a"}\n{"text": "\xe9"}\n', "the line at byte 14 is not UTF-8 text; convert"),
    "latin.txt": (b"a\n\xe9\n", "the line at byte 2 is not UTF-8 text; convert"),
    "latin.csv": (b"text\n\xe9\n", "the line at byte 5 is not UTF-8 text"),
    "column.csv": ("id,body\n1,a\n", r"has no column 'text' \(--column\); choose from body, id\."),
    "wide.csv": ("id,text\n1,a,b\n", "row 0 .* has 3 cells for 2 columns; put quotes"),
    "short.tsv": ("id\ttext\n1\n", "row 0 .* " + MISSING.format("None")),
    "cut.txt.gz": (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "damaged or cut off|cannot be read"),
    "cut.jsonl.bz2": (b"BZh91AY&SYxxxxxxxxxx", "damaged or cut off|cannot be read"),
    "cut.csv.xz": (b"\xfd7zXZ\x00\x00\x04", "damaged or cut off|cannot be read"),
    "cut.txt.zst": (b"\x28\xb5\x2f\xfd\x04", "damaged or cut off|cannot be read"),
    "not.parquet": (b"PAR1 and no more", "the Parquet file is damaged or cut off"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_told(name: str) -> None:
    content, message = BAD[name]
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(InputError, match=message) as told:
        survey(name)
    assert name in str(told.value)


def test_parquet_names_what_is_wrong_with_a_column() -> None:
    table = {"text": ["a", None], "number": [1.5, float("nan")], "dates": [None, None], "body": ["b", "c"]}
    pq.write_table(pa.table(table), "a.parquet")
    for column, message in [
        ("text", r"a\.parquet: row 1 .* " + MISSING.format("None")),
        ("number", r"the column 'number' should hold texts\. Got double instead"),
        ("dates", "row 0 .* has no text in 'dates'"),
        ("bodies", "has no column 'bodies' .*did you mean 'body'"),
        ("x", "choose from body, dates, number, text"),
    ]:
        with pytest.raises(InputError, match=message):
            survey("a.parquet", Wanted(column))
    with pytest.raises(InputError, match=r"has no column 'ids' \(--keep\)"):
        survey("a.parquet", Wanted("body", ("ids",)))
    assert [record.text for record in read("a.parquet", 0, 2, Wanted("dates", (), True))] == ["", ""]
    packed = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), pa.array(["x", "y"]))
    pq.write_table(pa.table({"text": packed}), "b.parquet")
    assert [record.text for record in read("b.parquet", 1, 2)] == ["y", "x"]


def test_texts_of_parquet_that_are_not_utf8_are_refused() -> None:
    bad = pa.array([b"a", b"\xe9"]).view(pa.string())
    pq.write_table(pa.table({"text": bad}), "a.parquet")

    with pytest.raises(InputError, match=r"the texts from row 0 on .* are not UTF-8"):
        survey("a.parquet")


def test_half_a_character_in_json_is_replaced() -> None:
    Path("a.jsonl").write_text(r'{"text": "a \ud83d é"}')
    assert read("a.jsonl", 0, 1)[0].text == "a \ufffd é"


def test_a_text_of_megabytes_is_read_and_a_file_without_line_ends_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.csv", "a.jsonl", "a.txt"):
        write(Path(name), ["long " * 400_000, "b"])
        assert len(read(name, 0, 1)[0].text or "") == 2_000_000
    monkeypatch.setattr("everyword.corpus.columns.lines.LONGEST_ROW", 1000)
    with pytest.raises(InputError, match="has a line of more than 1,000 bytes; break it into lines"):
        survey("a.txt")
    with pytest.raises(InputError, match="columns; --keep is for files that have them"):
        survey("a.txt", Wanted(keep=("id",)))


def test_files_are_found() -> None:
    for name in ("b/a.txt", "b/c/a.csv.gz", "b/.hidden/a.txt", "b/_x.txt", "b/note.doc", "b/out/part.txt", "z.jsonl"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(b"")

    assert find_files(["b"], leave_out=Path("b/out")) == ["b/a.txt", "b/c/a.csv.gz"]
    assert find_files(["b/*.txt", "z.jsonl"]) == ["b/_x.txt", "b/a.txt", "z.jsonl"]
    assert find_files(["b/**/*.csv*"]) == ["b/c/a.csv.gz"]
    here = f"file://{Path.cwd()}"
    assert find_files([f"{here}/b"]) == [f"{here}/b/{name}" for name in ("a.txt", "c/a.csv.gz", "out/part.txt")]
    assert find_files([f"{here}/b/*.gz"]) == [f"{here}/b/c/a.csv.gz"]
    assert find_files([f"{here}/z.jsonl"]) == [f"{here}/z.jsonl"]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([], "At least one file of texts is needed"),
        (["empty"], r"empty has no file that can be read; give files with the suffixes \.parquet \.jsonl"),
        (["*.csv"], r"\*\.csv has no file that can be read"),
        (["missing.txt"], "There is no file missing.txt; check the path"),
        (["a.doc"], "a.doc: what it holds is not clear from the name"),
        (["a.txt", "a.txt"], "a.txt is given twice"),
        (["nowhere://x/a.txt"], "is not an address that can be read"),
    ],
)
def test_what_is_not_there_is_told(inputs: list[str], message: str) -> None:
    Path("empty").mkdir()
    for name in ("a.doc", "a.txt"):
        Path(name).write_bytes(b"")

    with pytest.raises(InputError, match=message):
        find_files(inputs)


@pytest.mark.parametrize("name", ["a.txt", "a.parquet"])
def test_a_file_is_the_same_while_its_content_is(name: str) -> None:
    write(Path(name), TEXTS)
    identity = FileIdentity.of(name)
    assert identity == FileIdentity(**json.loads(json.dumps(vars(identity))))

    os.utime(name, ns=(1, 1))
    assert identity.still_holds(name)
    content = Path(name).read_bytes()
    Path(name).write_bytes(content.replace(b"text 1", b"text 2"))
    assert not identity.still_holds(name)
    Path(name).write_bytes(content + b"x")
    assert not identity.still_holds(name)
