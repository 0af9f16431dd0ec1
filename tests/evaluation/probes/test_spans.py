"""Labelled spans and the probe that reads them from frozen vectors."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from made import write

from everyword.config import check
from everyword.errors import ConfigError, InputError
from everyword.evaluation.compare import compare_items
from everyword.evaluation.probes.mentions import coreference, mentions
from everyword.evaluation.probes.roles import roles
from everyword.evaluation.probes.span_data import (
    SpanExample,
    SpanSet,
    constituent_labels,
    constituents,
    entities,
    other_spans,
    tagged_spans,
)
from everyword.evaluation.probes.spans import (
    ProbeTraining,
    SpanPooling,
    SpanProbeConfig,
    TokenVectors,
    micro_f1,
    probe_spans,
)
from everyword.evaluation.probes.trees import read_tree
from everyword.sentences.spans import POOLINGS, pool

TREE = "(S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (PP-LOC (IN on) (NP (DT the) (NN mat))) (NP (-NONE- *T*-1))) (. .))"
TINY = SpanProbeConfig(projection=16, hidden=16, epochs=8, patience=8, batch=20, learning_rate=2e-2)


@pytest.mark.parametrize("name", POOLINGS)
def test_a_layer_pools_as_numpy_does_and_padding_never_counts(name: str) -> None:
    rng = np.random.default_rng(0)
    tokens, spans = rng.normal(size=(9, 8)).astype(np.float32), [(0, 4), (5, 5), (6, 8)]
    padded = torch.full((3, 5, 8), 1e3)  # larger than any token
    mask = torch.zeros(3, 5, dtype=torch.bool)
    for row, (first, last) in enumerate(spans):
        padded[row, : last - first + 1] = torch.from_numpy(tokens[first : last + 1])
        mask[row, : last - first + 1] = True
    layer = SpanPooling(name, 8)
    weights = None
    if layer.attention is not None:
        layer.attention.data = torch.from_numpy(rng.normal(size=8).astype(np.float32))
        weights = layer.attention.detach().numpy()
    assert layer(padded, mask).detach().numpy() == pytest.approx(pool(name, tokens, spans, weights), abs=1e-5)
    assert layer.size == layer(padded, mask).shape[1]


def test_attention_learns_from_a_start_at_zero() -> None:
    layer = SpanPooling("attention", 4)
    assert layer.attention is not None
    assert not layer.attention.any()
    layer(torch.randn(2, 3, 4), torch.ones(2, 3, dtype=torch.bool)).square().sum().backward()
    assert layer.attention.grad is not None
    assert layer.attention.grad.any()


def test_a_tree_has_constituents_without_traces_and_function_tags() -> None:
    tree = read_tree(TREE)
    assert tree.tokens == ["The", "cat", "sat", "on", "the", "mat", "."]
    assert tree.constituents == {(0, 1): ("NP",), (4, 5): ("NP",), (3, 5): ("PP",), (2, 5): ("VP",), (0, 6): ("S",)}
    assert read_tree("( (S (VP (VB Go))))").constituents == {(0, 0): ("VP", "S")}


def test_other_spans_are_never_given_ones_and_keep_their_lengths() -> None:
    for seed in range(50):
        rng = Random(seed)
        spans = list({tuple(sorted(rng.sample(range(12), 2))) for _ in range(8)})
        found = other_spans(spans, 12, rng)  # type: ignore[arg-type]
        assert not set(found) & set(spans)
        assert len(set(found)) == len(found)
        for first, last in found:
            assert 0 <= first <= last < 12
            assert last - first in {end - begin for begin, end in spans}


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    rows = [f"doc{number}\t{TREE.replace('cat', 'cat' + str(number))}" for number in range(10) for _ in range(2)]
    path = tmp_path / "trees.tsv.gz"
    path.write_bytes(gzip.compress(("file\ttree\n" + "\n".join(rows) + "\n").encode()))
    return path


def test_constituents_are_split_by_document(trees: Path) -> None:
    data, detection = constituent_labels(trees), constituents(trees)
    assert {split: len(some) for split, some in data.examples.items()} == {"train": 80, "dev": 10, "test": 10}
    assert data.labels == ["NP", "PP", "S", "VP"]
    assert detection.labels == ["no", "yes"]
    documents = {split: {data.texts[example.text][1] for example in some} for split, some in data.examples.items()}
    assert documents["test"] == {"cat9"}
    assert documents["dev"] == {"cat8"}
    small = data.limited({"train": 12, "dev": 3})
    assert {split: len(some) for split, some in small.examples.items()} == {"train": 12, "dev": 3, "test": 10}
    assert len(small.texts) == 6
    for example in small.examples["train"]:
        assert example.spans[0][1] < len(small.texts[example.text])


def test_wrong_trees_are_named_by_path_and_line(tmp_path: Path) -> None:
    path = write(tmp_path / "trees.tsv", f"file\ttree\na\t{TREE}\nb\t(S (NN a)\n")
    with pytest.raises(InputError, match=r"trees\.tsv:3: is not a tree: its brackets do not match"):
        constituents(path)
    with pytest.raises(InputError, match="three documents or more"):
        constituents(write(tmp_path / "few.tsv", f"file\ttree\na\t{TREE}\n"))


def test_entities_are_spans_of_tags(tmp_path: Path) -> None:
    assert tagged_spans(["I-A", "I-A", "I-B", "O", "B-B", "I-B"]) == [((0, 1), "A"), ((2, 2), "B"), ((4, 5), "B")]
    one = write(tmp_path / "one.conll", "Ann\tB-PER\nLee\tI-PER\nruns\tO\n\nin\tO\nRome\tB-LOC\n")
    data = entities({"train": [one, one], "dev": [one], "test": [one]})
    assert data.examples["test"] == [SpanExample(6, ((0, 1),), ("PER",)), SpanExample(7, ((1, 1),), ("LOC",))]
    with pytest.raises(InputError, match=":1: needs a token, a tab and an IOB2 tag"):
        entities({"train": [write(tmp_path / "wrong.conll", "Ann\tX\n")], "dev": [], "test": []})


def test_arcs_join_mentions_of_one_cluster_or_of_two(tmp_path: Path) -> None:
    record = {
        "sentences": [["Ann", "met", "Bob", "."], ["She", "liked", "him", "."]],
        "mentions": [["a", 0, 0], ["b", 2, 2], ["a", 4, 4], ["b", 6, 6]],
    }
    lines = "".join(json.dumps({"doc": f"d{number}", **record}) + "\n" for number in range(10))
    data = coreference(write(tmp_path / "mentions.jsonl", lines))
    test = data.examples["test"]
    assert [(example.spans, example.labels) for example in test if example.labels == ("yes",)] == [
        (((0, 0), (4, 4)), ("yes",)),
        (((2, 2), (6, 6)), ("yes",)),
    ]
    assert sum(example.labels == ("no",) for example in test) == 2
    for mention in (["x", 0, 5], ["x", 0.5, 0.5], ["x", 0], "x"):
        wrong = json.dumps({"doc": "d", "sentences": [["a"]], "mentions": [mention]})
        with pytest.raises(InputError, match=":1: mentions must be cluster, first and last token of 1 tokens"):
            coreference(write(tmp_path / "wrong.jsonl", wrong))


def test_mentions_are_told_from_other_spans_of_their_sentence(tmp_path: Path) -> None:
    record = {
        "sentences": [["Old", "Ann", "met", "Bob", "in", "a", "street", "."], ["She", "left", "."]],
        "mentions": [["a", 0, 1], ["b", 3, 3], ["a", 8, 8], ["c", 6, 9]],
    }
    lines = "".join(json.dumps({"doc": f"d{number}", **record}) + "\n" for number in range(10))
    data = mentions(write(tmp_path / "mentions.jsonl", lines))
    assert len(data.texts) == 20
    test = data.examples["test"]
    yes = [(example.text, example.spans[0]) for example in test if example.labels == ("yes",)]
    no = [(example.text, example.spans[0]) for example in test if example.labels == ("no",)]
    assert yes == [(18, (0, 1)), (18, (3, 3)), (19, (0, 0))]  # the one that leaves its sentence is not there
    assert len(set(no)) == len(no) == 5 + 5 + 2
    assert not set(yes) & set(no)
    with pytest.raises(InputError, match=":1: sentences must be lists of tokens"):
        mentions(write(tmp_path / "flat.jsonl", json.dumps({"doc": "d", "sentences": ["a"], "mentions": []})))


def test_roles_are_pairs_of_a_predicate_and_an_argument(tmp_path: Path) -> None:
    tags = ["B-ARG0", "B-V", "B-ARG1", "I-ARG1", "O"]
    record = {"tokens": ["Ann", "saw", "a", "cat", "."], "predicates": [{"index": 1, "tags": tags}]}
    path = write(tmp_path / "roles.jsonl", json.dumps(record) + "\n")
    data = roles({"train": path, "dev": path, "test": path})
    assert data.examples["test"] == [
        SpanExample(2, ((1, 1), (0, 0)), ("ARG0",)),
        SpanExample(2, ((1, 1), (2, 3)), ("ARG1",)),
    ]
    assert data.unlike
    for wrong in (
        {"index": 9, "tags": tags},
        {"index": 1.5, "tags": tags},
        {"index": 1, "tags": tags[1:]},
        {"index": 1},
        {"index": 1, "tags": ["X"] * 5},
        7,
    ):
        text = json.dumps(record) + "\n" + json.dumps({**record, "predicates": [wrong]}) + "\n"
        bad = write(tmp_path / "bad.jsonl", text)
        with pytest.raises(InputError, match=r"bad\.jsonl:2: predicates must have the index of one of 5 tokens"):
            roles({"train": path, "dev": bad, "test": path})


def test_control_labels_of_spans_belong_to_their_words() -> None:
    texts = [["a", "b"], ["a", "c"], ["a", "b"]]
    examples = [SpanExample(number, ((0, 1),), (label,)) for number, label in enumerate("XYX")]
    data = SpanSet("made", texts, {"train": examples, "dev": examples, "test": examples}).with_control_labels()
    first, _, third = (example.labels for example in data.examples["train"])
    assert first == third
    assert data.examples["test"] == data.examples["train"]
    assert set(data.labels) <= {"X", "Y"}


def test_spans_of_words_become_spans_of_pieces() -> None:
    data = SpanSet("made", [["a", "bcd", "e"]], {"train": [SpanExample(0, ((0, 1), (2, 2)), ("x",))]})
    assert data.in_pieces([[1, 3, 2]]).examples["train"][0].spans == ((0, 3), (4, 5))


def made_set(pairs: bool) -> tuple[SpanSet, TokenVectors]:
    """The label of a span is the sign of one coordinate of its first token; of a pair, whether the signs agree."""
    rng = np.random.default_rng(7)
    texts = [["w"] * 6 for _ in range(60)]
    vectors = rng.normal(size=(360, 2, 5)).astype(np.float32)
    sign = vectors[:, :, 0].mean(axis=1) > 0
    examples: dict[str, list[SpanExample]] = {"train": [], "dev": [], "test": []}
    for number in range(60):
        for first in range(5):
            begin = 6 * number + first
            label = "plus" if sign[begin] else "minus"
            spans = (((first, first + 1), (first, first)) if pairs else ((first, first + 1),),)[0]
            examples["train" if number < 40 else "dev" if number < 50 else "test"].append(
                SpanExample(number, spans, (label,))  # type: ignore[arg-type]
            )
    return SpanSet("made", texts, examples), TokenVectors.of(vectors, [6] * 60)


@pytest.mark.parametrize("pairs", [False, True])
def test_a_probe_finds_what_is_in_the_vectors(pairs: bool) -> None:
    data, vectors = made_set(pairs)
    scores = probe_spans(data, vectors, SpanProbeConfig(**{**vars(TINY), "pooling": "endpoint"}))
    assert scores.f1 > 85
    assert scores.dev > 85
    assert set(scores.recalls) == {"plus", "minus"}
    assert sum(scores.counts.values()) == 50
    assert scores.size == 32
    shuffled = SpanSet("made", data.texts, {**data.examples, "train": data.examples["train"][:2]})
    assert probe_spans(shuffled, vectors, TINY).f1 < scores.f1


def test_a_probe_trains_all_its_parameters_and_repeats() -> None:
    data, vectors = made_set(False)
    config = SpanProbeConfig(**{**vars(TINY), "pooling": "attention", "epochs": 2})
    training = ProbeTraining(data, vectors, config)
    before = {name: value.detach().clone() for name, value in training.probe.named_parameters()}
    first = training.train()
    for name, value in training.probe.named_parameters():
        assert (value != before[name]).any(), name
    assert probe_spans(data, vectors, config) == first


def test_spans_that_play_different_parts_have_a_projection_each_and_layers_may_be_uniform() -> None:
    data, vectors = made_set(True)
    config = SpanProbeConfig(**{**vars(TINY), "layers": "uniform", "epochs": 1})
    training = ProbeTraining(replace(data, unlike=True), vectors, config)
    assert len(training.probe.projections) == 2
    before = [value.detach().clone() for value in training.probe.projections.parameters()]
    training.train()
    assert training.probe.mixture.tolist() == [1.0] * vectors.vectors.shape[1]
    for old, new in zip(before, training.probe.projections.parameters(), strict=True):
        assert (old != new).any()
    assert len(ProbeTraining(data, vectors, config).probe.projections) == 1


def test_single_examples_are_kept_for_comparisons() -> None:
    data, vectors = made_set(False)
    training = ProbeTraining(data, vectors, SpanProbeConfig(**{**vars(TINY), "pooling": "endpoint", "epochs": 2}))
    scores = training.train()
    found = training.items("made")
    assert len(found.scores) == 50
    assert 100 * found.scores.mean() == pytest.approx(scores.f1, abs=15)
    assert set(found.gold or ()) == {"plus", "minus"}
    assert compare_items(found, found, samples=10).difference.p == 1


def test_mistakes_are_named() -> None:
    data, vectors = made_set(False)
    with pytest.raises(InputError, match="Got 3 for 6 tokens"):
        TokenVectors.of(vectors.vectors[:3, 0], [6])
    with pytest.raises(InputError, match="needs examples in train, dev and test"):
        probe_spans(SpanSet("made", data.texts, {**data.examples, "dev": []}), vectors, TINY)
    with pytest.raises(ConfigError, match="dropout must be above 0"):
        check(SpanProbeConfig(dropout=0.0))


def test_micro_f1_counts_all_decisions_together() -> None:
    gold = np.array([[True, False], [False, True], [True, True]])
    assert micro_f1(gold, gold) == 100
    assert micro_f1(np.zeros_like(gold), gold) == 0
    assert micro_f1(np.zeros_like(gold), np.zeros_like(gold)) == 0
    assert micro_f1(np.ones_like(gold), gold) == pytest.approx(100 * 8 / 10)
