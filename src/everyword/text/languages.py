"""Languages by their codes, and capitals that become other small letters in some of them than elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja
jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb
nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq
sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
CODES = frozenset(_CODES.split())
"""The languages of two letters in ISO 639."""
LONG_CODE = 3
"""Letters of the codes of ISO 639-3, which lists all other languages."""
_DOTTED = frozenset(("az", "tr"))
"""Languages that have an i with a dot and one without, as capitals too."""
_SMALL = str.maketrans({"I": "ı", "İ": "i"})


def check_language(code: str) -> Iterator[str]:
    """Yield a message for a code that no language has."""
    long = len(code) == LONG_CODE and code.isascii() and code.isalpha() and code.islower()
    if code not in CODES and not long:
        yield f"there is no language {code!r}; give its code of ISO 639, such as de, fi or tr"


def lowered(word: str, language: str = "") -> str:
    """Return a word in small letters, by the rules of its language.

    >>> lowered("ISPARTA"), lowered("ISPARTA", "tr"), lowered("STRAẞE", "de")
    ('isparta', 'ısparta', 'straße')
    """
    if language not in _DOTTED:
        return word.lower()
    # An İ that was made small elsewhere is an i and a dot above it.
    return word.translate(_SMALL).lower().replace("i\u0307", "i")
