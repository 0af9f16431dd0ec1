"""Questions about trees and spans, asked as `everyword probe` asks them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from made import write
from tiny import tiny_table

from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.probes.intervals import mean_interval, ratio_interval
from everyword.evaluation.probes.probe import CONTROL_LABELS, MAJORITY, ProbeScore, ProbeSettings, choose_probes
from everyword.evaluation.probes.probing import Probing
from everyword.evaluation.probes.representation import Representation, StaticVectors
from everyword.evaluation.probes.span_probes import scaled
from everyword.evaluation.probes.token_vectors import TokenVectors
from everyword.evaluation.probes.tree_probes import WORD_ALONE

QUICK = ProbeSettings(quick=True, control_labels=True)
ITEMS = {"score", "gold", "predicted", "word", "group"}


@pytest.fixture
def words() -> StaticVectors:
    """A table without any handling of unknown words."""
    return StaticVectors(evaluated_table(tiny_table(), "tiny", fingerprint="f" * 64))


def _verbs_and_nouns() -> tuple[list[str], list[str]]:
    words = tiny_table().words
    return [word for word in words if word.endswith("ing")], [word for word in words if word.endswith("ness")]


def ask(asked: Representation, name: str, paths: Sequence[Path], settings: ProbeSettings = QUICK) -> ProbeScore:
    [probe] = choose_probes([name])
    steps: list[tuple[int, int]] = []
    found = probe.run(asked, paths, settings, lambda done, of: steps.append((done, of)))
    assert steps == [(1, 3), (2, 3), (3, 3)]
    return found


def test_the_phrase_of_a_word_is_read_from_its_vector(words: StaticVectors, tmp_path: Path) -> None:
    verbs, nouns = _verbs_and_nouns()
    rng = np.random.default_rng(0)
    rows = []
    for number in range(60):
        verb, noun = verbs[rng.integers(len(verbs))], nouns[rng.integers(len(nouns))]
        rows.append(f"d{number // 3}\t(S (NP (NN {noun}) (NN zzz{number})) (VP (VB {verb}) (RB {verb})))")
    path = write(tmp_path / "trees.tsv", "file\ttree\n" + "\n".join(rows) + "\n")
    found = ask(words, "tree-parent", [path])
    assert found.controls.keys() == {WORD_ALONE, MAJORITY, CONTROL_LABELS}
    assert found.value > found.controls[MAJORITY]
    assert found.interval is not None
    assert found.interval[0] <= found.value <= found.interval[1]
    assert found.parts.keys() == {"words seen in training", "new words"}
    assert set(found.details) == {"NP", "VP"}
    assert set(found.items) == ITEMS
    assert {len(column) for column in found.items.values()} == {found.n}
    assert ask(words, "tree-great-grandparent", [path]).value == 100  # all are above the root


def test_types_of_names_and_roles_are_read_from_spans(words: StaticVectors, tmp_path: Path) -> None:
    verbs, nouns = _verbs_and_nouns()
    rng = np.random.default_rng(0)
    lines, roles = [], []
    for _ in range(80):
        verb, noun = verbs[rng.integers(len(verbs))], nouns[rng.integers(len(nouns))]
        lines.append(f"{verb}\tB-A\n{verb}\tI-A\nof\tO\n{noun}\tB-B\n")
        tags = ["B-ARG0", "B-V", "B-ARG1", "O"]
        roles.append(json.dumps({"tokens": [noun, "of", verb, "."], "predicates": [{"index": 1, "tags": tags}]}))
    names = write(tmp_path / "names.conll", "\n".join(lines))
    found = ask(words, "span-entities", [names] * 15)
    assert found.value > found.controls[MAJORITY]
    assert found.metric == "F1"
    assert set(found.details) == {"A", "B"}
    assert set(found.items) == ITEMS
    path = write(tmp_path / "roles.jsonl", "\n".join(roles) + "\n")
    assert ask(words, "span-roles", [path] * 3, ProbeSettings(quick=True)).value > 60


def test_wrong_sets_are_skipped_with_path_and_line(words: StaticVectors, tmp_path: Path) -> None:
    folder = tmp_path / "trees"
    folder.mkdir()
    (folder / "ptb_sample.tsv.gz").write_bytes(gzip.compress(b"file\ttree\nd\t(S (NN a)\n"))
    probes = choose_probes(["tree-parent", "span-constituents", "span-coreference"])
    parent, constituents, coreference = Probing(tmp_path, QUICK).ask(words, probes)
    for answer in (parent, constituents):
        assert answer.result is None
        assert "ptb_sample.tsv.gz:2: is not a tree: its brackets do not match" in answer.reason
    assert "There is no file" in coreference.reason


def test_zeros_stay_zeros_when_vectors_are_scaled() -> None:
    vectors = np.array([[[0.0, 0.0]], [[100.0, -100.0]]], dtype=np.float32)
    found = scaled(TokenVectors.of(vectors, [2]))
    assert found.vectors[:, 0].tolist() == [[0.0, 0.0], [1.0, -1.0]]
    nothing = TokenVectors.of(np.zeros((2, 3), dtype=np.float32), [2])
    assert not scaled(nothing).vectors.any()


def test_the_interval_of_a_ratio_is_that_of_a_mean_if_all_wholes_are_one() -> None:
    values, groups = np.random.default_rng(0).normal(size=60), np.arange(60) // 4
    assert ratio_interval(values, np.ones(60), groups) == mean_interval(values, groups)
    low, high = ratio_interval(200 * np.ones(30), 2 * np.ones(30))
    assert (low, high) == (100, 100)
