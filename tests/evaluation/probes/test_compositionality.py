"""Polarity sensitivity, tree reconstruction error, and how sentiment changes inside trees."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from made import write

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.evaluation.probes.polarity import (
    Rewrite,
    clean_pairs,
    polarity_sensitivity,
    read_rewrites,
    read_sentiments,
)
from everyword.evaluation.probes.reconstruction import Chain, ReconstructionConfig, Rule, reconstruct
from everyword.evaluation.probes.sentiment_trees import (
    SentimentTree,
    read_sentiment_tree,
    read_sentiment_trees,
    tree_impurity,
    weighted_node_switching,
)

PAIRS = [Rewrite("a bad day", "a good day", (0, 1)), Rewrite("i love it", "i hate it", (1, 0))]
POSITIVE = {"good", "love"}


def perfect(texts: list[str]) -> IndexArray:
    return np.array([int(bool(POSITIVE & set(text.split()))) for text in texts])


def test_a_perfect_classifier_has_all_and_a_constant_one_nothing() -> None:
    assert polarity_sensitivity(perfect, PAIRS).sensitivity == 1
    constant = polarity_sensitivity(lambda texts: np.ones(len(texts), dtype=np.int64), PAIRS)
    assert (constant.sensitivity, constant.source, constant.rewrite) == (0, 0.5, 0.5)
    assert constant.relative(0.5) == 0


def test_a_pair_may_be_swapped_and_no_score_is_above_the_accuracy_of_a_side() -> None:
    rng = np.random.default_rng(0)
    pairs = [Rewrite(f"s{n}", f"r{n}", (n % 2, 1 - n % 2)) for n in range(40)]
    answers = {text: int(rng.integers(2)) for pair in pairs for text in pair[:2]}
    one, other = (
        polarity_sensitivity(lambda texts: np.array([answers[text] for text in texts]), some)
        for some in (pairs, [pair.swapped for pair in pairs])
    )
    assert one.sensitivity == other.sensitivity
    assert (one.source, one.rewrite) == (other.rewrite, other.source)
    assert one.sensitivity <= min(one.source, one.rewrite)


def test_pairs_without_a_new_word_are_dropped() -> None:
    same = Rewrite("it 's bad .", "It's bad.", (0, 1))
    shorter = Rewrite("not good at all", "good", (0, 1))
    assert clean_pairs([same, shorter, *PAIRS]) == PAIRS
    assert clean_pairs(PAIRS, ["A bad day !"]) == PAIRS[1:]
    with pytest.raises(InputError, match="There is no pair to classify"):
        polarity_sensitivity(perfect, [])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("direction\tsource\trewrite\nup\ta\tb\n", "toy.tsv:2: the direction must be neg2pos or pos2neg. Got 'up'"),
        ("direction\tsource\trewrite\nneg2pos\ta\n", "toy.tsv:2: needs direction, source, rewrite between tabs"),
    ],
)
def test_rewrites_that_cannot_be_read(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read_rewrites(write(tmp_path / "toy.tsv", text))


def test_rewrites_and_labelled_texts(tmp_path: Path) -> None:
    rewrites = write(tmp_path / "a.tsv", "direction\tsource\trewrite\npos2neg\ti love it\ti hate it\n")
    assert read_rewrites(rewrites) == PAIRS[1:]
    texts, labels = read_sentiments(write(tmp_path / "b.tsv", "label\ttext\n1\tfine\n0\tawful\n"))
    assert (texts, labels.tolist()) == (["fine", "awful"], [1, 0])
    with pytest.raises(InputError, match=r"c.tsv:2: the label must be 0 or 1. Got '2'"):
        read_sentiments(write(tmp_path / "c.tsv", "label\ttext\n2\tfine\n"))


EQUAL = read_sentiment_tree("(3 (3 a) (3 (3 b) (3 (3 c) (3 d))))")


def test_equal_labels_are_pure_and_never_switch() -> None:
    assert tree_impurity(EQUAL) == weighted_node_switching(EQUAL) == weighted_node_switching(EQUAL, "normalised") == 0
    assert weighted_node_switching(read_sentiment_tree("(2 alone)")) == 0


@pytest.mark.parametrize("weight", ["height", "normalised"])
def test_switching_does_not_depend_on_the_order_of_children(weight: str) -> None:
    one = read_sentiment_tree("(0 (2 not) (4 (2 so) (3 very) (4 good)))")
    other = read_sentiment_tree("(0 (4 (4 good) (2 so) (3 very)) (2 not))")
    assert weighted_node_switching(one, weight) == pytest.approx(weighted_node_switching(other, weight))


def test_switching_counts_more_near_the_root() -> None:
    below = read_sentiment_tree("(2 (2 a) (2 (2 b) (2 (4 c) (4 d))))")
    above = read_sentiment_tree("(2 (4 a) (4 (4 b) (4 (4 c) (4 d))))")
    assert weighted_node_switching(below) == pytest.approx(2 / 3)
    assert weighted_node_switching(above) == pytest.approx(3 * 2 / 3)
    assert weighted_node_switching(above, "normalised") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("(3 (2 a) (2 b)", "its brackets do not match"),
        ("(3 (2 a)) (2 b)", "its brackets do not match"),
        ("(5 (2 a) (2 b))", "its labels must be 0 to 4. Got '5'"),
        ("(3 (2 ) (2 c))", "a node must hold a word, or other nodes"),
        ("(3 (2 a) b)", "a node must hold a word, or other nodes"),
        ("a (2 b)", "'a' stands outside of all brackets"),
    ],
)
def test_wrong_trees_are_named_by_path_and_line(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "trees.txt.gz"
    path.write_bytes(gzip.compress(f"(3 (3 a) (2 b))\n{line}\n".encode()))
    with pytest.raises(InputError, match=rf"trees.txt.gz:2: is not a tree: {reason}".replace("(", r"\(")):
        read_sentiment_trees(path)


def random_tree(words: list[str]) -> SentimentTree:
    """A tree over words, cut at random."""
    rng = np.random.default_rng(len(words[0]) * len(words))

    def text(some: list[str]) -> str:
        if len(some) == 1:
            return f"(2 {some[0]})"
        cut = int(rng.integers(1, len(some)))
        return f"(2 {text(some[:cut])} {text(some[cut:])})"

    return read_sentiment_tree(text(words))


@pytest.fixture(scope="module")
def trees() -> list[SentimentTree]:
    rng = np.random.default_rng(1)
    return [random_tree([f"w{n}" for n in rng.integers(0, 30, size=rng.integers(2, 7))]) for _ in range(60)]


def sums(trees: list[SentimentTree], dim: int = 8) -> FloatArray:
    vectors = np.random.default_rng(2).normal(size=(30, dim)).astype(np.float32)
    return np.array([sum(vectors[int(token[1:])] for token in tree.tokens) for tree in trees], dtype=np.float32)


def test_sums_of_vectors_are_rebuilt(trees: list[SentimentTree]) -> None:
    wanted = sums(trees)
    fitted = reconstruct(trees[:50], wanted[:50], ReconstructionConfig(steps=600, rate=0.01))
    assert fitted.errors.mean() < 1e-3
    assert fitted.apply(trees[50:], wanted[50:]).mean() < 0.02  # other trees of the same words


def test_wholes_without_parts_in_common_are_not_rebuilt_elsewhere(trees: list[SentimentTree]) -> None:
    wanted = sums(trees)
    shuffled = np.random.default_rng(3).permutation(wanted)
    fitted = reconstruct(trees[:50], shuffled[:50], ReconstructionConfig(steps=200, rate=0.02))
    assert fitted.apply(trees[50:], shuffled[50:]).mean() > 0.5


@pytest.mark.parametrize(("rule", "same"), [("sum", True), ("weighted-sum", False), ("tanh", False)])
def test_order_matters_in_two_rules(trees: list[SentimentTree], rule: Rule, same: bool) -> None:
    fitted = reconstruct(trees, sums(trees), ReconstructionConfig(rule, steps=5))
    swapped = [read_sentiment_tree(text) for text in ("(2 (2 w1) (2 (2 w2) (2 w3)))", "(2 (2 (2 w3) (2 w2)) (2 w1))")]
    one, other = fitted.compose(swapped)
    assert np.allclose(one, other, atol=1e-5) == same


@pytest.mark.parametrize("rule", ["sum", "weighted-sum", "tanh"])
def test_every_rule_can_be_fitted(trees: list[SentimentTree], rule: Rule) -> None:
    one, more = (reconstruct(trees[:6], sums(trees)[:6], ReconstructionConfig(rule, steps=n)) for n in (1, 80))
    assert more.errors.mean() < 0.5 * one.errors.mean()


def test_words_are_rebuilt_from_their_parts() -> None:
    stems, endings = [f"stem{n}" for n in range(8)], ["s", "ed", "ing"]
    known = dict(zip([*stems, *endings], np.random.default_rng(4).normal(size=(11, 6)).astype(np.float32), strict=True))
    words = [Chain((stem, ending)) for stem in stems for ending in endings]
    wholes = np.array([known[stem] + known[ending] for word in words for stem, ending in [word.tokens]])
    rest, held = [n for n in range(24) if n % 7], [n for n in range(24) if n % 7 == 0]
    fitted = reconstruct([words[n] for n in rest], wholes[rest], ReconstructionConfig(steps=400, rate=0.02))
    assert fitted.apply([words[n] for n in held], wholes[held]).mean() < 0.1
    assert Chain(("alone",)).children == ((),)


def test_each_tree_needs_a_vector(trees: list[SentimentTree]) -> None:
    with pytest.raises(InputError, match=r"Each tree needs a vector\. Got 60 trees and 3 vectors"):
        reconstruct(trees, np.ones((3, 4), dtype=np.float32))


def test_words_of_sentiment_trees_are_written_as_people_write_them() -> None:
    tree = read_sentiment_tree(r"(2 (2 ``) (2 (2 1\/2) (2 (2 -LRB-) (2 (2 cat) (2 -RRB-)))))")
    assert tree.tokens == ('"', "1/2", "(", "cat", ")")
