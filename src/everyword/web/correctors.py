"""Texts put right by the served models, and by a corrector that knows the spelling of words and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from threading import Lock

from everyword.models.model import Model
from everyword.web.playground_schemas import Correction

WORD = re.compile(r"\b[^\W\d_]+(?:['’][^\W\d_]+)*\b")
"""Letters alone: "3rd" is no word that symspell knows."""
DISTANCE = 2
"""Edits that symspell puts right at most."""
MISSING = "symspellpy is not installed here: pip install symspellpy"

_LOADING = Lock()


def correct(models: Iterable[Model], texts: Sequence[str]) -> list[Correction]:
    """Return the texts as each model, and symspell if it is installed, puts them right."""
    found = [Correction(by=model.name, kind="model", texts=model.correct(list(texts)), note=None) for model in models]
    if not find_spec("symspellpy"):
        return [*found, Correction(by="symspell", kind="corrector", texts=None, note=MISSING)]
    with _LOADING:  # threads that ask at once need the dictionary once
        fix = _symspell()
    return [
        *found,
        Correction(by="symspell", kind="corrector", texts=[_each_word(fix, text) for text in texts], note=None),
    ]


def _each_word(fix: Callable[[str], str], text: str) -> str:
    return WORD.sub(lambda found: fix(found[0]), text)


@cache
def _symspell() -> Callable[[str], str]:
    from symspellpy import SymSpell, Verbosity

    symspell = SymSpell(DISTANCE)
    symspell.load_dictionary(str(files("symspellpy") / "frequency_dictionary_en_82_765.txt"), 0, 1)

    def fix(word: str) -> str:
        found = symspell.lookup(word.lower(), Verbosity.TOP, max_edit_distance=DISTANCE, include_unknown=True)
        return _cased(str(found[0].term), word)

    return fix


def _cased(found: str, word: str) -> str:
    """Return a correction in the case of the word; its own transfer of case makes "THe" of "Teh".

    >>> [_cased("the", word) for word in ("teh", "Teh", "TEH")]
    ['the', 'The', 'THE']
    """
    if found == word.lower():
        return word
    if word.isupper() and len(word) > 1:
        return found.upper()
    return found.capitalize() if word[0].isupper() else found
