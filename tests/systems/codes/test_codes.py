"""Speaker, channel and listener: bits, losses, games side by side; trained, resumed, saved; from the shell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from everyword.cli import main
from everyword.config import check
from everyword.errors import ConfigError, InputError
from everyword.learning.loop import RunContext
from everyword.systems.codes.config import CodesConfig
from everyword.systems.codes.network import Games, bernoulli_divergence, straight_through
from everyword.systems.codes.strings import sample_of, split, strings_of
from everyword.systems.codes.train import CodesRun, CodesTraining, train_codes
from everyword.systems.codes.trained import TrainedCode

TINY = CodesConfig(
    concepts=2,
    values=3,
    bits=4,
    hidden=24,
    embedding=8,
    bit_embedding=4,
    train_share=0.9,
    steps=150,
    batch=32,
    learning_rate=0.02,
)


def test_bits_are_exactly_zero_or_one_and_learn_as_their_relaxation_does() -> None:
    torch.manual_seed(0)
    noise, temperature = torch.rand(50, 4), torch.tensor(0.7)
    given = [torch.randn(50, 4, requires_grad=True)]
    given.append(given[0].detach().clone().requires_grad_())
    bits = straight_through(given[0], noise, temperature)
    assert set(bits.unique().tolist()) == {0.0, 1.0}
    soft = ((given[1] + noise.log() - (1 - noise).log()) / temperature).sigmoid()
    weights = torch.randn(50, 4)
    (bits * weights).sum().backward()
    (soft * weights).sum().backward()
    assert given[0].grad is not None
    torch.testing.assert_close(given[0].grad, given[1].grad)


def test_bits_are_drawn_with_the_chances_that_the_speaker_gives() -> None:
    generator = torch.Generator().manual_seed(1)
    bits = straight_through(torch.tensor([-1.0, 0.0, 2.0]), torch.rand(20_000, 3, generator=generator), torch.tensor(1))
    assert bits.mean(dim=0).numpy() == pytest.approx(1 / (1 + np.exp([1.0, 0.0, -2.0])), abs=0.02)


def test_the_divergence_of_bits_is_that_of_the_formula() -> None:
    q, r = np.array([0.2, 0.5, 0.9]), np.array([0.5, 0.5, 0.1])
    logits = [torch.from_numpy(np.log(p / (1 - p))) for p in (q, r)]
    wanted = q * np.log(q / r) + (1 - q) * np.log((1 - q) / (1 - r))
    assert bernoulli_divergence(*logits).numpy() == pytest.approx(wanted)


def test_games_side_by_side_are_what_they_are_alone() -> None:
    games = [replace(TINY, bits=bits, seed=seed) for bits, seed in ((4, 0), (3, 1), (4, 2))]
    together = Games(games)
    strings = torch.from_numpy(sample_of(TINY))
    noise = torch.rand(3, len(strings), 4, generator=torch.Generator().manual_seed(3))
    played = together(strings.expand(3, -1, -1), noise)
    (played.reconstruction + 0.1 * played.divergence).sum().backward()
    for number, config in enumerate(games):
        alone = Games([config])
        own = alone(strings[None], noise[number : number + 1, :, : config.bits])
        (own.reconstruction + 0.1 * own.divergence).sum().backward()
        torch.testing.assert_close(played.symbol_logits[number], own.symbol_logits[0])
        torch.testing.assert_close(played.divergence[number], own.divergence[0])
        torch.testing.assert_close(
            together.speaker.of_state.grad[number], alone.speaker.of_state.grad[0], rtol=1e-3, atol=1e-5
        )
        code = TrainedCode.of_game(config, dict(together.state_dict()), number)
        assert (code.encode(strings.numpy()) == (own.bit_logits[0] > 0).numpy()).all()


@pytest.fixture(scope="module")
def trained() -> TrainedCode:
    [code] = train_codes(CodesRun([TINY])) or []
    return code


def test_a_code_is_learnt_with_all_its_weights_and_scored(trained: TrainedCode) -> None:
    before, after = Games([TINY]).state_dict(), trained.games.state_dict()
    assert before.keys() == after.keys()
    assert all((before[name] != after[name]).any() for name in before)
    scores = trained.score(sample=500)
    assert scores.train_accuracy > 0.3  # a ninth by chance
    assert scores.precision > 0.8
    assert scores.bits_per_string > np.log2(9) - 0.5
    messages = trained.encode(sample_of(TINY))
    assert messages.shape == (9, 4)
    assert set(np.unique(messages)) <= {0, 1}
    assert trained.in_language(trained.decode(messages)).mean() > 0.5


def test_a_saved_code_sends_the_same_messages(trained: TrainedCode, tmp_path: Path) -> None:
    trained.save(tmp_path / "code.safetensors")
    again = TrainedCode.load(tmp_path / "code.safetensors")
    assert again.config == TINY
    assert (again.encode(sample_of(TINY)) == trained.encode(sample_of(TINY))).all()
    (tmp_path / "wrong.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError, match="cannot be read as a trained code"):
        TrainedCode.load(tmp_path / "wrong.safetensors")
    with pytest.raises(InputError, match="There is no file"):
        TrainedCode.load(tmp_path / "missing.safetensors")
    with pytest.raises(InputError, match="2 numbers from 0 to 2"):
        trained.encode(np.array([[0, 3]]))
    with pytest.raises(InputError, match="4 numbers from 0 to 1"):
        trained.decode(np.zeros((2, 3), dtype=np.uint8))


def test_a_resumed_training_ends_as_an_unbroken_one(tmp_path: Path) -> None:
    short = [replace(TINY, steps=12, seed=seed) for seed in (0, 1)]
    whole = CodesTraining(CodesRun(short))
    whole.train()
    stopped = CodesTraining(CodesRun(short, context=RunContext(tmp_path)))
    steps = stopped.loop.steps()
    for _ in range(5):
        next(steps)
    stopped.loop.save()
    resumed = CodesTraining(CodesRun(short, context=RunContext(tmp_path, resume=True)))
    resumed.train()
    for name, value in whole.games.state_dict().items():
        torch.testing.assert_close(resumed.games.state_dict()[name], value, rtol=0, atol=0)


def test_strings_are_all_combinations_and_each_is_either_trained_on_or_tested() -> None:
    config = CodesConfig(concepts=3, values=4, train_share=0.25)
    every = strings_of(np.arange(config.strings), config)
    assert len({tuple(one) for one in every.tolist()}) == 64
    assert every.max() == 3
    train, test = split(config)
    assert len(train) == 16
    assert sorted([*train, *test]) == list(range(64))
    assert len(sample_of(config, most=10)) == 10


def test_games_that_do_not_go_together_or_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="bits, beta and seed only"):
        CodesTraining(CodesRun([TINY, replace(TINY, hidden=8)]))
    with pytest.raises(ConfigError, match="at most 10,000,000"):
        check(CodesConfig(concepts=30))
    with pytest.raises(ConfigError, match="leave one or more"):
        check(CodesConfig(concepts=1, values=2, train_share=0.1))


def test_the_shell_trains_a_code_and_tells_how_compositional_it_is(tmp_path: Path) -> None:
    output = tmp_path / "code.safetensors"
    given = ["concepts=2", "values=3", "bits=4", "hidden=8", "train_share=0.8", "steps=5", "batch=8"]
    command = ["train", "codes", "--output", str(output), "--quiet", "--device", "cpu", *given]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert "Residual entropy: " in result.output
    assert "concept 2: bits" in result.output
    assert TrainedCode.load(output).config.steps == 5
    again = CliRunner().invoke(main, command)
    assert again.exit_code != 0
    wrong = CliRunner().invoke(main, [*command, "--overwrite", "bits=0"])
    assert wrong.exit_code != 0
    assert "bits must be 1 or more" in wrong.output
