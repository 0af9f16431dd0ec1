"""Training on paraphrases: networks, negatives, loss; resumed, saved, and the same without torch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import get_args

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from made import write
from torch.nn.utils.rnn import pack_sequence

from everyword.cli import main
from everyword.config import build, check
from everyword.errors import ConfigError, InputError
from everyword.learning.loop import RunContext
from everyword.models.model import Model
from everyword.sentences.gaussian import Gaussians, divergences
from everyword.sentences.operators import WordOperators
from everyword.systems.operators.config import Method, OperatorsConfig
from everyword.systems.operators.networks import Encoded, build_network, margin_loss, most_similar, similarity
from everyword.systems.operators.pairs import Paraphrases, ScoredPairs, read_paraphrases, read_scored_pairs
from everyword.systems.operators.train import OperatorsRun, OperatorsTraining, contents, train_operators
from everyword.systems.operators.trained import load_network

METHODS = get_args(Method)
TINY = OperatorsConfig(dim=6, hidden=8, epochs=2, batch=5, mega_batch=2, learning_rate=0.02, min_count=1, words=10)
ANIMALS = ("cat", "dog", "cow", "bird", "horse")
DEEDS = {"sat": "rested", "ran": "raced", "ate": "dined", "slept": "dozed"}


@pytest.fixture(scope="module")
def pairs() -> Paraphrases:
    every = [
        (["the", animal, deed, place], ["a", animal, DEEDS[deed], place])
        for animal in ANIMALS
        for deed in DEEDS
        for place in ("there", "here", "outside")
    ]
    return Paraphrases(Random(5).sample(every, 33), {"made": 33}, "made")  # the last batches are not full


def training(method: str, pairs: Paraphrases, model: Model | None = None, **given: object) -> OperatorsTraining:
    config = replace(TINY, method=method)  # type: ignore[arg-type]
    return OperatorsTraining(OperatorsRun(config, pairs, model if method == "mapped" else None, **given))  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_learns_all_its_parameters(method: str, pairs: Paraphrases, tiny_model: Model) -> None:
    run = training(method, pairs, tiny_model)
    before = {name: value.detach().clone() for name, value in run.network.named_parameters()}
    trained = run.train()
    assert trained is not None
    assert before
    for name, value in run.network.named_parameters():
        assert (value != before[name]).any(), name
    first, last = run.loop.history[0]["loss"], run.loop.history[-1]["loss"]
    assert last < first
    texts = ["the cat sat", "a cat rested there", "the horse ran", "unheard of", ""]
    assert np.isfinite(trained.specificities(texts)).all()
    similarities = trained.similarities(texts, texts)
    assert similarities[:3] == pytest.approx(np.ones(3), abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_resumed_training_ends_as_an_unbroken_one(
    method: str, pairs: Paraphrases, tiny_model: Model, tmp_path: Path
) -> None:
    whole = training(method, pairs, tiny_model)
    whole.train()
    stopped = training(method, pairs, tiny_model, context=RunContext(tmp_path))
    steps = stopped.loop.steps()
    for _ in range(8):  # inside the first mega-batch of the second epoch
        next(steps)
    stopped.loop.save()
    resumed = training(method, pairs, tiny_model, context=RunContext(tmp_path, resume=True))
    resumed.train()
    for name, value in whole.network.state_dict().items():
        torch.testing.assert_close(resumed.network.state_dict()[name], value, rtol=0, atol=0)


@pytest.mark.parametrize("method", ["operators", "mapped"])
def test_operators_read_texts_without_torch_as_with_it(method: str, pairs: Paraphrases, tiny_model: Model) -> None:
    trained = training(method, pairs, tiny_model).train()
    assert trained is not None
    texts = ["the cat sat", "a dog raced there there", "cow", "the unheard cat"]
    ours, theirs = trained.operators().encode(texts), trained.encode(texts)
    assert ours.means == pytest.approx(theirs.means, abs=1e-5)
    assert ours.log_deviations == pytest.approx(theirs.log_deviations, abs=1e-5)
    assert trained.operators().specificities(texts) == pytest.approx(trained.specificities(texts), abs=1e-4)
    assert trained.operators().similarities(texts, texts[::-1]) == pytest.approx(
        trained.similarities(texts, texts[::-1]), abs=1e-5
    )


def test_likelihood_and_divergence_are_those_of_numpy() -> None:
    torch.manual_seed(0)
    one, other = (Encoded(torch.randn(4, 3), torch.randn(4, 3), torch.zeros(())) for _ in range(2))
    plain = [
        Gaussians(part.means.double().numpy(), part.log_deviations.double().numpy())  # type: ignore[union-attr]
        for part in (one, other)
    ]
    assert similarity(one, other).numpy() == pytest.approx(plain[0].expected_likelihoods(plain[1]), rel=1e-5)
    network = build_network(replace(TINY, method="operators"), 4)
    rows = torch.tensor([0, 3, 4])
    scale, shift = (part.detach().numpy() for part in network.operators(rows))  # type: ignore[operator]
    penalty = network(pack_sequence([rows])).penalty
    assert float(penalty.detach()) == pytest.approx(divergences(scale, shift).sum(), rel=1e-4)


@pytest.mark.parametrize("gaussian", [True, False])
def test_negatives_are_the_most_similar_texts_of_other_pairs(gaussian: bool) -> None:
    torch.manual_seed(1)
    deviations = torch.randn(38, 3) if gaussian else None  # more than are compared at a time
    texts = Encoded(torch.randn(38, 3), deviations, torch.zeros(()))
    content = torch.arange(38)
    content[20] = 5  # the same words as in another pair
    found = most_similar(texts, content)
    for text in range(38):
        own = {int(content[text]), int(content[text ^ 1])}
        others = [row for row in range(38) if int(content[row]) not in own]
        many = texts.rows(torch.tensor([text] * len(others)))
        assert others[int(similarity(many, texts.rows(torch.tensor(others))).argmax())] == int(found[text])


def test_texts_of_the_same_words_are_the_same() -> None:
    assert contents([np.array([1, 2]), np.array([3]), np.array([2, 1]), np.array([1, 2, 1])]).tolist() == [0, 1, 0, 2]


def test_the_loss_is_zero_once_pairs_are_nearer_by_the_margin() -> None:
    def vectors(*rows: list[float]) -> Encoded:
        return Encoded(torch.tensor(rows), None, torch.zeros(()))

    one, same, other = vectors([1.0, 0.0]), vectors([2.0, 0.0]), vectors([0.0, 1.0])
    assert float(margin_loss(one, same, (other, other), 0.4)) == 0
    assert float(margin_loss(one, other, (same, one), 0.4)) == pytest.approx((0.4 - 0 + 1) + (0.4 - 0 + 0))


def test_scrambling_changes_the_order_of_words_only(pairs: Paraphrases) -> None:
    run = training("operators", pairs)
    texts, again = run._mega_batch(1, 0), training("operators", pairs)._mega_batch(1, 0)
    assert all((one == other).all() for one, other in zip(texts, again, strict=True))
    plain = [text for pair in run._order(1)[:10] for text in run.pairs[pair]]
    assert [sorted(text) for text in texts] == [sorted(text) for text in plain]
    changed = sum((one != other).any() for one, other in zip(texts, plain, strict=True))
    assert 0 < changed < len(texts)


def test_the_best_epoch_of_scored_pairs_is_kept(pairs: Paraphrases) -> None:
    dev = ScoredPairs(
        ["the cat sat", "the cat sat", "a dog"], ["a cat rested there", "the cow ran", "a dog"], [4, 1, 5]
    )
    run = training("average", pairs, dev=dev)
    trained = run.train()
    assert trained is not None
    scores = [report["pearson"] for report in run.loop.history]
    cosines = trained.similarities(dev.first, dev.second)
    assert 100 * np.corrcoef(cosines, dev.scores)[0, 1] == pytest.approx(max(scores), abs=1e-3)


def test_a_sum_is_longer_than_a_mean_by_the_number_of_words(pairs: Paraphrases) -> None:
    trained = training("average", pairs).train()
    assert trained is not None
    texts = ["the cat", "the cat sat there", "dog"]
    assert trained.specificities(texts, summed=True) == pytest.approx(trained.specificities(texts) * [2, 4, 1])
    with pytest.raises(InputError, match="learns no operators"):
        trained.operators()


@pytest.mark.parametrize("method", ["average", "lstm", "lstm-gaussian"])
def test_networks_are_saved_and_loaded(method: str, pairs: Paraphrases, tmp_path: Path) -> None:
    trained, path = training(method, pairs).train(), tmp_path / "network.safetensors"
    assert trained is not None
    trained.save(path)
    again = load_network(path)
    texts = ["the cat sat", "a dog"]
    assert again.specificities(texts) == pytest.approx(trained.specificities(texts), rel=1e-6)
    assert again.record == trained.record
    with pytest.raises(InputError, match="cannot be read as word operators"):
        WordOperators.load(path)
    path.write_bytes(b"something else")
    with pytest.raises(InputError, match="cannot be read as a trained network"):
        load_network(path)


def test_settings_that_do_not_go_together_are_refused(pairs: Paraphrases) -> None:
    with pytest.raises(ConfigError, match="batch times mega_batch"):
        check(replace(TINY, batch=1, mega_batch=1))
    with pytest.raises(ConfigError, match="'method' must be one of"):
        build(OperatorsConfig, {"method": "operator"})
    with pytest.raises(InputError, match="need a model"):
        train_operators(OperatorsRun(replace(TINY, method="mapped"), pairs))
    assert replace(TINY, method="lstm").used_margin == 0.4
    assert replace(TINY, margin=0.7).used_margin == 0.7


def test_pairs_are_read_from_files_of_several_kinds(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.tsv", "sentence1\tsentence2\nThe cat.\tA cat!\nsame\tSame\n...\tx\n")
    nli = "label\tpremise\thypothesis\nentailment\ta b\tb\nneutral\ta\tc\n1\tq r\tr q\n"
    found = read_paraphrases([plain, write(tmp_path / "nli.tsv", nli)])
    assert list(found.pairs) == [(["the", "cat"], ["a", "cat"]), (["a", "b"], ["b"]), (["q", "r"], ["r", "q"])]
    assert found.files == {"plain.tsv": 1, "nli.tsv": 2}
    assert found.vocabulary(2) == ["a", "b", "cat", "q", "r"]
    assert [[row.tolist() for row in pair] for pair in found.rows(["a", "b"], 1)] == [
        [[2], [0]],
        [[0], [1]],
        [[2], [2]],
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one\ttwo\na\tb\n", ":1: the first line must name the columns"),
        ("label\tsentence1\tsentence2\n1\ta\n", ":2: needs 3 cells"),
        ("sentence1\tsentence2\na\tb\n", "hold 1 paraphrases"),
    ],
)
def test_wrong_files_of_pairs_are_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        read_paraphrases([write(tmp_path / "wrong.tsv", text)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tb\nx\ty\n", ":1: needs the columns"),
        ("sentence1\tsentence2\tscore\nx\ty\tnan\n", ":2: needs two texts and a number"),
        ("sentence1\tsentence2\tscore\nx\ty\t1\n", "needs two or more"),
    ],
)
def test_wrong_files_of_scores_are_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        read_scored_pairs(write(tmp_path / "wrong.tsv", text))


def test_the_command_trains_and_saves(tmp_path: Path, pairs: Paraphrases) -> None:
    rows = "".join(f"{' '.join(one)}\t{' '.join(other)}\n" for one, other in pairs.pairs)
    given = write(tmp_path / "pairs.tsv", "sentence1\tsentence2\n" + rows)
    output = tmp_path / "operators.safetensors"
    command = ["train", "operators", "--pairs", str(given), "--output", str(output), "--quiet", "dim=4", "epochs=1"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    operators = WordOperators.load(output)
    assert operators.dim == 4
    assert operators.record["pairs"] == {"pairs.tsv": 33}
    refused = CliRunner().invoke(main, [*command, "--overwrite", "--model", "everyword-en-small"])
    assert "goes with method=mapped" in refused.output
    assert "exists already" in CliRunner().invoke(main, command).output
