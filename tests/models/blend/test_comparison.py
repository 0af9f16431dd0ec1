from __future__ import annotations

import numpy as np
import pytest

from everyword.models.blend.comparison import FEATURES, LETTERS, WIDTH, LetterFeatures, compare
from everyword.models.retrieval.candidates import FAR, Candidates


def compared(word: str, known: str, distance: int = FAR) -> tuple[dict[str, float], list[tuple[int, int]]]:
    """Features of a pair that are not zero, and its pairs of letters."""
    one = np.array([0])
    comparison = compare(
        LetterFeatures.of([word]), LetterFeatures.of([known]), Candidates(one, one, np.array([distance]))
    )
    named = dict(zip(FEATURES, comparison.features[0].tolist(), strict=True))
    assert named.pop("commonness") == 1.5  # of the most frequent word
    return {name: value for name, value in named.items() if value}, [
        divmod(pair, LETTERS) for pair in comparison.letter_pairs[0].tolist()
    ]


def letters(first: str, second: str) -> tuple[int, int]:
    """A pair of letters as numbers; "-" is none and "*" anything but a to z."""
    return tuple({"-": 0, "*": LETTERS - 1}.get(letter, ord(letter) - ord("a") + 1) for letter in (first, second))


PAIRS = {
    "swapped letters": (
        ("recieve", "receive", 1),
        {
            "one edit": 1,
            "shared beginning": 3 / 7,
            "shared end": 2 / 7,
            "shared in all": 5 / 7,
            "rest of the word": 0.5,
            "rest of the candidate": 0.5,
            "length": -0.3,
            "same letters": 1,
            "sounds alike": 1,
        },
        [letters("i", "e"), letters("e", "i"), letters("c", "i")],
    ),
    "a doubled letter": (
        ("bann", "ban", 1),
        {
            "one edit": 1,
            "shared beginning": 3 / 4,
            "shared in all": 3 / 4,
            "rest of the word": 0.25,
            "difference in length": 0.25,
            "length": -0.6,
            "ends differ": 1,
            "doubled letter in the word": 1,
            "letters too many": 1,
            "candidate begins the word": 1,
            "sounds alike": 1,
        },
        [letters("n", "-"), letters("n", "n"), letters("n", "n")],
    ),
    "the word is a prefix": (
        ("ban", "banly", 2),
        {
            "two edits": 1,
            "shared beginning": 3 / 5,
            "shared in all": 3 / 5,
            "rest of the candidate": 0.5,
            "difference in length": -0.5,
            "length": -0.7,
            "ends differ": 1,
            "letters left out": 1,
            "word begins the candidate": 1,
        },
        [letters("-", "l"), letters("n", "y"), letters("n", "-")],
    ),
    "the candidate is the end": (
        ("undatable", "datable", 2),
        {
            "two edits": 1,
            "shared end": 7 / 9,
            "shared in all": 7 / 9,
            "rest of the word": 0.5,
            "difference in length": 0.5,
            "length": -0.1,
            "beginnings differ": 1,
            "letters too many": 1,
            "candidate ends the word": 1,
        },
        [letters("u", "d"), letters("n", "-"), letters("-", "u")],
    ),
    "a letter replaced": (
        ("cat", "cut", 1),
        {
            "one edit": 1,
            "shared beginning": 1 / 3,
            "shared end": 1 / 3,
            "shared in all": 2 / 3,
            "rest of the word": 0.25,
            "rest of the candidate": 0.25,
            "length": -0.7,
            "sounds alike": 1,
        },
        [letters("a", "u"), letters("a", "u"), letters("c", "a")],
    ),
    "one letter each": (
        ("a", "b", 1),
        {
            "one edit": 1,
            "rest of the word": 0.25,
            "rest of the candidate": 0.25,
            "length": -0.9,
            "beginnings differ": 1,
            "ends differ": 1,
        },
        [letters("a", "b"), letters("a", "b"), letters("-", "a")],
    ),
    "what is beyond the width does not count": (
        ("a" * (WIDTH + 6), "a" * WIDTH + "b", FAR),
        {
            "further": 1,
            "shared beginning": 1,
            "shared in all": 1,
            "length": WIDTH / 10 - 1,
            "ends differ": 1,
            "same letters": 1,
            "candidate begins the word": 1,
            "word begins the candidate": 1,
        },
        [letters("-", "-"), letters("a", "a"), letters("a", "-")],
    ),
    "letters of other scripts look alike": (
        ("слово", "слева", 2),
        {
            "two edits": 1,
            "shared beginning": 1,
            "shared in all": 1,
            "length": -0.5,
            "ends differ": 1,
            "same letters": 1,
            "candidate begins the word": 1,
            "word begins the candidate": 1,
        },
        [letters("-", "-"), letters("*", "*"), letters("*", "-")],
    ),
}


@pytest.mark.parametrize(("pair", "features", "letter_pairs"), PAIRS.values(), ids=PAIRS)
def test_what_the_gate_sees(
    pair: tuple[str, str, int], features: dict[str, float], letter_pairs: list[tuple[int, int]]
) -> None:
    seen, pairs = compared(*pair)
    assert seen == {name: pytest.approx(value, abs=1e-6) for name, value in features.items()}
    assert pairs == letter_pairs


def test_rarer_words_are_less_common() -> None:
    rows = np.array([0, 90, 9990, 99_990])
    known = LetterFeatures.of(["x"] * 100_000)
    comparison = compare(
        LetterFeatures.of(["x"]), known, Candidates(np.zeros(4, dtype=np.int64), rows, np.ones(4, dtype=np.int64))
    )
    np.testing.assert_allclose(comparison.features[:, FEATURES.index("commonness")], [1.5, 1, 0, -0.5], atol=1e-6)


def test_words_are_spelt_from_both_ends() -> None:
    spelt = LetterFeatures.of(["ab", "", "é9"])
    assert spelt.forwards[:, :3].tolist() == [[1, 2, 0], [0, 0, 0], [27, 27, 0]]
    assert spelt.backwards[:, :3].tolist() == [[2, 1, 0], [0, 0, 0], [27, 27, 0]]
    assert spelt.lengths.tolist() == [2, 0, 2]
    assert LetterFeatures.of(["listen"]).bags == LetterFeatures.of(["silent"]).bags
