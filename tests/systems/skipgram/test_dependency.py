"""Vectors from syntax: what is learnt, what is kept, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from everyword.cli import main
from everyword.config import build
from everyword.errors import ConfigError, InputError
from everyword.systems.skipgram import PreparedCorpus, SentencesConfig, prepare
from everyword.systems.skipgram.baselines import dependency
from everyword.systems.skipgram.baselines.config import DependencyConfig
from everyword.systems.skipgram.baselines.dependency import (
    PairNetwork,
    SyntaxPairs,
    dependency_table,
    find_pairs,
    frequent_contexts,
)
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

from .made_trees import ANIMALS, FOODS, as_conllu, made_corpus

SHORT = SentencesConfig(shortest=4, longest=12, min_count=2)
SMALL = DependencyConfig(dim=8, epochs=12, batch=64, context_count=2, rule="adagrad", learning_rate=0.2)


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parsed") / "made.conllu"
    path.write_text("".join(as_conllu(words) for words in made_corpus(200)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def ready(parsed: Path, tmp_path_factory: pytest.TempPathFactory) -> PreparedCorpus:
    return prepare([parsed], tmp_path_factory.mktemp("ready"), SHORT)


@pytest.fixture(scope="module")
def parts(parsed: Path, ready: PreparedCorpus, tmp_path_factory: pytest.TempPathFactory) -> SyntaxPairs:
    """Several of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dependency, "PAIRS_A_PART", 700)
        return find_pairs([parsed], tmp_path_factory.mktemp("pairs"), ready, None)


def test_every_pair_is_kept_once_and_contexts_are_counted(parts: SyntaxPairs, ready: PreparedCorpus) -> None:
    sentences, words = made_corpus(200), ready.vocabulary.words
    assert sum(parts.sizes) == 200 * 4 * 2  # four joined pairs, from either side
    assert len(parts.sizes) == 3
    contexts = frequent_contexts(parts, 1)
    named = {
        f"{words[number % len(words)]}/{parts.record['relations'][number // len(words)]}": count
        for number, count in zip(contexts.numbers.tolist(), contexts.counts.tolist(), strict=True)
    }
    assert named["cats/nsubj"] == sum(sentence[1] == "cats" for sentence in sentences)
    assert named["eat/obl_in-1"] == sum(sentence[2] == "eat" for sentence in sentences)
    assert not any(name.startswith(("in/", "./")) for name in named)
    rows, known = frequent_contexts(parts, 40).rows(contexts.numbers)
    assert known.tolist() == (contexts.counts >= 40).tolist()
    assert rows[known].tolist() == list(range(int(known.sum())))


def test_words_that_are_joined_alike_are_alike(parts: SyntaxPairs, ready: PreparedCorpus) -> None:
    table = dependency_table(ready, parts, SMALL, device="cpu")
    units = unit_rows(table.select([*ANIMALS, *FOODS]).matrix)
    cosines = units @ units.T

    assert table.words == ready.vocabulary.words
    assert cosines[:3, :3].mean() > cosines[:3, 3:].mean() + 0.5
    again = dependency_table(ready, parts, SMALL, device="cpu")
    np.testing.assert_array_equal(table.matrix, again.matrix)
    other = dependency_table(ready, parts, replace(SMALL, seed=1), device="cpu")
    assert not np.array_equal(table.matrix, other.matrix)


@pytest.mark.parametrize("sparse", [True, False])
def test_the_loss_is_that_of_a_loop(sparse: bool) -> None:
    network = PairNetwork(4, 5, 3, seed=0, sparse=sparse)
    with torch.no_grad():
        network.contexts.weight.normal_(generator=torch.Generator().manual_seed(1))
    words, contexts = torch.tensor([1, 3]), torch.tensor([0, 4])
    negatives, share = torch.tensor([2, 1, 2]), 0.5
    own, met = (table.weight.detach().double().numpy() for table in (network.words, network.contexts))
    expected = 0.0
    for word, context in ((1, 0), (3, 4)):
        expected += np.log1p(np.exp(-own[word] @ met[context]))
        expected += share * sum(np.log1p(np.exp(own[word] @ met[other])) for other in negatives)

    assert network.loss(words, contexts, negatives, torch.tensor(share)).item() == pytest.approx(expected, rel=1e-5)


def test_what_was_parsed_is_not_parsed_again(
    parsed: Path, ready: PreparedCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = find_pairs([parsed], tmp_path / "pairs", ready, None)
    with monkeypatch.context() as patch:
        patch.setattr(dependency, "trees_of", lambda *_: pytest.fail("parsed again"))
        assert find_pairs([parsed], tmp_path / "pairs", ready, None) == first
    more = tmp_path / "more.conllu"
    more.write_text(parsed.read_text() + as_conllu(made_corpus(1)[0]))
    with pytest.raises(InputError, match="holds pairs of another corpus"):
        find_pairs([more], tmp_path / "pairs", ready, None)
    assert find_pairs([parsed], tmp_path / "pairs", ready, None) == first
    assert find_pairs([more], tmp_path / "pairs", ready, None, overwrite=True).sizes == [first.sizes[0] + 8]
    (tmp_path / "pairs" / dependency.RECORD).write_text("{")
    with pytest.raises(InputError, match=r"pairs.json is damaged; remove .*pairs to parse"):
        find_pairs([more], tmp_path / "pairs", ready, None)


def test_a_corpus_without_pairs_is_refused(parts: SyntaxPairs, ready: PreparedCorpus, tmp_path: Path) -> None:
    strange = tmp_path / "strange.conllu"
    strange.write_text(as_conllu(["ab", "bc", "cd", "de", "ef", "fg", "gh"]))
    with pytest.raises(InputError, match=r"No sentence of strange.conllu joins two words"):
        find_pairs([strange], tmp_path / "pairs", ready, None)
    with pytest.raises(InputError, match="contexts occur 999 times or more"):
        frequent_contexts(parts, 999)
    with pytest.raises(ConfigError, match=r"context_count must be 1.*learning_rate must be above 0.*clip must be 0"):
        build(DependencyConfig, {"context_count": 0, "clip": -1, "learning_rate": -1})


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)

    def run_refused(*arguments: object) -> str:
        result = CliRunner().invoke(main, ["train", "static", *map(str, arguments), "--output", "deps.npy"])
        assert result.exit_code == 2, result.output
        assert result.stderr.count("\n") == 1
        assert not (tmp_path / "deps.npy").exists()
        return result.stderr

    return run_refused


def test_the_command_reads_what_was_parsed_and_parses_what_was_not(
    parsed: Path, pipeline: Path, ready: PreparedCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = ["dim=5", "epochs=1", "sentences.shortest=4", "sentences.longest=12", "sentences.min_count=2"]
    asked = ["train", "static", "dependency", "--corpus", str(parsed), "--prepared", str(ready.folder), "--quiet"]
    done = CliRunner().invoke(main, [*asked, "--output", "deps.vec", *settings])

    assert done.exit_code == 0, done.output
    assert VectorTable.load(tmp_path / "deps.vec").words == ready.vocabulary.words
    record = json.loads((tmp_path / "deps.vec.record.json").read_text())
    assert (record["method"], record["parser"], record["pairs"]) == ("dependency", None, 1600)
    assert record["corpus"]["stamp"] == ready.fingerprint
    with monkeypatch.context() as patch:
        patch.setattr(dependency, "trees_of", lambda *_: pytest.fail("parsed again"))
        again = CliRunner().invoke(main, [*asked, "--output", "again.vec", *settings, "seed=1"])
    assert again.exit_code == 0, again.output
    assert (tmp_path / "again.vec").read_bytes() != (tmp_path / "deps.vec").read_bytes()

    text = tmp_path / "text.txt"
    text.write_text("".join(" ".join(words) + "\n" for words in made_corpus(200)))
    asked = ["train", "static", "dependency", "--corpus", str(text), "--parser", str(pipeline), "--quiet"]
    done = CliRunner().invoke(main, [*asked, "--output", "same.vec", *settings])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "same.vec").read_bytes() == (tmp_path / "deps.vec").read_bytes()
    assert json.loads((tmp_path / "same.vec.record.json").read_text())["parser"].startswith("en_pipeline")


def test_refusals_of_the_command(
    refused: Callable[..., str], parsed: Path, ready: PreparedCorpus, tmp_path: Path
) -> None:
    text, empty, wrong = tmp_path / "text.txt", tmp_path / "empty.conllu", tmp_path / "wrong.conllu"
    text.write_text("Some plain text that nobody parsed.\n")
    empty.write_text("")
    wrong.write_text("1\tcats\n")
    assert "text.txt is text: name a spaCy pipeline" in refused("dependency", "--corpus", text)
    assert "dependency needs --corpus" in refused("dependency", "--prepared", ready.folder)
    assert "--parser goes with dependency" in refused("glove", "--corpus", text, "--parser", "en_core_web_sm")
    assert "cannot be loaded as a spaCy pipeline" in refused("dependency", "--corpus", text, "--parser", "nothing")
    assert "No line of empty.conllu" in refused("dependency", "--corpus", empty)
    assert "wrong.conllu:1: a token of CoNLL-U has 10 columns" in refused("dependency", "--corpus", wrong)
    assert "prepared from other files" in refused("dependency", "--corpus", wrong, "--prepared", ready.folder)
