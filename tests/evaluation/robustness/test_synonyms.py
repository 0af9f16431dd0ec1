from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from everyword.evaluation.robustness.synonyms import SynonymReplacer

ROWS = """word\tsynonym\tpos\tsense_rank
film\tmovie\tn\t1
film\tpicture\tn\t1
film\tlayer\tn\t2
dull\tboring\ta\t1
play\tdrama\tn\t1
play\tact\tv\t1
walk\tstroll\tv\t1
now\tpresently\tr\t1
a\tangstrom\tn\t1
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "synonyms.tsv").write_text(ROWS)
    return tmp_path / "synonyms.tsv"


def test_synonyms_keep_the_part_of_speech_and_the_first_sense(path: Path) -> None:
    replacer = SynonymReplacer.load(path)
    swaps = replacer.swaps(("a dull film , a play , a walk",))
    assert [(swap.word, swap.by, swap.pos) for swap in swaps] == [
        ("dull", "boring", "a"),
        ("film", "movie", "n"),
        ("film", "picture", "n"),
    ]
    assert swaps[1].text == ("a dull movie , a play , a walk",)


def test_of_pairs_only_words_of_both_are_replaced_in_both(path: Path) -> None:
    pair = ("a dull film", "the film was good")
    both, either = (SynonymReplacer.load(path, both=both) for both in (True, False))
    assert [swap.text for swap in both.swaps(pair)] == [
        ("a dull movie", "the movie was good"),
        ("a dull picture", "the picture was good"),
    ]
    assert len(either.swaps(pair)) == 3


def test_texts_are_drawn_for_an_attack(path: Path) -> None:
    replacer = SynonymReplacer.load(path)
    drawn = replacer.rewritten(("the film",), 4, Random(0))
    assert len(drawn) == 4
    assert set(drawn) <= {("the movie",), ("the picture",)}
    assert replacer.rewritten(("nothing here",), 4, Random(0)) == []
