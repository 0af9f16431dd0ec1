"""Labels above words in trees, and how well they are read from vectors."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from made import write

from everyword.errors import InputError
from everyword.evaluation.compare import compare_items
from everyword.evaluation.probes.constituents import (
    LEVELS,
    NO_LABEL,
    ancestor,
    ancestor_labels,
    probe_words,
    read_ancestors,
    score_word_baseline,
    score_words,
)
from everyword.evaluation.probes.control import control_labels
from everyword.evaluation.probes.labelled_words import LabelledWords, word_baseline, words_before
from everyword.evaluation.probes.mlp import MlpConfig, MlpProbe, RecurrentConfig, RecurrentProbe
from everyword.evaluation.probes.trees import read_tree, read_trees

DOG = "(S (NP (DT the) (NN dog)) (VP (VBD ran)))"
QUICK = MlpConfig(hidden=32, learning_rate=2e-2, batch=64, epochs=15, patience=4, restarts=2)


def made(words: int = 1200, types: int = 12, seed: int = 0) -> LabelledWords:
    """Sentences of six words in which a word has its own label three times out of four, and else that of another."""
    rng = np.random.default_rng(seed)
    names = [f"w{number}" for number in range(types)]
    texts = [[names[row] for row in rng.integers(types, size=6)] for _ in range(words // 6)]
    labels = [
        ["NVAD"[int(word[1:]) % 4] if rng.random() < 0.75 else "NVAD"[int(rng.integers(4))] for word in text]
        for text in texts
    ]
    ends = [0, len(texts) // 2, 3 * len(texts) // 4, len(texts)]
    splits = {split: list(range(*ends[n : n + 2])) for n, split in enumerate(("train", "dev", "test"))}
    return LabelledWords("made", texts, labels, splits)


def one_hot(data: LabelledWords) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    words = [word for text in data.texts for word in text]
    return np.array([[word == one for one in sorted(set(words))] for word in words], dtype=np.float32)


def test_the_labels_above_a_word_go_up_to_the_root_and_no_further() -> None:
    tree = read_tree(DOG)
    assert [ancestor(tree, level)[1] for level in range(len(LEVELS))] == ["NN", "NP", "S", NO_LABEL]
    assert read_tree("( (S (NP-SBJ-1 (-NONE- *)) (VP (VB Go) (-LRB- -LRB-))))").ancestors == [
        ("VB", "VP", "S"),
        ("-LRB-", "VP", "S"),
    ]
    assert read_tree("(S (ADVP|PRT (RB|RP up)))").ancestors == [("RB", "ADVP", "S")]


def test_words_are_written_as_people_write_them() -> None:
    tree = read_tree(r"(S (`` ``) (-LRB- -LRB-) (CD 1\/2) (NN cat) (-RRB- -RRB-) ('' ''))")
    assert tree.tokens == ['"', "(", "1/2", "cat", ")", '"']
    assert [labels[0] for labels in tree.ancestors] == ["``", "-LRB-", "CD", "NN", "-RRB-", "''"]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("(S (NN a)", "brackets do not match"),
        ("(S (NN a)))", "brackets do not match"),
        ("", "no words in brackets"),
        ("()", "no words in brackets"),
        ("(S (-NONE- *))", "no words in brackets"),
        ("word", "'word' has no part of speech"),
        ("(NN a b)", "'b' has no part of speech"),
        ("(NN a (NN b))", "holds more than a word"),
        ("(S (NN a)) (S (NN b))", "goes on behind its end"),
    ],
)
def test_what_is_not_a_tree_is_told_by_path_line_and_reason(wrong: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=reason):
        read_tree(wrong)
    if wrong:
        path = write(tmp_path / "trees.tsv", f"file\ttree\na\t{DOG}\na\t{wrong}\n")
        with pytest.raises(InputError, match=rf"trees\.tsv:3: is not a tree: .*{reason}"):
            read_trees(path)


def test_trees_are_split_by_document(tmp_path: Path) -> None:
    path = write(tmp_path / "trees.tsv", "file\ttree\n" + "".join(f"d{n // 2}\t{DOG}\n" for n in range(20)))
    data = read_ancestors(path, "parent")
    assert {split: list(some) for split, some in data.splits.items()} == {
        "train": list(range(12)),
        "dev": list(range(12, 16)),
        "test": list(range(16, 20)),
    }
    assert data.gold("test") == ["NP", "NP", "VP"] * 4
    assert data.sentences("test").tolist() == [16] * 3 + [17] * 3 + [18] * 3 + [19] * 3
    with pytest.raises(InputError, match="The level must be part-of-speech, parent, grandparent or great-grandparent"):
        ancestor_labels(read_trees(path), "uncle", path)
    few = write(tmp_path / "few.tsv", f"file\ttree\na\t{DOG}\n")
    with pytest.raises(InputError, match=r"few\.tsv: a probe needs texts of three documents or more"):
        read_ancestors(few, "parent")


def test_the_word_alone_reaches_the_share_of_the_most_frequent_label_of_each_word() -> None:
    data = made()
    words, gold = data.words("train"), data.gold("train")
    right = [one == other for one, other in zip(gold, word_baseline(words, gold, words), strict=True)]
    by_word = {word: Counter(g for w, g in zip(words, gold, strict=True) if w == word) for word in set(words)}
    assert sum(right) == sum(max(counts.values()) for counts in by_word.values())
    assert word_baseline(words, gold, ["never seen"]) == [Counter(gold).most_common(1)[0][0]]


def test_one_hot_words_reach_the_word_baseline_and_random_tokens_the_majority() -> None:
    data = made()
    found = probe_words(data, one_hot(data), MlpProbe(QUICK), "one-hot")
    assert found.accuracies == pytest.approx([found.baseline] * 2, abs=1.0)
    assert found.baseline > found.majority + 30
    noise = np.random.default_rng(1).normal(size=(int(data.starts[-1]), 8)).astype(np.float32)
    lost = probe_words(data, noise, MlpProbe(QUICK), "noise")
    assert lost.accuracy == pytest.approx(lost.majority, abs=8)
    assert set(found.by_label) == set("NVAD")


def test_a_network_that_reads_from_left_to_right_knows_the_words_before() -> None:
    rng = np.random.default_rng(0)
    texts = [[f"w{row}" for row in rng.integers(4, size=6)] for _ in range(120)]
    labels = [["start", *text[:-1]] for text in texts]  # the label of a word is the word before it
    splits = {"train": range(70), "dev": range(70, 90), "test": range(90, 120)}
    data = LabelledWords("before", texts, labels, splits)
    probe = RecurrentProbe(RecurrentConfig(hidden=24, learning_rate=2e-2, batch=16, epochs=12, restarts=1))
    assert probe_words(data, one_hot(data), probe).accuracy > 90
    alone = MlpProbe(MlpConfig(hidden=32, learning_rate=2e-2, batch=64, epochs=6, restarts=1))
    assert probe_words(data, one_hot(data), alone).accuracy < 50
    assert probe_words(data, words_before(one_hot(data), data.starts, 1), alone).accuracy > 95


def test_words_that_training_lacks_are_scored_by_themselves() -> None:
    splits = {"train": [0], "dev": [0], "test": [1]}
    data = LabelledWords("few", [["a", "b"], ["a", "c"]], [["X", "Y"], ["X", "Y"]], splits)
    scores = score_words(data, [["X", "Y"], ["X", "X"]], "made")
    assert (scores.accuracies, scores.unseen, scores.n_unseen) == ((100.0, 50.0), 50.0, 1)
    assert scores.baseline_unseen == 0  # X and Y are equally frequent, and X comes first
    assert scores.items.scores.tolist() == [1.0, 0.5]
    assert score_word_baseline(data).accuracy == 50


def test_wrong_labels_and_vectors_are_refused() -> None:
    with pytest.raises(InputError, match=r"Each word needs a label\. Got 1 for 2 words"):
        LabelledWords("made", [["a", "b"]], [["X"]], {"train": [0]})
    with pytest.raises(InputError, match="made has no sentences to dev"):
        LabelledWords("made", [["a"]], [["X"]], {"train": [0], "dev": []})
    data = made(120)
    with pytest.raises(InputError, match=r"Each word needs a vector\. Got 3 for 120 words"):
        probe_words(data, np.zeros((3, 2), dtype=np.float32), MlpProbe(QUICK))
    with pytest.raises(InputError, match=r"Each item needs a type and a label\. Got 1 and 2"):
        control_labels(["a"], ["X", "Y"])


def test_control_labels_belong_to_words_and_are_as_frequent_as_the_real_ones() -> None:
    words = [f"w{number % 400}" for number in range(2000)]
    gold = ["N"] * 1500 + ["V"] * 500
    drawn = control_labels(words, gold)
    assert drawn[:400] * 5 == drawn
    assert Counter(drawn)["N"] / 2000 == pytest.approx(0.75, abs=0.06)
    assert drawn != control_labels(words, gold, seed=1)
    longer = control_labels([*words, "new"], [*gold, "V"])
    assert sum(one != other for one, other in zip(drawn, longer, strict=False)) <= 10


def test_a_probe_that_learns_words_by_heart_is_seen_by_its_control() -> None:
    data = made(types=12)
    control = data.with_control_labels()
    assert control.words("test") == data.words("test")
    by_word = dict(zip(control.words("train"), control.gold("train"), strict=True))
    assert [by_word[word] for word in control.words("test")] == control.gold("test")
    memory = probe_words(control, one_hot(data), MlpProbe(QUICK)).accuracy
    label = np.array([["NVAD".index(one) == place for place in range(4)] for text in data.labels for one in text])
    knowing = label.astype(np.float32)
    selectivity = (
        probe_words(data, knowing, MlpProbe(QUICK)).accuracy - probe_words(control, knowing, MlpProbe(QUICK)).accuracy
    )
    assert memory > 95
    assert selectivity > 30


def test_the_profile_of_a_representation_is_its_own() -> None:
    data = made()
    found = probe_words(data, one_hot(data), MlpProbe(QUICK), "one-hot")
    same = compare_items(found.items, found.items, samples=100)
    assert same.label_r == pytest.approx(1)
    assert same.sentence_r == pytest.approx(1)
    assert same.difference.difference == 0
    assert same.difference.p == 1
    assert same.words == ()
