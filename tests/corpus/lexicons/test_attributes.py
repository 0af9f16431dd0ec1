from __future__ import annotations

from pathlib import Path

import pytest

from corpus.vocabulary.made_sources import write_wordnet
from everyword.corpus.lexicons.attributes import AttributeLexicon, plain, read_wordnet_rows, wordnet_lexicon
from everyword.corpus.lexicons.wordnet import WordNet
from everyword.errors import InputError

LEXICON = AttributeLexicon({"city": ("noun.location", "place"), "walk": ("verb.motion",), "being": ()})


def test_a_lexicon_is_written_and_read(tmp_path: Path) -> None:
    LEXICON.write(tmp_path / "lexicon.tsv")
    assert (tmp_path / "lexicon.tsv").read_text().splitlines()[0] == "city\tnoun.location place"
    assert AttributeLexicon.read(tmp_path / "lexicon.tsv") == LEXICON


def test_words_are_found_in_any_case_and_as_regular_forms() -> None:
    assert plain("Çity") == "city"
    assert LEXICON.of("City") == ("noun.location", "place")
    assert LEXICON.of("cities") == ()
    assert LEXICON.of("cities", inflected=True) == ("noun.location", "place")
    assert LEXICON.of("walked", inflected=True) == ("verb.motion",)
    assert AttributeLexicon({"bee": ("insect",), "being": (), "wa": ("state",)}).of("being", inflected=True) == ()
    assert AttributeLexicon({"wa": ("state",)}).of("was", inflected=True) == ()


def test_a_word_on_several_lines_has_the_attributes_of_all(tmp_path: Path) -> None:
    (tmp_path / "lexicon.tsv").write_text("bank\tmoney house\n\nBank\triver house\nof\t\n")
    found = AttributeLexicon.read(tmp_path / "lexicon.tsv")
    assert found.entries == {"bank": ("money", "house", "river"), "of": ()}


@pytest.mark.parametrize("line", ["no tab", "\tattribute", "word\ta\tb"])
def test_bad_lines_are_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text(f"cat\tanimal\n{line}\n")
    with pytest.raises(InputError, match=r"lexicon\.tsv:2: needs a word, a tab and attributes"):
        AttributeLexicon.read(path)


def test_controls_have_the_same_words(tmp_path: Path) -> None:
    lexicon = AttributeLexicon({f"word{number}": (f"a{number}",) for number in range(20)} | {"of": ()})
    shuffled = lexicon.shuffled(seed=1)
    assert sorted(shuffled.entries.values()) == sorted(lexicon.entries.values())
    assert list(shuffled.entries) == list(lexicon.entries)
    assert shuffled != lexicon
    assert shuffled == lexicon.shuffled(seed=1)
    assert shuffled.entries["of"] == ()
    assert lexicon.spelt().entries["word10"] == ("<wo", "wor", "ord", "rd1", "d10", "10>")
    assert lexicon.spelt().entries["of"] == ()


def test_forms_can_be_listed() -> None:
    expanded = LEXICON.expanded(["cities", "stone", "beings", "City"])
    assert expanded.entries == {**LEXICON.entries, "cities": ("noun.location", "place")}


def test_supersenses_and_hypernyms_of_wordnet(tmp_path: Path) -> None:
    wordnet = WordNet(write_wordnet(tmp_path / "wordnet"))
    one, all_senses = (wordnet_lexicon(wordnet, senses=senses, without={"alive"}) for senses in (1, 3))
    assert one.entries["alive"] == ()
    assert one.entries["dog"][0] in {synset.supersense for synset in wordnet.senses("dog", "n")}
    assert set(one.entries["dog"]) <= set(all_senses.entries["dog"])


def test_a_table_of_senses(tmp_path: Path) -> None:
    path = tmp_path / "senses.tsv"
    lines = ["word\tpos\tsense_rank\tsupersense\thypernym1\thypernym2\thypernym3"]
    lines += ["aa\tn\t1\tnoun.substance\tlava\tvolcanic_rock\tigneous_rock", "aa\tn\t2\tnoun.group\torganization\t-\t-"]
    path.write_text("\n".join([*lines, "in\tn\t1\tnoun.quantity\tlinear_unit\t-\t-"]) + "\n")
    assert read_wordnet_rows(path, without={"in"}).entries == {
        "in": (),
        "aa": ("noun.substance", "lava", "volcanic_rock", "igneous_rock"),
    }
    assert read_wordnet_rows(path, senses=2).entries["aa"][-1] == "organization"
