from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from everyword import config
from everyword.corpus.lexicons.wordnet import ADJECTIVE, NOUN, WordNet
from everyword.errors import ConfigError, InputError
from everyword.evaluation.probes.cloze.build import ProbeConfig, band_of, build_probe
from everyword.evaluation.probes.cloze.counts import count_words, read_counts, write_counts
from everyword.evaluation.probes.cloze.entries import Entry, read_entries, sizes, write_entries
from everyword.evaluation.probes.cloze.wordnet import PARTS, antonyms, cohyponyms, hypernyms

from .made_wordnet import write_wordnet

COUNTS = {
    "fruit": 900,
    "berry": 300,
    "plant": 100,
    "cranberry": 150,
    "berries": 400,
    "wet": 500,
    "dry": 100,
    "flora": 99,
}
CONFIG = ProbeConfig(min_depth=1, dev_share=0.0)


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    return WordNet(write_wordnet(tmp_path_factory.mktemp("wordnet") / "dict"), PARTS)


def test_the_files_are_read(wordnet: WordNet) -> None:
    first, second = wordnet.senses("lingonberry", NOUN)
    assert (first.words, second.words) == (("lingonberry", "cowberry"), ("lingonberry",))
    assert [wordnet.depth(sense) for sense in (first, second)] == [4, 2]
    assert wordnet.senses("adust", ADJECTIVE)[0].words == ("adust",)
    assert "arid" in wordnet
    assert "boysen" not in wordnet


def test_relations_by_hand(wordnet: WordNet) -> None:
    up = dict(hypernyms(wordnet, senses=2, steps=3, min_depth=1))
    assert up["lingonberry"] == ["berry", "plant", "flora", "fruit", "plant", "flora"]
    assert dict(hypernyms(wordnet, senses=1, steps=2, min_depth=3))["lingonberry"] == ["berry"]
    assert "boysenberry" not in up, "a name"
    assert "bush_berry" not in up, "two words"
    assert dict(cohyponyms(wordnet))["cranberry"] == ["lingonberry", "cowberry", "Boysenberry", "bush_berry", "berries"]
    opposite = dict(antonyms(wordnet, senses=2))
    assert opposite["wet"] == ["dry"]
    assert opposite["dry"] == ["wet"]
    assert opposite["adust"] == ["wet"], "by way of dry, its head"
    assert opposite["arid"] == [], "dry is the opposite of wet, and arid only means the same"


def by_cell(entries: list[Entry]) -> dict[tuple[str, str], tuple[str, ...]]:
    return {(entry.relation, entry.keyword): entry.targets for entry in entries}


def test_targets_are_frequent_plain_words_without_the_stem_of_their_keyword(wordnet: WordNet) -> None:
    found = by_cell(build_probe(wordnet, COUNTS, CONFIG))

    assert found["hypernym", "lingonberry"] == ("fruit", "berry", "plant")
    assert found["cohyponym", "cranberry"] == ("berries",)
    assert "berry" not in found["hypernym", "berries"], "they share a stem"
    assert found["antonym", "adust"] == ("wet",)
    limited = by_cell(build_probe(wordnet, COUNTS, CONFIG, targets={"plant"}))
    assert limited["hypernym", "lingonberry"] == ("plant",)
    assert ("cohyponym", "cranberry") not in limited
    assert by_cell(build_probe(wordnet, COUNTS, replace(CONFIG, most_targets=1)))["hypernym", "lingonberry"] == (
        "fruit",
    )


def test_misspellings_are_rare_and_no_words(wordnet: WordNet) -> None:
    wrong = [one for one in build_probe(wordnet, COUNTS, CONFIG) if one.relation == "corruption"]

    assert {one.targets[0] for one in wrong} == {"fruit", "berry", "plant", "cranberry", "berries"}
    assert all(one.keyword not in wordnet and one.band == "rare" for one in wrong)


def test_bands_and_sample(wordnet: WordNet) -> None:
    assert [band_of(count, CONFIG) for count in (0, 9, 10, 99, 100)] == ["rare", "rare", "medium", "medium", "frequent"]
    entries = build_probe(wordnet, {**COUNTS, "lingonberry": 50}, CONFIG)
    bands = {entry.keyword: entry.band for entry in entries if entry.relation == "hypernym"}
    assert (bands["lingonberry"], bands["cowberry"], bands["cranberry"]) == ("medium", "rare", "frequent")
    small = build_probe(wordnet, COUNTS, replace(CONFIG, per_cell=1, dev_share=0.5))
    assert (
        max(
            sum(size for cell, size in sizes(small).items() if cell[:2] == which)
            for which in {c[:2] for c in sizes(small)}
        )
        == 1
    )
    assert small == build_probe(wordnet, COUNTS, replace(CONFIG, per_cell=1, dev_share=0.5))


def test_a_word_is_in_dev_or_in_test_by_all_relations(wordnet: WordNet) -> None:
    entries = build_probe(wordnet, COUNTS, replace(CONFIG, dev_share=0.5))
    splits: dict[str, set[str]] = {}
    for entry in entries:
        splits.setdefault(entry.keyword, set()).add(entry.split)

    assert {len(found) for found in splits.values()} == {1}
    assert {split for found in splits.values() for split in found} == {"dev", "test"}


def test_thresholds_that_cannot_be() -> None:
    config.check(ProbeConfig())
    with pytest.raises(ConfigError, match=r"steps must be 1.*dev_share must be 0 or more and below 1.*medium_from"):
        config.check(ProbeConfig(medium_from=200, steps=0, dev_share=1))


def test_entries_are_kept_and_read(tmp_path: Path) -> None:
    entries = [Entry("test", "hypernym", "rare", "lingonberry", 3, ("fruit", "berry"))]
    write_entries(tmp_path / "probe.tsv", entries)
    assert read_entries(tmp_path / "probe.tsv") == entries
    text = (tmp_path / "probe.tsv").read_text()
    for right, wrong, message in (
        ("hypernym", "meronym", ":2: 'meronym' is not one of antonym, hypernym"),
        ("\t3\t", "\tthree\t", ":2: the count must be a whole number. Got 'three'"),
    ):
        (tmp_path / "wrong.tsv").write_text(text.replace(right, wrong))
        with pytest.raises(InputError, match=message):
            read_entries(tmp_path / "wrong.tsv")
    (tmp_path / "empty.tsv").write_text(text.splitlines()[0])
    with pytest.raises(InputError, match="holds no entries"):
        read_entries(tmp_path / "empty.tsv")


def test_counts_are_made_and_read(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("The cat's hat, the 12 well-known hats.\nThe cat\n", encoding="utf-8")
    counts = count_words([tmp_path / "text.txt"])
    assert counts == {"the": 3, "cat's": 1, "hat": 1, "well-known": 1, "hats": 1, "cat": 1}
    write_counts(tmp_path / "counts.tsv", counts)
    assert read_counts(tmp_path / "counts.tsv") == counts
    (tmp_path / "contexts").mkdir()
    (tmp_path / "contexts" / "contexts.jsonl").write_text('{"word": "Cat", "count": 2, "sentences": ["a cat"]}\n')
    assert read_counts(tmp_path / "contexts") == {"cat": 2}


def test_counts_and_wordnets_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "counts.tsv").write_text("word\tcount\ncat\tmany\n")
    with pytest.raises(InputError, match=r"counts.tsv:2: needs a word and its count between tabs"):
        read_counts(tmp_path / "counts.tsv")
    (tmp_path / "counts.tsv").write_text("word\tcount\n")
    with pytest.raises(InputError, match="holds no counts"):
        read_counts(tmp_path / "counts.tsv")
    with pytest.raises(InputError, match=r"lacks index.noun, data.noun, index.adj, data.adj; give the folder"):
        WordNet(tmp_path, PARTS)
    folder = write_wordnet(tmp_path / "dict")
    (folder / "data.adj").write_text("00000100 00 a 01 wet\n")
    with pytest.raises(InputError, match=r"data.adj:1: this is not a line of WordNet"):
        WordNet(folder, PARTS)
