from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from everyword.config import build, to_dict
from everyword.errors import ConfigError, InputError
from everyword.files import fingerprint
from everyword.language_models.language_model import LanguageModel
from everyword.learning.interrupt import Interrupt
from everyword.learning.optimisers import RowOptimiser
from everyword.systems.skipgram import PreparedCorpus, SkipgramConfig, SkipgramRun, train_skipgram
from everyword.systems.skipgram.cached import CachedTrainer, RowMover
from everyword.systems.skipgram.config import EARLIER, Rule, Weighing, config_of_record
from everyword.systems.skipgram.network import attention, skipgram_loss
from everyword.systems.skipgram.state_cache import cached_states
from everyword.systems.skipgram.states import (
    read_states,
)
from everyword.systems.skipgram.train import SkipgramTraining
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

from .conftest import ANIMALS, PLACES, SHORT

SMALL = SkipgramConfig(
    dim=8, window=3, batch=32, epochs=2, weighing="attention", own_word=False, subsample=0, sentences=SHORT
)


@pytest.fixture
def run(prepared: PreparedCorpus, tmp_path: Path) -> SkipgramRun:
    return SkipgramRun(prepared, tmp_path / "run", SMALL)


def kinship(table: VectorTable) -> float:
    """How much nearer words are to their own kind than to the other one."""
    matrix = table.select([*ANIMALS, *PLACES]).matrix
    units = unit_rows(matrix - matrix.mean(axis=0))
    cosines, half = units @ units.T, len(ANIMALS)
    squares = (cosines[:half, :half], cosines[half:, half:])
    inside = np.concatenate([square[np.triu_indices(half, 1)] for square in squares])
    return float(inside.mean() - cosines[:half, half:].mean())


@pytest.mark.parametrize(
    "change",
    [
        {"weighing": "each", "rule": "adagrad", "learning_rate": 0.3},
        {"weighing": "equal", "rule": "sgd", "learning_rate": 0.2, "epochs": 6},
        {"weighing": "each", "subsample": 0.1, "own_word": True},
    ],
    ids=["each", "equal", "own word"],
)
def test_words_of_a_kind_come_together(bert: LanguageModel, run: SkipgramRun, change: dict[str, object]) -> None:
    # With the input layer, which knows each word, it is plain skip-gram; outputs of random layers say little of a word.
    before = {name: weights.clone() for name, weights in bert.network.state_dict().items()}
    table = train_skipgram(bert, replace(run, config=replace(SMALL, **{"epochs": 6, "layers": (0,)} | change)))  # type: ignore[arg-type]

    assert table is not None
    assert table.words == run.prepared.vocabulary.words
    assert kinship(table) > 0.3
    assert all(torch.equal(weights, before[name]) for name, weights in bert.network.state_dict().items())
    logged = [json.loads(line) for line in (run.folder / "log.jsonl").read_text().splitlines()]
    assert logged[-1]["loss"] < logged[0]["loss"]


class Shifted(LanguageModel):
    """An encoder whose outputs are stretched and share a long vector, as those of real ones do."""

    def forward(self, padded: torch.Tensor, mask: torch.Tensor, layers: Sequence[int] = (-1,)) -> torch.Tensor:
        outputs = super().forward(padded, mask, layers)
        scale = torch.linspace(0.5, 2, outputs.shape[-1])
        return outputs * scale + 5


@pytest.fixture
def shifted(bert: LanguageModel) -> Shifted:
    return Shifted(bert.network, bert.tokenizer)


ATTENTION = replace(SMALL, epochs=6, layers=(0,))


def test_attention_does_not_collapse_onto_what_all_outputs_share(
    shifted: Shifted, run: SkipgramRun, tmp_path: Path
) -> None:
    """The loss falls in both runs: only the vectors show that attention on raw outputs learns nothing of words."""
    found = {}
    for states in ("raw", "standardised"):
        chosen = replace(ATTENTION, states=states, rule="adam")
        table = train_skipgram(shifted, replace(run, folder=tmp_path / states, config=chosen))
        assert table is not None
        found[states] = kinship(table)
        first, *_, last = losses(tmp_path / states)
        assert last < 0.98 * first
    assert found["standardised"] > 0.3
    assert found["raw"] < found["standardised"] / 2


def test_standardised_outputs_do_not_depend_on_shift_and_scale(
    bert: LanguageModel, shifted: Shifted, run: SkipgramRun, tmp_path: Path
) -> None:
    one, other = (
        train_skipgram(model, replace(run, folder=tmp_path / name, config=replace(ATTENTION, epochs=1)))
        for name, model in (("plain", bert), ("shifted", shifted))
    )
    assert one is not None
    assert other is not None
    np.testing.assert_allclose(one.matrix, other.matrix, atol=1e-3)


def test_the_mean_and_spread_of_outputs_stay_with_the_table(bert: LanguageModel, run: SkipgramRun) -> None:
    training = SkipgramTraining(bert, replace(run, config=replace(SMALL, states="centred", epochs=1)))
    part = run.prepared.part(0)
    states = torch.cat([some for some, _ in read_states(bert, part, np.arange(len(part)), (-1,))])
    np.testing.assert_allclose(training.states["mean"], states.mean(dim=0), atol=1e-5)
    assert set(training.states["spread"]) == {1.0}
    training.loop.save()

    again = SkipgramTraining(bert, replace(run, config=training.config, resume=True))
    assert again.states == training.states
    raw = SkipgramTraining(bert, replace(run, config=replace(SMALL, states="raw")))
    assert raw.states == {}


def test_tables_from_before_outputs_were_standardised_still_load(bert: LanguageModel, run: SkipgramRun) -> None:
    old = to_dict(replace(SMALL, states="raw", subsample=0.0))
    for key in EARLIER:
        del old[key]
    training = SkipgramTraining(bert, replace(run, config=config_of_record(old)))
    prepared = run.prepared
    then = [old | {"checkpoint_steps": None}, prepared.fingerprint, prepared.sizes, bert.weights_fingerprint()]

    assert training.fingerprint == fingerprint(then)
    assert set(training.network.state_dict()) == {"table.weight", "projection"}


def test_scaled_attention_learns_too(bert: LanguageModel, run: SkipgramRun) -> None:
    table = train_skipgram(bert, replace(run, config=replace(ATTENTION, weighing="scaled-attention")))
    assert table is not None
    assert kinship(table) > 0.3


def test_weights_that_are_constants_give_other_gradients(bert: LanguageModel, run: SkipgramRun, tmp_path: Path) -> None:
    one, other = (
        train_skipgram(
            bert, replace(run, folder=tmp_path / str(stop), config=replace(ATTENTION, epochs=1, stop_gradient=stop))
        )
        for stop in (False, True)
    )
    assert one is not None
    assert other is not None
    assert not np.allclose(one.matrix, other.matrix, atol=1e-3)


CACHED = replace(
    ATTENTION, cache_states=True, rule="adagrad", learning_rate=0.02, centres=64, shared_negatives=32, epochs=10
)


@pytest.mark.parametrize("weighing", ["attention", "scaled-attention", "equal", "each"])
@pytest.mark.parametrize("stop_gradient", [False, True])
def test_the_written_gradients_are_those_of_the_loss(
    bert: LanguageModel, run: SkipgramRun, weighing: Weighing, stop_gradient: bool
) -> None:
    chosen = replace(CACHED, weighing=weighing, stop_gradient=stop_gradient, subsample=0.05, own_word=True)
    # With the gradient as it is, and cut to a length.
    chosen = replace(chosen, rule="sgd", clip=0.01 if stop_gradient else 0.0, clip_together=True)
    training = SkipgramTraining(bert, replace(run, config=chosen))
    network = training.network
    trainer = CachedTrainer(network, cached_states(bert, run.prepared, (0,)), run.prepared, chosen)
    torch.nn.init.normal_(network.table.weight, generator=torch.Generator().manual_seed(1))
    before = [parameter.detach().clone() for parameter in (network.table.weight, network.projection)]
    generator = torch.Generator().manual_seed(2)
    centres, negatives = torch.tensor([0, 5, 6, 40]), torch.tensor([1, 2, 2, 7, 9])
    noise = torch.rand(4, 7, generator=generator)

    context, mask = trainer.tokens.context(centres, trainer._offsets)
    mask &= noise < trainer._kept[context]
    projected = network.project(trainer.cache.states[centres].float())
    products = (network.table.weight[context] * projected[:, None]).sum(dim=2)
    weights = None if weighing == "each" else attention(products, mask, weighing, chosen.dim)
    weights = weights.detach() if weights is not None and stop_gradient else weights
    against = projected @ network.table.weight[negatives].T
    share = chosen.negatives / len(negatives)
    loss = skipgram_loss(products, mask, against, torch.tensor(share), weights)
    gradients = torch.autograd.grad(loss, [network.table.weight, network.projection])
    with torch.no_grad():
        trainer._step(centres, negatives, noise, torch.tensor(0.5))

    norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
    gradients = [gradient * (0.01 / norm if stop_gradient else 1) for gradient in gradients]
    for parameter, old, gradient in zip((network.table.weight, network.projection), before, gradients, strict=True):
        torch.testing.assert_close(parameter.detach(), old - 0.5 * gradient, atol=1e-4, rtol=1e-4)
    assert float(trainer._loss) == pytest.approx(loss.item(), rel=1e-4)


def test_cached_outputs_teach_too(bert: LanguageModel, run: SkipgramRun, monkeypatch: pytest.MonkeyPatch) -> None:
    table = train_skipgram(bert, replace(run, config=CACHED))
    assert table is not None
    assert kinship(table) > 0.3
    again = SkipgramTraining(bert, replace(run, config=CACHED, resume=True))
    np.testing.assert_allclose(again.table().matrix, table.matrix, atol=1e-6)
    monkeypatch.setattr(bert, "forward", lambda *_: pytest.fail("the encoder reads again"))
    raw = replace(run, folder=run.folder / "raw", config=replace(CACHED, states="raw", weighing="each"))
    assert train_skipgram(bert, raw) is not None


def test_a_training_on_cached_outputs_that_diverges_is_told(bert: LanguageModel, run: SkipgramRun) -> None:
    wild = replace(CACHED, rule="sgd", learning_rate=1e9, clip=0.0)
    with pytest.raises(InputError, match="The training diverged in epoch 1"):
        train_skipgram(bert, replace(run, config=wild))


@pytest.mark.parametrize("rule", ["sgd", "adagrad", "adam"])
def test_rows_move_as_an_optimiser_moves_them(rule: Rule) -> None:
    ours, theirs = torch.nn.Embedding(6, 3, sparse=True), torch.nn.Embedding(6, 3, sparse=True)
    theirs.load_state_dict(ours.state_dict())
    mover, optimiser = RowMover(ours.weight.data, rule, clip=1.0), RowOptimiser(theirs, rule, 0.1, clip=1.0)
    for step in range(4):
        rows = torch.tensor([1, 4, 1, step])
        gradients = torch.randn(4, 3, generator=torch.Generator().manual_seed(step))
        optimiser.zero_grad()
        (theirs(rows) * gradients).sum().backward()
        optimiser.step()
        mover.move(rows, gradients, torch.tensor(0.1))
        mover.move(rows, gradients, torch.tensor(0.0))
    torch.testing.assert_close(ours.weight.data, theirs.weight.data, atol=1e-5, rtol=1e-4)


def test_what_all_vectors_share_is_taken_from_them(bert: LanguageModel, run: SkipgramRun, tmp_path: Path) -> None:
    plain, centred = (
        train_skipgram(bert, replace(run, folder=tmp_path / name, config=replace(SMALL, epochs=1, centred=centred)))
        for name, centred in (("plain", False), ("centred", True))
    )
    assert plain is not None
    assert centred is not None
    np.testing.assert_allclose(centred.matrix, plain.matrix - plain.matrix.mean(axis=0), atol=1e-6)


def test_equal_seeds_give_equal_tables(bert: LanguageModel, run: SkipgramRun, tmp_path: Path) -> None:
    one, same, other = (
        train_skipgram(bert, replace(run, folder=tmp_path / name, config=replace(SMALL, epochs=1, seed=seed)))
        for name, seed in (("one", 0), ("same", 0), ("other", 1))
    )
    assert one is not None
    assert same is not None
    assert other is not None
    np.testing.assert_array_equal(one.matrix, same.matrix)
    assert not np.array_equal(one.matrix, other.matrix)


@pytest.mark.parametrize("rule", ["sgd", "adagrad", "adam"])
def test_a_stopped_run_goes_on_to_the_same_table(
    bert: LanguageModel, run: SkipgramRun, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = replace(run, config=replace(SMALL, rule=rule))  # type: ignore[arg-type]
    whole = train_skipgram(bert, run)
    stopped = replace(run, folder=tmp_path / "stopped")
    asked = iter([False] * 13 + [True] * 9)
    with monkeypatch.context() as patch:
        patch.setattr(Interrupt, "requested", property(lambda _: next(asked), lambda *_: None), raising=False)
        assert train_skipgram(bert, stopped) is None
    resumed = train_skipgram(bert, replace(stopped, resume=True))

    assert whole is not None
    assert resumed is not None
    np.testing.assert_array_equal(whole.matrix, resumed.matrix)
    assert losses(run.folder) == pytest.approx(losses(stopped.folder))


def losses(folder: Path) -> list[float]:
    return [json.loads(line)["loss"] for line in (folder / "log.jsonl").read_text().splitlines()]


def test_a_killed_run_loses_no_more_than_the_steps_since_its_checkpoint(bert: LanguageModel, run: SkipgramRun) -> None:
    run = replace(run, config=replace(SMALL, checkpoint_steps=4))
    for _ in islice(SkipgramTraining(bert, run).loop.steps(), 7):
        pass

    assert SkipgramTraining(bert, replace(run, resume=True)).done == 4


def test_another_configuration_is_not_resumed(bert: LanguageModel, run: SkipgramRun) -> None:
    SkipgramTraining(bert, run).loop.save()
    other = replace(run, config=replace(SMALL, window=2), resume=True)
    with pytest.raises(InputError, match="started with another configuration"):
        SkipgramTraining(bert, other)


def test_wrong_values_are_told_together() -> None:
    with pytest.raises(ConfigError, match=r"window must be 1.*learning_rate must be above.*clip must be 0"):
        build(SkipgramConfig, {"window": 0, "clip": -1, "learning_rate": 0})
    with pytest.raises(ConfigError, match=r"shortest must be 2.*min_count must be 1"):
        build(SkipgramConfig, {"sentences": {"shortest": 1, "min_count": 0}})


def test_attention_over_a_sentence_stays_in_the_window(
    bert: LanguageModel, run: SkipgramRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[3] / "benchmarks")
    attention_in = import_module("skipgram_attention").attention_in
    seen = attention_in(SkipgramTraining(bert, run), "The dog walked in New York, unheard of")

    assert list(seen.words) == ["the", "dog", "walked", "in", "new", "york"] == list(seen.centres)
    np.testing.assert_allclose(seen.weights.sum(axis=1), 1, rtol=1e-5)
    assert (seen.weights.diagonal() == 0).all()
    assert seen.weights[0, 4:].tolist() == [0, 0]
    with pytest.raises(InputError, match="does not have two words of the table"):
        attention_in(SkipgramTraining(bert, run), "unheard")
