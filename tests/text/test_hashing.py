from __future__ import annotations

import pytest

from everyword.text.hashing import fnv1a

# From the test suite that Fowler, Noll and Vo published with the hash.
PUBLISHED = {
    b"": 0x811C9DC5,
    b"a": 0xE40C292C,
    b"b": 0xE70C2DE5,
    b"f": 0xE30C2799,
    b"fo": 0x6222E842,
    b"foo": 0xA9F37ED7,
    b"foob": 0x3F5076EF,
    b"fooba": 0x39AAA18A,
    b"foobar": 0xBF9CF968,
    b"a\0": 0x2B24D044,
    b"chongo was here!\n": 0xD49930D5,
    b"\xff\x00\x00\x01": 0xC48FB86D,
}


@pytest.mark.parametrize(("data", "value"), PUBLISHED.items())
def test_the_hash_gives_the_published_values(data: bytes, value: int) -> None:
    assert fnv1a(data) == value
