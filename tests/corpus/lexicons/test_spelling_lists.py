from __future__ import annotations

from pathlib import Path

import pytest

from everyword.corpus.lexicons.spelling_lists import read_hunspell, read_scowl
from everyword.errors import InputError

AFFIXES = """SET UTF-8
PFX U Y 1
PFX U 0 un .

SFX D Y 3
SFX D 0 d e
SFX D y ied [^aeiou]y
SFX D 0 ed [^ey]

SFX M N 1
SFX M 0 's .
"""


def test_each_word_has_the_smallest_list_that_holds_it(tmp_path: Path) -> None:
    for name, words in {"english-words.35": "cat\n", "british-words.80": "cat\nkelpie\n", "other.txt": "x\n"}.items():
        (tmp_path / name).write_text(words)

    assert read_scowl(tmp_path) == {"cat": 35, "kelpie": 80}


def test_a_folder_without_lists_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no lists such as english-words\.35"):
        read_scowl(tmp_path)


def test_forms_are_made_by_the_rules_that_match(tmp_path: Path) -> None:
    (tmp_path / "en.aff").write_text(AFFIXES)
    (tmp_path / "en.dic").write_text("4\nlike/UD\ntry/D\npack/DU\ndog/M\n")

    assert read_hunspell(tmp_path / "en.dic") == {
        *("like", "liked", "unlike", "unliked"),
        *("try", "tried"),
        *("pack", "packed", "unpack", "unpacked"),
        *("dog", "dog's"),
    }
