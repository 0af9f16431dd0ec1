"""Trees, read or parsed, and the pairs of words that they join."""

from __future__ import annotations

import gzip
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import spacy

from everyword.errors import InputError, MissingExtraError
from everyword.systems.skipgram import SentencesConfig
from everyword.systems.skipgram.baselines.syntax import Parser, syntax_pairs, trees_of
from everyword.systems.skipgram.conllu import Tree, read_conllu
from everyword.systems.skipgram.sentences import Vocabulary, sentences_of

from .made_trees import RELATIONS, as_conllu, made_corpus

WANTED = SentencesConfig(shortest=3, longest=12, min_count=1)


def tree_of(*tokens: tuple[str, int, str]) -> Tree:
    """A tree of forms, heads counted from 1, and relations."""
    forms = [form for form, _, _ in tokens]
    starts = [len(" ".join([*forms[:place], ""])) for place in range(len(forms))]
    return Tree(" ".join(forms), starts, forms, [head - 1 for _, head, _ in tokens], [name for _, _, name in tokens])


def contexts_in(tree: Tree, *words: str) -> set[str]:
    """The pairs of a tree, as people write them."""
    vocabulary = Vocabulary(words, [1] * len(words))
    return {f"{words[pair.word]}: {words[pair.other]}/{pair.relation}" for pair in syntax_pairs(tree, vocabulary)}


GOLDEN = {
    "hungry: cats/amod-1",
    "cats: hungry/amod",
    "cats: found/nsubj-1",
    "found: cats/nsubj",
    "found: fish/dobj",
    "fish: found/dobj-1",
    "found: kitchen/prep_in",
    "kitchen: found/prep_in-1",
}
WORDS = ("hungry", "cats", "found", "fish", "in", "kitchen")


def test_pairs_go_both_ways_and_prepositions_are_relations() -> None:
    as_spacy = tree_of(
        ("Hungry", 2, "amod"),
        ("cats", 3, "nsubj"),
        ("found", 0, "ROOT"),
        ("fish", 3, "dobj"),
        ("in", 3, "prep"),
        ("the", 7, "det"),  # no word of the vocabulary
        ("kitchen", 5, "pobj"),
        (".", 3, "punct"),
    )
    assert contexts_in(as_spacy, *WORDS) == GOLDEN


def test_the_same_in_universal_dependencies() -> None:
    universal = tree_of(
        ("Hungry", 2, "amod"),
        ("cats", 3, "nsubj"),
        ("found", 0, "root"),
        ("fish", 3, "obj"),
        ("in", 6, "case"),
        ("kitchen", 3, "obl"),
    )
    renamed = {pair.replace("dobj", "obj").replace("prep_in", "obl_in") for pair in GOLDEN}
    assert contexts_in(universal, *WORDS) == renamed


def test_prepositions_that_join_nothing_stay_words() -> None:
    nothing_above = tree_of(("In", 0, "ROOT"), ("kitchen", 1, "pobj"), ("again", 1, "advmod"))
    assert contexts_in(nothing_above, "in", "kitchen") == {"in: kitchen/pobj", "kitchen: in/pobj-1"}
    no_object = tree_of(("came", 0, "ROOT"), ("in", 1, "prep"))
    assert contexts_in(no_object, "came", "in") == {"came: in/prep", "in: came/prep-1"}
    just = tree_of(("sat", 0, "ROOT"), ("right", 3, "advmod"), ("in", 1, "prep"), ("sand", 3, "pobj"))
    assert contexts_in(just, "sat", "right", "in", "sand") == {
        *("sat: sand/prep_in", "sand: sat/prep_in-1", "in: right/advmod", "right: in/advmod-1"),
    }
    at_the_root = tree_of(("in", 2, "case"), ("kitchen", 0, "root"))
    assert "in: kitchen/case-1" in contexts_in(at_the_root, "in", "kitchen")
    two = tree_of(("came", 0, "root"), ("out", 4, "case"), ("of", 4, "case"), ("houses", 1, "obl"))
    assert "came: houses/obl_out_of" in contexts_in(two, "came", "houses")


def test_a_phrase_is_joined_to_what_its_words_are() -> None:
    tree = tree_of(("Cats", 2, "nsubj"), ("like", 0, "root"), ("New", 4, "compound"), ("York", 2, "obj"))
    assert contexts_in(tree, "cats", "new york", "like") == {
        *("like: cats/nsubj", "cats: like/nsubj-1", "like: new york/obj", "new york: like/obj-1"),
    }


def test_a_parsed_file_gives_trees_to_one_method_and_text_to_the_others(tmp_path: Path) -> None:
    path = tmp_path / "made.conllu.gz"
    extra = "1-2\tdon't\t" + "\t".join("_" * 8) + "\n"
    written = "".join(as_conllu(words) for words in made_corpus(3)).replace("1\t", extra + "1\t", 1)
    written = written.replace("\tobl\t_\t_", "\tobl\t_\tX=1|SpaceAfter=No")
    path.write_bytes(gzip.compress(written.rstrip().encode()))  # no empty line at the end
    trees = list(read_conllu(path))

    assert [list(tree.forms) for tree in trees] == made_corpus(3)
    assert [tree.text for tree in trees] == [" ".join(words).replace(" .", ".") for words in made_corpus(3)]
    assert trees[0].heads == [head - 1 for head, _ in RELATIONS]
    for tree in trees:
        assert all(tree.text[start:].startswith(form) for start, form in zip(tree.starts, tree.forms, strict=True))
    assert list(sentences_of([path], WANTED)) == [tree.text for tree in trees]
    assert not list(trees_of([path], SentencesConfig(shortest=7, longest=9), None))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Cats eat fish", "made.conllu:10: a token of CoNLL-U has 10 columns .* Got 1"),
        ("2\tcats\t_\t_\t_\t_\t0\troot\t_\t_", "made.conllu:10: tokens are counted .*; 1 was expected. Got '2'"),
        ("1\tcats\t_\t_\t_\t_\t_\t_\t_\t_", "made.conllu:10: the seventh column .* Got '_'"),
        ("1\tcats\t_\t_\t_\t_\t1\troot\t_\t_", "made.conllu:10: the seventh column .* Got '1'"),
        (
            "1\tcats\t_\t_\t_\t_\t9\tobj\t_\t_",
            "made.conllu:11: .* head of the token 'cats' is number 9, .* only 1",
        ),
    ],
)
def test_a_malformed_line_is_told_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "made.conllu"
    path.write_text(as_conllu(made_corpus(1)[0]) + line + "\n\n")
    with pytest.raises(InputError, match=message):
        list(read_conllu(path))


def test_a_spacy_pipeline_parses_text(pipeline: Path, tmp_path: Path) -> None:
    text, parsed = tmp_path / "text.txt", tmp_path / "parsed.conllu"
    sentences = made_corpus(30)
    text.write_text("".join(" ".join(words) + "\n" for words in sentences) + "too short\n")
    parsed.write_text("".join(as_conllu(words) for words in sentences))
    parser = Parser(str(pipeline))

    assert list(trees_of([text], WANTED, parser)) == list(trees_of([parsed], WANTED, None))
    assert parser.fingerprint() == Parser(str(pipeline)).fingerprint()
    assert parser.name.startswith("en_pipeline")
    both = replace(WANTED, limit=40)
    assert len(list(trees_of([text, parsed], both, parser))) == len(list(sentences_of([text, parsed], both))) == 40
    parser.pipeline.max_length = 20
    assert not list(parser.trees(["A sentence that is far too long for this pipeline."]))


def test_pipelines_that_cannot_parse_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"no_such_pipeline cannot be loaded as a spaCy pipeline .*give the folder"):
        Parser("no_such_pipeline")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no parser, only a tokenizer"):
        Parser(str(tmp_path / "blank"))
    with pytest.raises(InputError, match=r"text.txt is text: name a spaCy pipeline"):
        list(trees_of([tmp_path / "text.txt"], WANTED, None))
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"Parsing a corpus needs the package spacy: .*everyword\[spacy\]"):
        Parser("en_core_web_sm")
