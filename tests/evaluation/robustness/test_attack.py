"""Attacks by names and misspellings, repair by canonical names, and noise in vectors."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.robustness.attack import Item, Text, attack, of_strings, score
from everyword.evaluation.robustness.attacked_sets import ATTACKED_SETS, AttackedSet
from everyword.evaluation.robustness.name_attack import NamePools
from everyword.evaluation.robustness.names import Mention, NameReplacer, Names, by_band, lower_case_words, replaced
from everyword.evaluation.robustness.repair import Resemble, choose_canonical, repaired
from everyword.evaluation.robustness.typos import TypoReplacer
from everyword.evaluation.robustness.vector_noise import random_case, worst_case

MALE, FEMALE = [f"Bob{n}" for n in range(25)], [f"Ann{n}" for n in range(25)]
LAST = [f"Lee{n}" for n in range(20)]
COMPANIES = ["Acme", "Best Buy", "Best", "Target", "Yahoo"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "names").mkdir()
    lists = (("male", [*MALE, "Kim"]), ("female", [*FEMALE, "Kim"]), ("last", LAST))
    rows = [f"{part}\t{name}\t0.1\t{rank}" for part, names in lists for rank, name in enumerate(names)]
    text = "kind\tname\tpercent\trank\n" + "\n".join(rows) + "\n"
    (folder / "names" / "us_census1990.tsv.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "names" / "fortune500.tsv").write_text("company\tyears\n" + "".join(f"{one}\t1\n" for one in COMPANIES))
    return folder


@pytest.fixture(scope="module")
def people(folder: Path) -> Names:
    return Names.load("people", folder)


def half(texts: list[Text] | tuple[Text, ...], keyed: str = "") -> FloatArray:
    """Probabilities of a model that says 1, or 0 if a name is in the text."""
    return np.array(
        [[0.9, 0.1] if keyed and keyed in " ".join(text) else [0.2, 0.8] for text in texts], dtype=np.float32
    )


ITEMS = [Item((f"Dr Bob1 Lee{1 + n % 9} met someone {n}.",), 1) for n in range(400)]


def test_a_model_that_is_blind_to_names_is_stable(people: Names) -> None:
    report = attack(half, ITEMS[:50], NameReplacer(people, people), budget=7)
    assert (report.original, report.worst, report.best, report.stable, report.unchanged) == (100, 100, 100, 100, 100)
    assert (report.n, report.budget, report.random_mean, report.random_sd) == (50, 7, 100, 0)
    assert report.to_dict()["worst"] == 100


def test_a_name_that_matters_is_found_as_often_as_chance_has_it(people: Names) -> None:
    report = attack(lambda texts: half(texts, "Lee19"), ITEMS, NameReplacer(people, people), budget=10)
    expected = 1 - (1 - 1 / 19) ** 10  # the own name is never drawn
    assert 100 - report.worst == pytest.approx(100 * expected, abs=7)
    assert report.best == report.original == 100
    assert report.stable == pytest.approx(report.worst, abs=1)
    assert report.random_mean == pytest.approx(100 * 18 / 19, abs=2)


def test_replacements_of_a_text_do_not_depend_on_other_texts(people: Names) -> None:
    replacer = NameReplacer(people, people)
    one, other = (attack(lambda texts: half(texts, "Lee19"), items, replacer) for items in (ITEMS[:9], ITEMS[:3]))
    assert (one.predictions[:3] == other.predictions).all()


def test_a_name_is_replaced_in_every_place_and_in_both_sentences(people: Names) -> None:
    text = ("Mr Bob1 K. Lee2, said Lee2.", "For Lee2's son, Bob1 paid.")
    [new] = NameReplacer(people, people, both=True).rewritten(text, 1, Random(0))
    first, last = new[0].split()[1], new[0].split()[3].strip(",")
    assert first in MALE
    assert last in LAST
    assert new == (f"Mr {first} K. {last}, said {last}.", f"For {last}'s son, {first} paid.")
    assert NameReplacer(people, people, both=True).rewritten(("Bob1 Lee2 left.", "He left."), 1, Random(0)) == []


def test_first_names_keep_their_gender_and_parts_their_place(people: Names) -> None:
    replacer = NameReplacer(people, people)
    for own, pool in (("Bob1", MALE), ("Ann1", FEMALE), ("Kim", [*MALE, *FEMALE])):
        drawn = [text[0].split() for text in replacer.rewritten((f"{own} Lee1",), 60, Random(1))]
        assert {first for first, _ in drawn} <= {*pool, "Kim"}
        assert {last for _, last in drawn} <= {*LAST}
        assert all(first != own and last != "Lee1" for first, last in drawn)
    assert people.gender("Kim") == ("female", "male")
    assert people.gender("Zed") == ()


def test_companies_are_found_unless_they_are_words(folder: Path) -> None:
    companies = Names.load("companies", folder)
    text = ("Target and Best Buy sued Acme's owner, Yahoo.",)
    words = lower_case_words([("a target is a target",)])
    assert [one.text for one in companies.find(text, words)] == ["Best Buy", "Acme", "Yahoo"]
    assert next(one.text for one in companies.find(text, ())) == "Target"


def test_bands_choose_names_by_their_rarest_word(folder: Path) -> None:
    companies = Names.load("companies", folder)
    bands = {"Best": "known", "Buy": "rare", "Acme": "unknown", "Target": "known", "Yahoo": "known"}
    chosen = {band: some.lists["whole"] for band, some in by_band(companies, bands.__getitem__).items()}
    assert chosen == {"known": ("Best", "Target", "Yahoo"), "rare": ("Best Buy",), "unknown": ("Acme",)}


def test_names_that_are_also_words_of_the_texts_are_not_put_in(folder: Path) -> None:
    items = [Item(("they beat the target of Acme",), 1)]
    data = AttackedSet(ATTACKED_SETS["sst2"], items, items, items)
    pools = NamePools.of(Names.load("companies", folder), data, lambda _word: "known")
    assert pools.banded["known"].lists["whole"] == ("Best Buy", "Best", "Yahoo")
    assert pools.frequent.lists["whole"] == ("Acme", "Best Buy", "Best", "Yahoo")
    assert "Target" in pools.names.lists["whole"]


def test_lists_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no list of names"):
        Names.load("cities", tmp_path)
    (tmp_path / "names").mkdir()
    for text, sentence in (
        ("kind\tname\tpercent\nneuter\tX\t1\n", "gz:2: needs female, male or last, a name and a number"),
        ("name\nX\n", "gz:1: the first line must name the columns kind, name, percent"),
    ):
        (tmp_path / "names" / "us_census1990.tsv.gz").write_bytes(gzip.compress(text.encode()))
        with pytest.raises(InputError, match=sentence):
            Names.load("people", tmp_path)


def test_nothing_to_replace(people: Names) -> None:
    with pytest.raises(InputError, match="No text has anything to replace"):
        attack(half, [Item(("nobody",), 1)], NameReplacer(people, people))
    with pytest.raises(InputError, match=r"The budget must be 1 or more\. Got 0"):
        attack(half, ITEMS, NameReplacer(people, people), budget=0)


def test_misspellings_go_the_same_way() -> None:
    replacer = TypoReplacer(words=2)
    texts = replacer.rewritten(("a lovely film, a lovely story",), 20, Random(0))
    assert all(len({"lovely", "film", "story"} & {*text.replace(",", "").split()}) == 1 for (text,) in texts)
    assert len({text for (text,) in texts}) > 5
    assert replacer.rewritten(("so it is",), 5, Random(0)) == []
    assert len(TypoReplacer(share=1.0).rewritten(("lovely film",), 3, Random(0))) == 3
    predict = of_strings(lambda strings: [[0.1, 0.9] if "lovely" in text else [0.9, 0.1] for text in strings])
    report = attack(predict, [Item(("a lovely film",), 1)], TypoReplacer(), budget=40)
    assert (report.original, report.worst, report.best, report.stable) == (100, 0, 100, 0)


def test_f1_counts_the_positive_label() -> None:
    predictions, labels = np.array([1, 1, 1, 0]), np.array([1, 0, 1, 1])
    assert score("f1", predictions, labels) == pytest.approx(100 * 2 * 2 / 6)
    assert score("accuracy", predictions, labels) == 50
    assert score("f1", np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)) == 0


OWN = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6]], dtype=np.float32)


def test_repair_follows_its_equation() -> None:
    tempered = OWN**0.5 / (OWN**0.5).sum(axis=1, keepdims=True)
    others = np.stack([OWN[:, ::-1], OWN[:, ::-1]], axis=1)
    nothing = repaired(OWN, others, confidence=0.0)
    assert nothing == pytest.approx(tempered, abs=1e-6)
    geometric = (tempered * OWN[:, ::-1] ** 2) ** (1 / 3)
    assert repaired(OWN, others) == pytest.approx(geometric / geometric.sum(axis=1, keepdims=True), abs=1e-6)
    for confidence in (0.0, 0.3, 1.0):
        assert repaired(OWN, others, confidence=confidence).sum(axis=1) == pytest.approx(1)
    alone = repaired(OWN, np.zeros((2, 0, 3), dtype=np.float32), temperature=7.0)
    assert (alone.argmax(axis=1) == OWN.argmax(axis=1)).all()


def test_canonical_names_repair_a_model_that_is_keyed_on_one(people: Names) -> None:
    replacer = NameReplacer(people, people)

    def keyed(texts: list[Text]) -> FloatArray:
        return half(texts, "Lee19")

    names = [{"male": "Bob3", "female": "Ann3", "last": last} for last in ("Lee19", "Lee4", "Lee5")]
    canonical = choose_canonical(keyed, ITEMS[:20], replacer, names, count=2)
    assert canonical == names[1:]
    fixed = Resemble(keyed, replacer, canonical)
    assert attack(fixed, ITEMS[:40], replacer, budget=30).worst == 100
    assert attack(keyed, ITEMS[:40], replacer, budget=30).worst < 50
    nobody = [("nobody",)]
    assert fixed(nobody) == pytest.approx(keyed(nobody))
    with pytest.raises(InputError, match="No development text has a name"):
        choose_canonical(keyed, [Item(("nobody",), 1)], replacer, names)


def test_parts_that_contain_each_other_are_replaced_as_words() -> None:
    mention = Mention((("male", "Al"), ("last", "Alban")))
    assert replaced(("Al Alban, Alban-like Also",), mention, ("X", "Y")) == ("X Y, Alban-like Also",)


@pytest.fixture(scope="module")
def fitted() -> tuple[LogisticRegression, FloatArray, np.ndarray]:
    rng = np.random.default_rng(0)
    labels = np.arange(120) % 3
    rows = (np.eye(3)[labels].repeat(4, axis=1) + 0.4 * rng.normal(size=(120, 12))).astype(np.float32)
    return LogisticRegression.fit(rows, labels, 1.0), rows, labels


def test_noise_of_radius_zero_changes_nothing(fitted: tuple[LogisticRegression, FloatArray, np.ndarray]) -> None:
    classifier, rows, labels = fitted
    clean = 100 * float((classifier.predict(rows) == labels).mean())
    assert worst_case(classifier, rows, labels, 0.0) == clean
    assert random_case(classifier, rows, [5] * 120, labels, 0.0) == clean


def test_the_worst_case_is_reached_and_nothing_is_worse(
    fitted: tuple[LogisticRegression, FloatArray, np.ndarray],
) -> None:
    classifier, rows, labels = fitted
    curve = [worst_case(classifier, rows, labels, radius) for radius in (0.0, 0.2, 0.5, 1.0, 3.0)]
    assert curve == sorted(curve, reverse=True)
    assert curve[-1] == 0
    radius, weights = 0.5, classifier.weights[:-1]
    wrong = np.zeros(120, dtype=bool)
    for other in range(3):
        push = weights[:, other][None] - weights[:, labels].T
        length = np.linalg.norm(push, axis=1, keepdims=True)
        moved = rows + radius * np.divide(push, length, out=np.zeros_like(push), where=length > 0)
        wrong |= classifier.predict(moved) != labels
    assert 100 * float(1 - wrong.mean()) == pytest.approx(curve[2])
    assert random_case(classifier, rows, [1] * 120, labels, radius) >= curve[2]
