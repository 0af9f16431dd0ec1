from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword import config
from everyword.corpus.labelled.sets import Texts
from everyword.errors import ConfigError, InputError
from everyword.evaluation.robustness.rare_texts.items import (
    RareText,
    Replacement,
    read_rare_texts,
    score_before_and_after,
    score_rare_texts,
    write_rare_texts,
)
from everyword.evaluation.robustness.rare_texts.making import HidingConfig, hide_words
from everyword.evaluation.robustness.rare_texts.rarify import rarify
from everyword.evaluation.robustness.rare_texts.substitutes import (
    MISSPELLING,
    SYNONYM,
    Substitute,
    Substitutes,
    make_misspellings,
    read_misspellings,
    read_synonyms,
)

MERIT = {"good": 2.0, "fine": 1.0, "bad": -2.0, "dull": -1.0}


class Counting:
    """Sums what words are worth; what it was asked is noted."""

    labels = ("bad", "good")

    def __init__(self, mask: str | None = "[MASK]") -> None:
        self.mask = mask
        self.asked: list[list[str]] = []

    def predict_proba(self, texts: Sequence[Sequence[str]]) -> np.ndarray:
        self.asked += [list(text) for text in texts]
        chance = [1 / (1 + np.exp(-(0.1 - sum(-MERIT.get(word, 0.0) for word in text)))) for text in texts]
        return np.array([[1 - one, one] for one in chance], dtype=np.float32)


RARE = Substitutes(
    {word: [Substitute(f"rare{word}", SYNONYM, 3), Substitute(f"odd{word}", SYNONYM, 7)] for word in (*MERIT, "the")}
)


def texts(*rows: tuple[str, str]) -> Texts:
    return Texts("made", tuple(tuple(text.split()) for text, _ in rows), tuple(label for _, label in rows))


DATA = texts(
    ("the bad film", "bad"),
    ("the bad dull film", "bad"),
    ("the good film", "good"),
    ("the bad film", "good"),
    ("a film", "good"),
)


def test_the_words_that_matter_most_give_way() -> None:
    made = rarify(Counting(), DATA, RARE)

    assert [(text.original, text.label) for text in made] == [("the bad film", "bad"), ("the bad dull film", "bad")]
    assert [[one.word for one in text.replaced] for text in made] == [["bad"], ["bad", "dull"]]
    assert made[0].text in ("the rarebad film", "the oddbad film")
    for text in made:
        for one in text.replaced:
            assert one.by in text.text.split()
            assert (one.kind, one.count) in ((SYNONYM, 3), (SYNONYM, 7))


@pytest.mark.parametrize("mask", ["[MASK]", None])
def test_every_hidden_version_is_misclassified_and_rare_words_are_never_asked(mask: str | None) -> None:
    classifier = Counting(mask)
    made = rarify(classifier, DATA, RARE)

    assert made
    assert not any(word.startswith(("rare", "odd")) for text in classifier.asked for word in text)
    for text in made:
        gone = {one.word for one in text.replaced}
        shown = [mask if word in gone else word for word in text.original.split()]
        guess = classifier.predict_proba([[word for word in shown if word]]).argmax()
        assert classifier.labels[guess] != text.label


def test_no_more_words_than_allowed_are_replaced() -> None:
    assert [len(text.replaced) for text in rarify(Counting(), DATA, RARE, max_words=1)] == [1]
    many = texts((" ".join(["bad"] * 9), "bad"))
    assert rarify(Counting(), many, RARE) == [], "five are not enough"
    assert len(rarify(Counting(), many, RARE, max_words=9)[0].replaced) == 9


def test_the_same_seed_gives_the_same_set() -> None:
    one, again, other = (
        rarify(Counting(), texts(*[("the bad dull film", "bad")] * 20), RARE, seed=seed) for seed in (0, 0, 1)
    )
    assert one == again
    assert one != other
    assert rarify(Counting(), DATA, Substitutes()) == []


def test_what_cannot_be_rarified_is_refused() -> None:
    with pytest.raises(InputError, match=r"The classifier has the labels bad, good. Got 'odd' in made"):
        rarify(Counting(), texts(("a bad film", "odd")), RARE)
    with pytest.raises(InputError, match=r"At least one word must be replaced. Got max_words = 0"):
        rarify(Counting(), DATA, RARE, max_words=0)


def test_synonyms_are_rare_ones_of_the_first_sense_of_words_of_one_kind(tmp_path: Path) -> None:
    rows = "Film\tMovie\tn\t1\nfilm\tflick\tn\t1\nfilm\tcelluloid\tn\t2\n"
    rows += "run\ttally\tn\t1\nrun\thie\tv\t1\na\tangstrom\tn\t1\n"
    path = tmp_path / "synonyms.tsv"
    path.write_text("word\tsynonym\tpos\tsense_rank\n" + rows)
    counts = {"movie": 100, "flick": 99}

    assert read_synonyms(path, counts, 100) == {"film": [Substitute("flick", SYNONYM, 99)]}
    assert set(read_synonyms(path, counts, 100, ambiguous=True)) == {"film", "run"}


def test_misspellings_are_listed_or_made(tmp_path: Path) -> None:
    (tmp_path / "wrong.tsv").write_text("wrong\tright\nteh\tthe\nthee\tthe\n")
    assert read_misspellings(tmp_path / "wrong.tsv", {"thee": 500}, 100) == {"the": [Substitute("teh", MISSPELLING, 0)]}
    made = make_misspellings(["wonderful", "a", "x9zz9"], {}, 100)
    assert set(made) == {"wonderful"}
    assert all(one.word != "wonderful" and one.kind == MISSPELLING for one in made["wonderful"])
    assert made == make_misspellings(["wonderful"], {}, 100)


def test_a_share_of_the_words_may_be_misspelt() -> None:
    wrong = Substitutes(misspellings={"word": [Substitute("wrod", MISSPELLING)]})
    found = [places for number in range(200) for places in wrong.of(["word"] * 5 + [str(number)], seed=0)[:5]]

    assert sum(map(bool, found)) / len(found) == pytest.approx(0.1, abs=0.03)


def test_words_are_hidden_and_doubled_as_often_as_asked() -> None:
    rewrite, rng = hide_words(HidingConfig(), "[MASK]"), Random(0)
    shown = rewrite(" ".join(["word"] * 20_000), rng).split()
    doubled = shown.count("/")
    assert doubled / 20_000 == pytest.approx(0.1, abs=0.01)
    assert shown.count("[MASK]") == pytest.approx(0.05 * 18_000 + 0.25 * 2 * doubled, rel=0.05)
    assert rewrite("one two", Random(3)) == hide_words(HidingConfig(), "[MASK]")("one two", Random(3))
    assert hide_words(HidingConfig(0, 0, 0), "[MASK]")("a  b", rng) == "a b"
    with pytest.raises(ConfigError, match=r"masked must be between 0 and 1\. Got 2\.0 instead"):
        config.check(HidingConfig(masked=2))


def rare(label: str, *replaced: Replacement) -> RareText:
    return RareText("the rarebad film", label, "the bad film", replaced)


TYPO, SYNONYMS = Replacement("bad", "bda", MISSPELLING, 0), Replacement("bad", "rarebad", SYNONYM, 7)


def test_accuracy_by_kind_and_frequency() -> None:
    made = [rare("bad", TYPO), rare("good", TYPO, SYNONYMS), rare("bad", SYNONYMS), rare("bad", SYNONYMS)]
    parts = {part.name: (part.n, part.accuracy) for part in score_rare_texts(lambda texts: ["bad"] * len(texts), made)}

    assert parts == {
        "all": (4, 75),
        "misspelling": (2, 50),
        "synonym": (3, pytest.approx(200 / 3)),
        "count <= 0": (1, 100),
        "count <= 10": (4, 75),
        "count 0 to 0": (1, 100),
        "count 6 to 25": (3, pytest.approx(200 / 3)),
    }
    assert score_before_and_after(lambda texts: ["bad"] * len(texts), made)[-1].name == "as they were"
    with pytest.raises(InputError, match="no rarified texts to score"):
        score_rare_texts(lambda texts: [], [])


def test_rare_texts_are_kept_and_read(tmp_path: Path) -> None:
    made = [rare("bad", TYPO, SYNONYMS)]
    write_rare_texts(tmp_path / "rare.jsonl", made)
    assert [(one.text, one.label, list(one.replaced)) for one in read_rare_texts(tmp_path / "rare.jsonl")] == [
        ("the rarebad film", "bad", [TYPO, SYNONYMS])
    ]
    (tmp_path / "rare.jsonl").write_text('{"text": "a", "label": "b", "original": "c", "replaced": [{"word": "x"}]}\n')
    with pytest.raises(InputError, match=r":1: needs replaced words with word, by, kind and count"):
        read_rare_texts(tmp_path / "rare.jsonl")
