"""The tokens of a text: words, contractions, numbers, addresses, hashtags and handles, emoji, emoticons.

Punctuation is left out. A hyphenated word, a contraction, an abbreviation with dots, a number with its unit, an address
and a row of emoji are one token each; terms of several words are found afterwards, among those that a model stores.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from everyword.text.word_pattern import MARKS

_LETTER, _INNER = r"[^\W\d_]", rf"[\w{MARKS}]"
_MARK = r"[-'’&+]|\.(?=[a-z\d])"
_ADDRESS = r"""[^\s<>"]*[^\s<>".,;:!?'()\[\]{}…’”]"""
_EMOJI = "\u2190-\u2bff\U0001f000-\U0001fbff"
TOKEN = re.compile(
    "|".join(
        (
            rf"(?:{_LETTER}{{1,2}}\.){{2,8}}(?!\w)",  # U.S., e.g., Ph.D.
            rf"www\.{_ADDRESS}",
            # don't, e-mail, node.js, C++; me@example.org; https://example.org
            rf"{_LETTER}{_INNER}*(?:(?:{_MARK})[^\W_]{_INNER}*)*(?:[+#]+|@[\w-]+(?:\.[\w-]+)+|://{_ADDRESS})?",
            rf"[$€£¥₹]?\d+(?:[.,:/-]\d+)*(?:{_LETTER}\w*|[%°€£¥₹]{_LETTER}?)?",  # 42, 3,000.50, 12:30, 5kg, $3m, 20%
            r"[#@]\w+",
            r"[:;=]['-]?[)(DPpOo/|*]+(?!\w)|<3(?!\w)",  # emoticons
            rf"[{_EMOJI}][{_EMOJI}\u200d\ufe0f\u20e3\U000e0020-\U000e007f]*",
        )
    )
)

PLAIN = re.compile("[A-Za-z ,]+[.!?]?")
"""A sentence of nothing but words: cut at its spaces and commas, three times as fast."""

_WITH_MARKS = re.compile(rf"{TOKEN.pattern}|\S")


class TokenSpan(NamedTuple):
    """A token and where it stands: `text[begin:end]`."""

    text: str
    begin: int
    end: int


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text in order, as they are written.

    >>> tokens_of("I don't e-mail Dr. Wu's U.S. office at 5:30pm… see http://a.org/b. #sad 😢")
    ['I', "don't", 'e-mail', 'Dr', "Wu's", 'U.S.', 'office', 'at', '5:30pm', 'see', 'http://a.org/b', '#sad', '😢']
    """
    if PLAIN.fullmatch(text):
        return text.rstrip(".!?").replace(",", " ").split()
    return TOKEN.findall(text)


def token_spans(text: str) -> list[TokenSpan]:
    """Return the same tokens with their places.

    >>> token_spans("Hi, you")
    [TokenSpan(text='Hi', begin=0, end=2), TokenSpan(text='you', begin=4, end=7)]
    """
    return [TokenSpan(found[0], *found.span()) for found in TOKEN.finditer(text)]


def words_and_marks(text: str) -> list[TokenSpan]:
    """Return all tokens of a text with their places, punctuation included, each mark by itself.

    >>> [token.text for token in words_and_marks("Hi, U.S. (1999)!")]
    ['Hi', ',', 'U.S.', '(', '1999', ')', '!']
    """
    return [TokenSpan(found[0], *found.span()) for found in _WITH_MARKS.finditer(text)]
