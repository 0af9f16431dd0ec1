from __future__ import annotations

from everyword.corpus.vocabulary.informal import informal_forms

FREQUENCIES = {
    **{"thats": 4.5, "that's": 6.2, "well": 6.0, "we'll": 5.4, "shant": 1.9, "goin": 3.9, "going": 6.2, "robin": 4.5},
    **{"runnin": 3.1, "running": 5.2, "basin": 4.1, "basing": 3.0, "teh": 3.5, "alot": 3.9},
}
SIZES = {"well": 10, "going": 10, "running": 10, "basin": 35, "basing": 50, "robin": 35, "thats": 95}


def test_frequent_spellings_that_are_no_other_word_have_their_normal_form() -> None:
    assert dict(informal_forms(FREQUENCIES, SIZES)) == {"thats": "that's", "goin": "going"}
