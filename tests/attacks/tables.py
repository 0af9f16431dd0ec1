"""Hostile tables of vectors, in every format and every wrapping."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import numpy as np
import zstandard

from everyword.vectors.formats.fasttext_file import ARGUMENTS, DICTIONARY, ENTRY_TAIL, MAGIC, MATRIX

from .maker import Maker, content

GZIP_HEADER = b"\x1f\x8b\x08" + b"\0" * 7
MILLION_MILLION = 10**12
NAN = float("nan")


def gzip_bomb(head: bytes, filling: bytes) -> bytes:
    """A gigabyte or more that takes a megabyte: after the head, one filling for ever."""
    packer = zlib.compressobj(9, wbits=-15)
    begun = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    repeated = packer.compress(filling * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return GZIP_HEADER + begun + repeated * 1024


def zstd_bomb(head: bytes) -> bytes:
    """Eight gigabytes in a quarter of a megabyte: blocks that say "this byte, 128 kilobytes long"."""
    frame = zstandard.ZstdCompressor(write_content_size=False, write_checksum=False).compress(head)
    begun = frame[:6] + (len(head) << 3).to_bytes(3, "little") + head  # magic, descriptor, window; a raw block
    repeated = (((1 << 17) << 3) | 0b010).to_bytes(3, "little") + b"a"
    return begun + repeated * (1 << 16)


def xz_with_dictionary_of_gigabytes(text: bytes) -> bytes:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": (1 << 29)}]
    return lzma.compress(text, format=lzma.FORMAT_XZ, filters=filters)


def zip_of(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", method) as archive:
        for name, raw in members.items():
            archive.writestr(zipfile.ZipInfo(name), raw, method)
    return written.getvalue()


def locked_zip() -> bytes:
    """A member that says it is encrypted."""
    raw = bytearray(zip_of({"a.vec": b"1 1\na 1\n"}))
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    return bytes(raw)


def zip_with_negative_offset() -> bytes:
    """A directory that lies before the file begins."""
    raw = bytearray(zip_of({"a.vec": b"1 1\na 1\n"}))
    place = raw.index(b"PK\x05\x06")
    raw[place + 16 : place + 20] = struct.pack("<I", 0xFFFFFF00)
    return bytes(raw)


def tar_of_links(folder: Path) -> Path:
    with tarfile.open(folder / "x.tgz", "w:gz") as archive:
        link = tarfile.TarInfo("package/vectors.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("../../outside.json"))
    return folder / "x.tgz"


def fasttext(
    *,
    dim: int = 2,
    longest: int = 3,
    entries: int = 1,
    words: int = 1,
    shape: tuple[int, int] = (2, 2),
    spelling: bytes = b"ban",
    floats: bytes = b"\0" * 16,
) -> bytes:
    """A fastText model whose numbers may lie."""
    arguments = ARGUMENTS.pack(dim, 5, 5, 5, 5, 1, 2, 2, 1, 3, longest, 100, 1e-4)
    entry = spelling + b"\0" + ENTRY_TAIL.pack(1, 0)
    matrix = b"\0" + MATRIX.pack(*shape)
    begun = struct.pack("<2i", MAGIC, 12) + arguments + DICTIONARY.pack(entries, words, 0, 1, -1)
    return begun + entry + matrix + floats


def npy(header: str, data: bytes = b"") -> Maker:
    def make(folder: Path) -> Path:
        text = header.encode() + b"\n"
        magic = b"\x93NUMPY\x02\x00" + struct.pack("<I", len(text))
        (folder / "x.npy").write_bytes(magic + text + data)
        (folder / "x.words.txt").write_text("a\nb\n")
        return folder / "x.npy"

    return make


def npy_header(kind: str = "'<f4'", shape: str = "(2, 2)", fortran: bool = False) -> str:
    return f"{{'descr': {kind}, 'fortran_order': {fortran}, 'shape': {shape}, }}"


def pickled_npy(folder: Path) -> Path:
    np.save(folder / "x.npy", np.array([{}, {}], dtype=object), allow_pickle=True)
    (folder / "x.words.txt").write_text("a\nb\n")
    return folder / "x.npy"


def words_from_a_device(folder: Path) -> Path:
    np.save(folder / "x.npy", np.ones((2, 2), dtype=np.float32))
    (folder / "x.words.txt").symlink_to("/dev/zero")
    return folder / "x.npy"


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "x.vec")
    return folder / "x.vec"


def device(folder: Path) -> Path:
    (folder / "x.vec").symlink_to("/dev/zero")
    return folder / "x.vec"


def record(word: bytes, *numbers: float) -> bytes:
    return word + b" " + struct.pack(f"<{len(numbers)}f", *numbers)


WINK = b'{"size":1,"dimensions":%s,"words":["a"],"vectors":{"%s":[1,2,3,0]}}'
TABLES = {
    "word2vec: a million million words": content(b"1000000000000 2\na 1 2\n"),
    "word2vec: dimension 0": content(b"1 0\na\n"),
    "word2vec: dimension -1": content(b"1 -2\na 1 2\n"),
    "word2vec: dimension 10^9": content(b"1 1000000000\na 1 2\n"),
    "word2vec: a count of 5,000 digits": content(b"9" * 5000 + b" 2\na 1 2\n"),
    "word2vec: a dimension of 5,000 digits": content(b"2 " + b"9" * 5000 + b"\na 1 2\n"),
    "word2vec: NaN": content(b"1 2\na nan 1\n"),
    "word2vec binary: a million million words": content(b"1000000000000 2\n" + record(b"a", 1, 2)),
    "word2vec binary: dimension 10^9": content(b"1 1000000000\n" + record(b"a", 1, 2)),
    "word2vec binary: infinity": content(b"1 2\n" + record(b"a", 1, float("inf"))),
    "word2vec binary: a word without end": content(gzip_bomb(b"1 1\n\0 \0\0\0\0", b"a"), "x.bin.gz"),
    "glove: one endless line, gzipped": content(gzip_bomb(b"a 1 2\n", b"b")),
    "glove: a first line without end": content(gzip_bomb(b"a 1", b" 1")),
    "glove: endless empty lines": content(gzip_bomb(b"a 1 2\n", b"\n")),
    "word2vec: an endless line, Zstandard": content(zstd_bomb(b"1 1\na 1\n")),
    "word2vec: xz cut off": content(lzma.compress(b"2 1\na 1\nb 2\n" * 50)[:-20]),
    "word2vec: xz with a dictionary of half a gigabyte": content(xz_with_dictionary_of_gigabytes(b"1 1\na 1\n")),
    "gzip: cut off": content(gzip.compress(b"2 1\na 1\nb 2\n" * 50)[:-9]),
    "gzip: nothing but the mark": content(b"\x1f\x8b"),
    "zip: a member outside, and a second one": content(zip_of({"../outside.vec": b"1 1\na 1\n", "b": b""})),
    "zip: a bomb": content(zip_of({"x.vec": b"1 1\n" + b"a" * (1 << 25)})),
    "zip: encrypted": content(locked_zip()),
    "zip: packed by an unknown method": content(zip_of({"a": b""}).replace(b"\x14\0\0\0\x08\0", b"\x14\0\0\0\x63\0")),
    "zip: a directory before the file": content(zip_with_negative_offset()),
    "tar: links that lead outside": tar_of_links,
    "fastText: dimension 10^9": content(fasttext(dim=10**9, shape=(2, 10**9))),
    "fastText: a matrix of 10^18 rows": content(fasttext(shape=(10**18, 2))),
    "fastText: two thousand million entries": content(fasttext(entries=2**31 - 1, words=2**31 - 1)),
    "fastText: negative numbers": content(fasttext(entries=-1, words=-1, shape=(-1, 2))),
    "fastText: n-grams of any length of a long word": content(fasttext(longest=2**31 - 1, spelling=b"a" * 60_000)),
    "fastText: a word without end": content(fasttext(spelling=b"a" * (1 << 21))),
    "fastText: NaN": content(fasttext(floats=struct.pack("<4f", NAN, NAN, NAN, NAN))),
    "npy: pickled objects": pickled_npy,
    "npy: a million million rows": npy(npy_header(shape=f"({MILLION_MILLION}, 2)")),
    "npy: a dimension of 10^12": npy(npy_header(shape=f"(0, {MILLION_MILLION})")),
    "npy: a negative shape": npy(npy_header(shape="(-1, 2)"), b"\0" * 16),
    "npy: Fortran order, and a shape that overflows": npy(npy_header(shape=f"({2**62}, {2**62})", fortran=True)),
    "npy: no numbers at all": npy(npy_header(kind="'|S4'"), b"\0" * 16),
    "npy: records instead of numbers": npy(npy_header(kind="[('a', '<f4'), ('b', 'O')]"), b"\0" * 64),
    "npy: a header of brackets": npy("[" * 9000 + "]" * 9000),
    "npy: a header that is a program": npy("__import__('os').system('true')"),
    "npy: NaN": npy(npy_header(), struct.pack("<4f", NAN, 1, 1, 1)),
    "npy: words from a device": words_from_a_device,
    "wink: dimension 10^9": content(WINK % (b"1000000000", b"a")),
    "wink: a dimension of 5,000 digits": content(WINK % (b"9" * 5000, b"a")),
    "wink: a word without end": content(gzip_bomb(b'{"size":1,"dimensions":1,"words":[],"vectors":{"', b"a")),
    "wink: a preamble without end": content(gzip_bomb(b'{"dimensions":1,"words":["', b"a")),
    "wink: half a character": content(WINK % (b"2", b"\\ud800")),
    "a pipe": pipe,
    "a device": device,
}  # fmt: skip
