from __future__ import annotations

from pathlib import Path

import pytest
from made import toy_model, write

from everyword.errors import InputError
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks import look_alikes, neighbour_spelling, sisters
from everyword.evaluation.tasks.look_alikes import LookAlikeSet
from everyword.evaluation.tasks.neighbour_spelling import BandSet
from everyword.evaluation.tasks.sisters import SisterSet

VECTORS = {"cat": [1.0, 0.0], "dog": [0.9, 0.1], "car": [0.0, 1.0], "cab": [0.95, 0.0], "bat": [0.5, 0.5]}
TRIPLES = """word	related	lookalike	frequency	likeness	set
cat	dog	car	frequent	edit1	made
cat	dog	cab	rare	prefix	made
cat	dog	gone	rare	edit1	made
"""
GROUPS = "word\trelated\tlookalikes\ncat\tdog\tcar,bat,gone\ncat\tdog\tcar,cab\nlost\tdog\tcar\n"


def test_triples_by_hand(tmp_path: Path) -> None:
    data = LookAlikeSet.load(write(tmp_path / "made.tsv", TRIPLES))

    scores = look_alikes.run(toy_model(VECTORS), data, 0)

    # cab has the direction of cat; "gone" has no vector, and so the triple is a miss.
    assert scores.items == {"beaten": [1, 0, 0]}
    assert scores.values == pytest.approx({"all_beaten": 100 / 3, "beaten": 100 / 3, "all_beaten_known": 50})
    assert scores.sections["frequent"] == {"n": 1, "all_beaten": 100}
    assert scores.sections["rare"] == {"n": 2, "all_beaten": 0}
    assert scores.sections["prefix"]["n"] == 1
    assert (scores.n, scores.known) == (3, 2)


def test_groups_need_all_beaten(tmp_path: Path) -> None:
    data = LookAlikeSet.load(write(tmp_path / "made.tsv", GROUPS))

    scores = look_alikes.run(toy_model(VECTORS), data, 0)

    assert scores.items == {"beaten": [1, 0.5, 0]}
    assert scores.values["all_beaten"] == pytest.approx(100 / 3)
    assert scores.values["beaten"] == 50


def test_equal_cosines_count_against_the_related_word(tmp_path: Path) -> None:
    data = LookAlikeSet.load(write(tmp_path / "made.tsv", "word\trelated\tlookalikes\ncat\tdog\tdot\n"))

    scores = look_alikes.run(toy_model(VECTORS | {"dot": VECTORS["dog"]}), data, 0)

    assert scores.values["all_beaten"] == 0


def test_look_alikes_that_cannot_be_scored(tmp_path: Path) -> None:
    data = LookAlikeSet.load(write(tmp_path / "made.tsv", GROUPS))
    with pytest.raises(NoOverlapError, match="No word of made is in toy"):
        look_alikes.run(toy_model({"tree": [1.0, 0.0]}), data, 0)
    noisy = look_alikes.misspelt(data, str.upper)
    assert [one.word for one in noisy.rivals] == ["CAT", "CAT", "LOST"]
    with pytest.raises(InputError, match="holds no words"):
        LookAlikeSet.load(write(tmp_path / "made.tsv", "word\trelated\tlookalikes\n"))


def test_spelling_among_neighbours_by_hand(tmp_path: Path) -> None:
    words = [f"cat{letter}" for letter in "abcdef"] + [f"dog{letter}" for letter in "abcdef"]
    write(tmp_path / "candidates.txt", "\n".join(words))
    data = BandSet.load(
        write(tmp_path / "bands.tsv", "band\tword\trelatives\nhigh\tcata\tcatb,catc\nlow\tdoga\t\nlow\tgone\t\n")
    )
    # The nearest ten of cata leave out dogf, the farthest; those of doga leave out catf.
    angles = {word: 1.0 - 0.1 * place for place, word in enumerate(words)}
    vectors = {word: [1.0, 1.0 - angle] for word, angle in angles.items()}
    vectors["doga"] = [1.0, 1.2]

    scores = neighbour_spelling.run(toy_model(vectors), data, 0)

    assert scores.sections["high"] == pytest.approx({"n": 1, "alike": 50, "mere": 30})
    assert scores.sections["low"] == pytest.approx({"n": 1, "alike": 50, "mere": 50})
    assert scores.values["by_meaning"] == pytest.approx((70 + 50 + 0) / 3)
    assert scores.items["mere"] == pytest.approx([0.3, 0.5, -1])
    with pytest.raises(NoOverlapError, match="None of the 12 candidates has a vector in toy"):
        neighbour_spelling.run(toy_model({"tree": [1.0, 0.0]}), data, 0)
    assert neighbour_spelling.misspelt(data, str.upper).words == ["CATA", "DOGA", "GONE"]


NOUNS = """word	pos	sense_rank	supersense	hypernym1
cat	n	1	noun.animal	pet
dog	n	1	noun.animal	pet
dog	v	1	verb.motion	follow
car	n	1	noun.artifact	vehicle
cab	n	1	noun.artifact	vehicle
cat	n	2	noun.person	gossip
"""


def test_sisters_share_the_hypernym_of_their_first_sense(tmp_path: Path) -> None:
    data = SisterSet.load(write(tmp_path / "made.tsv", NOUNS))
    families = {one.word: one for one in data.families(0)}

    assert {word: one.sister for word, one in families.items()} == {
        "cat": "dog",
        "dog": "cat",
        "car": "cab",
        "cab": "car",
    }
    assert set(families["cat"].rivals) <= {"car", "cab"}
    assert len(families["cat"].rivals) == 10
    assert data.families(3) == data.families(3)
    assert [noun.word for noun in data.among({"cat", "dog"}).nouns] == ["cat", "dog"]
    assert data.among({"cat", "dog"}).families(0) == []


def test_sisters_are_nearer_or_not(tmp_path: Path) -> None:
    data = SisterSet.load(write(tmp_path / "made.tsv", NOUNS))
    vectors = {"cat": [1.0, 0.0], "dog": [1.0, 0.1], "car": [0.0, 1.0], "cab": [0.1, 1.0]}

    assert sisters.run(toy_model(vectors), data, 0).values == {
        "nearer": 100,
        "nearer_than_ten": 100,
        "nearer_known": 100,
        "nearer_than_ten_known": 100,
    }
    crossed = {"cat": [1.0, 0.0], "dog": [0.0, 1.0], "car": [1.0, 0.0], "cab": [0.0, 1.0]}
    assert sisters.run(toy_model(crossed), data, 0).values["nearer_than_ten"] == 0
    noisy = sisters.misspelt(data, str.upper)
    assert {one.word for one in noisy.families(0)} == {"CAT", "DOG", "CAR", "CAB"}
    with pytest.raises(InputError, match="nouns of two classes or more"):
        SisterSet.load(write(tmp_path / "made.tsv", NOUNS.replace("artifact", "animal")))
