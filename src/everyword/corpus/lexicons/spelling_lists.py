"""Lists that say which spellings are words: SCOWL's, by how common words are, and Hunspell's, with all forms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from everyword.corpus.text_file import read_text
from everyword.errors import InputError

SCOWL_SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95)
"""From a small dictionary to everything that anyone has ever called a word."""
NAMES = ("proper-names", "upper")
"""SCOWL's lists of names; `upper` has words such as English and Monday."""

CONDITION = re.compile(r"(?:[^\[\]\\*+?{}()|^$]|\[\^?[^\[\]\\]+\])*")
"""What Hunspell allows as the condition of a rule."""


class Affix(NamedTuple):
    """A rule that makes a form of a word: strip these letters, add those, if the word matches."""

    strip: str
    add: str
    condition: re.Pattern[str]
    is_prefix: bool
    crosses: bool
    """Whether a prefix may be joined with a suffix."""


def read_scowl(folder: Path) -> dict[str, int]:
    """Return each word of SCOWL's lists (american-words.35 and so on) with the size of the smallest that has it."""
    sizes: dict[str, int] = {}
    for size in SCOWL_SIZES:
        for path in sorted(folder.glob(f"*.{size}")):
            if not path.name.startswith("special-roman"):
                for word in read_text(path, "list of words"):
                    sizes.setdefault(word, size)
    if not sizes:
        raise InputError(f"{folder} holds no lists such as english-words.35; give the folder `final` of SCOWL.")
    return sizes


def read_hunspell(dictionary: Path) -> set[str]:
    """Return the words of a .dic file in all the forms that the .aff file beside it describes."""
    rules = _read_affixes(dictionary.with_suffix(".aff"))
    forms: set[str] = set()
    for number, line in enumerate(read_text(dictionary, "Hunspell dictionary")):
        if number and line.strip():
            word, _, flags = line.split("\t")[0].strip().partition("/")
            forms.update(_expand(word, [rule for flag in flags for rule in rules.get(flag, ())]))
    return forms


def _expand(word: str, rules: Sequence[Affix]) -> Iterator[str]:
    yield word
    suffixed = [(_applied(word, rule), rule) for rule in rules if not rule.is_prefix and rule.condition.search(word)]
    yield from (form for form, _ in suffixed)
    for prefix in rules:
        if prefix.is_prefix and prefix.condition.search(word):
            yield _applied(word, prefix)
            yield from (_applied(form, prefix) for form, rule in suffixed if prefix.crosses and rule.crosses)


def _applied(word: str, rule: Affix) -> str:
    if rule.is_prefix:
        return rule.add + word[len(rule.strip) :]
    return word[: len(word) - len(rule.strip)] + rule.add


def _read_affixes(path: Path) -> dict[str, list[Affix]]:
    rules: dict[str, list[Affix]] = defaultdict(list)
    crosses: dict[str, bool] = {}
    for number, line in enumerate(read_text(path, "file of affixes"), start=1):
        cells = line.split()
        if len(cells) < 4 or cells[0] not in ("PFX", "SFX"):
            continue
        kind, flag = cells[0], cells[1]
        if flag not in crosses:  # the header of the rules of a flag
            crosses[flag] = cells[2] == "Y"
            continue
        strip, add = (cell.partition("/")[0] for cell in cells[2:4])
        condition = cells[4] if len(cells) > 4 else "."
        pattern = _compiled(condition, kind == "PFX", f"{path}:{number}")
        empty = {"0": ""}
        rules[flag].append(Affix(empty.get(strip, strip), empty.get(add, add), pattern, kind == "PFX", crosses[flag]))
    return rules


def _compiled(condition: str, is_prefix: bool, where: str) -> re.Pattern[str]:
    """Return a condition as a regular expression, which it is already; others could take for ever."""
    try:
        if CONDITION.fullmatch(condition):
            return re.compile(f"^{condition}" if is_prefix else f"{condition}$")
    except re.error:
        pass
    raise InputError(
        f"{where}: a condition is made of letters, full stops and letters in square brackets. Got {condition[:60]!r}; "
        "fix this line."
    )
