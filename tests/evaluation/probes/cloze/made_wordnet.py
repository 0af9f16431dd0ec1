"""A WordNet of a few words, in the form of the real files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

LICENCE = "  1 This line stands for the licence, which begins with blanks.  \n"
NOUNS = {
    # place: words, hypernyms
    100: (("entity",), ()),
    200: (("plant", "flora"), (100,)),
    300: (("fruit",), (200,)),
    400: (("berry",), (300,)),
    500: (("lingonberry", "cowberry"), (400,)),
    600: (("cranberry",), (400,)),
    700: (("Boysenberry",), (400,)),
    800: (("bush_berry", "berries"), (400,)),
    900: (("lingonberry",), (200,)),
}
SENSES = {"lingonberry": (500, 900)}


def write_wordnet(folder: Path) -> Path:
    folder.mkdir()
    below: dict[int, list[int]] = {}
    for place, (_, above) in NOUNS.items():
        for one in above:
            below.setdefault(one, []).append(place)
    data = [
        _synset(
            place,
            "n",
            words,
            [("@", one, "n", "0000") for one in above] + [("~", one, "n", "0000") for one in below.get(place, ())],
        )
        for place, (words, above) in NOUNS.items()
    ]
    _write(folder, "noun", data, _index("n", {word: _places(word) for words, _ in NOUNS.values() for word in words}))
    adjectives = [
        _synset(100, "a", ("wet",), [("!", 200, "a", "0101")]),
        _synset(200, "a", ("dry", "arid"), [("!", 100, "a", "0101"), ("&", 300, "a", "0000")]),
        _synset(300, "s", ("adust(a)",), [("&", 200, "a", "0000")]),
    ]
    places = {"wet": (100,), "dry": (200,), "arid": (200,), "adust": (300,)}
    _write(folder, "adj", adjectives, _index("a", places))
    return folder


def _places(word: str) -> tuple[int, ...]:
    return SENSES.get(word) or tuple(place for place, (words, _) in NOUNS.items() if word in words)


def _synset(place: int, pos: str, words: Sequence[str], pointers: Sequence[tuple[str, int, str, str]]) -> str:
    spelt = " ".join(f"{word} 0" for word in words)
    led = " ".join(f"{symbol} {to:08d} {kind} {ends}" for symbol, to, kind, ends in pointers)
    return f"{place:08d} 00 {pos} {len(words):02x} {spelt} {len(pointers):03d} {led} | a meaning; @ 9 x  \n"


def _index(pos: str, places: dict[str, tuple[int, ...]]) -> list[str]:
    return [
        f"{word.lower()} {pos} {len(at)} 1 @ {len(at)} 0 {' '.join(f'{one:08d}' for one in at)}  \n"
        for word, at in places.items()
    ]


def _write(folder: Path, name: str, data: Sequence[str], index: Sequence[str]) -> None:
    (folder / f"data.{name}").write_text(LICENCE + "".join(data))
    (folder / f"index.{name}").write_text(LICENCE + "".join(index))
