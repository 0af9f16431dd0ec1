"""Words joined by set operators, as text: "(rose | violet) & ~colour".

The operators are those of Python, in their order: ~ (not) binds closest, then - (without), & (and), | (or). A hyphen
inside a word belongs to it, so - needs a blank, a bracket or a quote before it. Quotes hold terms of several words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from everyword.errors import InputError

MOST_CHARACTERS = 1000
DEEPEST = 30
OPERATORS = "&|~()-"
QUOTES = "\"'"
WORD = re.compile(r"[^\s&|~()\"]+")
"""Hyphens and apostrophes inside a word belong to it."""


C = TypeVar("C")
"""What the operators join: anything with &, |, - and ~."""


class Token(NamedTuple):
    """A word or an operator, and where it begins, from 1."""

    kind: str
    text: str
    place: int


def combine(expression: str, look_up: Callable[[str], C]) -> C:
    """Evaluate an expression; `look_up` returns what a word stands for.

    >>> combine("(3 | 4) & ~1", int)
    6
    """
    found: C = _Reader(expression, look_up).whole()
    return found


def words_of(expression: str) -> list[str]:
    """Return the words of an expression in their order."""
    return [token.text for token in _tokens(expression) if token.kind == "word"]


class _Reader:
    def __init__(self, expression: str, look_up: Callable[[str], Any]) -> None:
        self.tokens, self.look_up = _tokens(expression), look_up
        self.next, self.depth = 0, 0

    def whole(self) -> Any:
        found = self.union()
        token = self.tokens[self.next]
        if token.text == ")":
            raise _error(token, "there is no ( for this )")
        if token.kind != "end":
            raise _error(
                token, f"there is no operator before {token.text!r}; put one, or quotes around a term of several words"
            )
        return found

    def union(self) -> Any:
        found = self.intersection()
        while self.take("|"):
            found = found | self.intersection()
        return found

    def intersection(self) -> Any:
        found = self.difference()
        while self.take("&"):
            found = found & self.difference()
        return found

    def difference(self) -> Any:
        found = self.single()
        while self.take("-"):
            found = found - self.single()
        return found

    def single(self) -> Any:
        token = self.tokens[self.next]
        self.depth += 1
        if self.depth > DEEPEST:
            raise _error(token, f"brackets and ~ are nested more than {DEEPEST} deep")
        if self.take("~"):
            found = ~self.single()
        elif self.take("("):
            found = self.union()
            if not self.take(")"):
                raise _error(token, "this ( is never closed")
        elif token.kind == "word":
            self.next += 1
            found = self.look_up(token.text)
        else:
            what = "the expression ends" if token.kind == "end" else f"there is {token.text!r}"
            raise _error(token, f"{what} where a word is needed")
        self.depth -= 1
        return found

    def take(self, operator: str) -> bool:
        token = self.tokens[self.next]
        fits = token.kind == "operator" and token.text == operator
        self.next += fits
        return fits


def _tokens(expression: str) -> Sequence[Token]:
    if len(expression) > MOST_CHARACTERS:
        raise InputError(f"An expression may have {MOST_CHARACTERS:,} characters. Got {len(expression):,}; shorten it.")
    tokens, place = [], 0
    while place < len(expression):
        first = expression[place]
        if first in OPERATORS:
            tokens.append(Token("operator", first, place + 1))
            place += 1
        elif first in QUOTES:
            tokens.append(_quoted(expression, place))
            place = expression.index(first, place + 1) + 1
        elif found := WORD.match(expression, place):
            tokens.append(Token("word", found[0], place + 1))
            place = found.end()
        else:
            place += 1
    return [*tokens, Token("end", "", len(expression) + 1)]


def _quoted(expression: str, place: int) -> Token:
    text, closed, _ = expression[place + 1 :].partition(expression[place])
    token = Token("word", text.strip(), place + 1)
    if not closed:
        raise _error(token, f"the quote {expression[place]} is never closed")
    if not token.text:
        raise _error(token, "there is nothing between the quotes")
    return token


def _error(token: Token, problem: str) -> InputError:
    return InputError(f"The expression cannot be read: at character {token.place}, {problem}.")
