from __future__ import annotations

import gzip
import lzma
import zipfile
from pathlib import Path

import pytest

from everyword.errors import InputError, UnknownNameError
from everyword.vectors import VectorTable, guess, read_table

from .wink_sample import npm_archive, wink_json

WORD2VEC = b"2 2\na 1 2\nb 3 4\n"
GLOVE = b"a 1 2\nb 3 4\n"
BINARY = b"1 2\na " + bytes(8)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (WORD2VEC, "word2vec"),
        (b"\xef\xbb\xbf" + WORD2VEC, "word2vec"),
        (b"2 2 \r\na 1 2 \r\nb 3 4 \r\n", "word2vec"),
        (BINARY, "word2vec-binary"),
        (GLOVE, "glove"),
        (b"\xef\xbb\xbf" + GLOVE, "glove"),
        (b"{ 1 2\n} 3 4\n", "glove"),
        (b"a " + b"0.25 " * 40_000 + b"\n", "glove"),
    ],
)
def test_first_bytes_decide(content: bytes, name: str, tmp_path: Path) -> None:
    path = tmp_path / "misleading.npy"
    path.write_bytes(content)
    assert guess(path).name == name
    assert read_table(path).words[0] in ("a", "{")


def test_wink_and_its_archive(tmp_path: Path, small_table: VectorTable) -> None:
    (tmp_path / "x.json").write_bytes(wink_json(small_table))
    npm_archive(tmp_path / "x.tgz", wink_json(small_table))
    for name in ("x.json", "x.tgz"):
        assert guess(tmp_path / name).name == "wink"
        table = read_table(tmp_path / name)
        assert table.words == small_table.words
        assert table.matrix.tobytes() == small_table.matrix.tobytes()


def test_fasttext(data: Path) -> None:
    assert guess(data / "skipgram.bin").name == "fasttext"


@pytest.mark.parametrize("content", [WORD2VEC, GLOVE, BINARY])
@pytest.mark.parametrize("container", ["gzip", "xz", "zip"])
def test_containers(content: bytes, container: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    if container == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("table.txt", content)
    else:
        path.write_bytes({"gzip": gzip.compress, "xz": lzma.compress}[container](content))
    (tmp_path / "plain").write_bytes(content)
    assert guess(path).name == guess(tmp_path / "plain").name
    assert read_table(path).matrix.tolist() == read_table(tmp_path / "plain").matrix.tolist()


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_cut_off_container(compress: object, tmp_path: Path) -> None:
    content = b"20000 2\n" + b"".join(f"w{row} {row}.5 {row * 7919 % 1000}\n".encode() for row in range(20_000))
    (tmp_path / "x").write_bytes(compress(content)[:-2000])  # type: ignore[operator]
    for lenient in (False, True):
        with pytest.raises(InputError, match="damaged or cut off"):
            read_table(tmp_path / "x", lenient=lenient)


def test_zip_with_several_members_names_them(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("one.txt", WORD2VEC)
        archive.writestr("two.txt", WORD2VEC)
    with pytest.raises(InputError, match=r"one\.txt, two\.txt"):
        guess(tmp_path / "x.zip")


def test_damaged_zip(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(InputError, match="damaged"):
        guess(tmp_path / "x.zip")


def test_tar_without_a_table(tmp_path: Path) -> None:
    npm_archive(tmp_path / "x.tgz", b"{}")
    with pytest.raises(InputError, match=r"no \.json file with vectors .*package/LICENSE"):
        guess(tmp_path / "x.tgz")


@pytest.mark.parametrize("format", [None, "word2vec", "glove", "word2vec-binary"])
def test_folder_missing_and_empty(format: str | None, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "empty.gz").write_bytes(gzip.compress(b""))
    for name, said in [("", "is a folder"), ("none", "There is no file"), ("empty", "is empty"), ("empty.gz", "empty")]:
        with pytest.raises(InputError, match=said):
            read_table(tmp_path / name, format=format)


def test_unknown_content_lists_the_formats(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"Once upon a time\n")
    with pytest.raises(InputError, match=r"Once upon.*word2vec, word2vec-binary, glove, fasttext, npy, wink, compact"):
        guess(tmp_path / "x")


@pytest.mark.parametrize("format", [None, "word2vec", "glove"])
def test_utf16_is_refused(format: str | None, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(WORD2VEC.decode().encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        read_table(tmp_path / "x", format=format)


def test_mistyped_format_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(GLOVE)
    with pytest.raises(UnknownNameError, match="did you mean 'glove'"):
        read_table(tmp_path / "x", format="glov")


@pytest.mark.parametrize("format", ["npy", "fasttext", "compact"])
def test_mapped_formats_must_be_unpacked(format: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(gzip.compress(GLOVE))
    with pytest.raises(InputError, match="unpack the file first"):
        read_table(tmp_path / "x", format=format)
