"""Changes of a seed that come out the same every time, for machines without Atheris."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

TELLING = (b"\0", b"\xff" * 8, b"\x7f\xff\xff\xff", b"\n", b" ", b'"', b"9" * 20, b"-1", b"nan", b"[[", b"{}")


def mutations(seed: bytes, number: int) -> Iterator[bytes]:
    """The seed with one to four things done to it, again and again."""
    rng = Random(len(seed))
    for _ in range(number):
        data = bytearray(seed)
        for _ in range(rng.randint(1, 4)):
            _change(data, rng)
        yield bytes(data)


def _change(data: bytearray, rng: Random) -> None:
    place = rng.randrange(len(data) + 1)
    length = rng.randint(1, 8)
    what = rng.randrange(5)
    if what == 0:
        del data[place : place + length]
    elif what == 1:
        data[place : place + length] = rng.choice(TELLING)
    elif what == 2:
        data[place:place] = data[place : place + length]
    elif what == 3:
        data[place : place + 1] = rng.randbytes(1)
    else:
        del data[place:]
