from __future__ import annotations

import pytest

from everyword.errors import InputError
from everyword.space.expression import DEEPEST, combine, words_of


class Shown:
    """Shows how an expression was read."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __and__(self, other: Shown) -> Shown:
        return Shown(f"({self.text} & {other.text})")

    def __or__(self, other: Shown) -> Shown:
        return Shown(f"({self.text} | {other.text})")

    def __sub__(self, other: Shown) -> Shown:
        return Shown(f"({self.text} - {other.text})")

    def __invert__(self) -> Shown:
        return Shown(f"~{self.text}")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("computer", "computer"),
        ("computer & power", "(computer & power)"),
        ("a&b|c", "((a & b) | c)"),
        ("a | b & c - d", "(a | (b & (c - d)))"),
        ("a - b - c", "((a - b) - c)"),
        ("~a & ~(b | c)", "(~a & ~(b | c))"),
        ("well-known & state-of-the-art", "(well-known & state-of-the-art)"),
        ("a -b", "(a - b)"),
        ("(a)-b", "(a - b)"),
        ("'new york' & \"rock 'n' roll\"", "(new york & rock 'n' roll)"),
        ('don\'t & "a & b"', "(don't & a & b)"),
        ("  Tōkyō  |  São-Paulo  ", "(Tōkyō | São-Paulo)"),
        ("__import__('os')", None),
    ],
)
def test_operators_bind_as_in_python(expression: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(InputError, match="at character 11, there is no operator before '\\('"):
            combine(expression, Shown)
    else:
        assert combine(expression, Shown).text == expected


@pytest.mark.parametrize(
    ("expression", "place", "problem"),
    [
        ("", 1, "the expression ends where a word is needed"),
        ("a &", 4, "the expression ends where a word is needed"),
        ("& a", 1, "there is '&' where a word is needed"),
        ("a & | b", 5, "there is '|' where a word is needed"),
        ("- a", 1, "there is '-' where a word is needed"),
        ("computer power", 10, "there is no operator before 'power'; put one, or quotes around"),
        ("(a & b", 1, "this ( is never closed"),
        ("a & b)", 6, "there is no ( for this )"),
        ("a & 'new york", 5, "the quote ' is never closed"),
        ("a & ''", 5, "there is nothing between the quotes"),
        ("~" * 40 + "a", 31, f"brackets and ~ are nested more than {DEEPEST} deep"),
    ],
)
def test_errors_tell_the_place(expression: str, place: int, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        combine(expression, Shown)
    assert str(caught.value).startswith(f"The expression cannot be read: at character {place}, {problem}")


def test_a_very_long_expression_is_refused() -> None:
    with pytest.raises(InputError, match=r"may have 1,000 characters\. Got 2,001"):
        combine("a&" * 1000 + "a", Shown)


def test_the_words_of_an_expression() -> None:
    assert words_of("(rose | 'sea blue') - well-known") == ["rose", "sea blue", "well-known"]
