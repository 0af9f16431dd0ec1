"""Acceptance tests of magnitude pruning of networks (Gordon, Duh and Andrews 2020)."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from everyword.errors import ConfigError
from everyword.learning.hooks import Hook
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.pruning import (
    FixedMasks,
    MagnitudePruning,
    PruningConfig,
    cubic_sparsity,
    kept_weights,
    prune_network,
    sparsity_of,
)

INPUTS = torch.randn(16, 10, generator=torch.Generator().manual_seed(0))
SETTINGS = PruningConfig(sparsity=0.6, begin=2, end=20, every=3)


def made() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4))


def loss_of(network: nn.Module) -> Tensor:
    found: Tensor = (network(INPUTS) - INPUTS[:, :4]).square().mean()
    return found


def loop(network: nn.Module, hook: Hook, epochs: int, run: RunContext | None = None) -> TrainingLoop:
    return TrainingLoop(
        network,
        TorchOptimiser(torch.optim.Adam(network.parameters(), lr=0.01)),
        epochs=epochs,
        batches=lambda _epoch, first: [None] * (5 - first),
        loss=lambda _batch: loss_of(network),
        hooks=[hook],
        run=run,
    )


@pytest.mark.parametrize("sparsity", [0.0, 0.3, 0.55, 0.9])
def test_the_share_is_exact_in_every_matrix_and_vectors_stay(sparsity: float) -> None:
    network, dense = made(), made()

    masks = prune_network(network, sparsity)

    for name, weight in network.named_parameters():
        before = dict(dense.named_parameters())[name]
        if weight.ndim > 1:
            assert int((weight == 0).sum()) == round(sparsity * weight.numel())
            assert torch.equal(weight[masks[name]], before[masks[name]])
        else:
            assert torch.equal(weight, before)


def test_the_smallest_go() -> None:
    weight = torch.tensor([[0.1, -5.0], [2.0, 0.0]])

    assert kept_weights(weight, 0.5).tolist() == [[False, True], [True, False]]
    assert kept_weights(weight, 0.0).all()


def test_the_schedule_rises_to_the_final_share() -> None:
    shares = [cubic_sparsity(step, SETTINGS) for step in range(30)]

    assert shares[0] == shares[2] == 0
    assert shares[20] == shares[29] == pytest.approx(0.6)
    assert shares == sorted(shares)


def test_pruned_weights_stay_zero_under_further_training() -> None:
    network = made()
    hook = MagnitudePruning(network, SETTINGS)

    assert loop(network, hook, epochs=4).run()
    reached = {name: mask.clone() for name, mask in hook.masks.items()}
    assert sparsity_of(network) == pytest.approx(0.6, abs=0.01)
    assert loop(network, hook, epochs=3).run()

    assert sparsity_of(network) == pytest.approx(0.6, abs=0.01)
    assert all(torch.equal(mask, reached[name]) for name, mask in hook.masks.items())


def test_deleted_weights_may_move_again() -> None:
    network = made()
    hook = MagnitudePruning(network, PruningConfig(sparsity=0.6, begin=2, end=20, every=3, frees=True))

    assert loop(network, hook, epochs=4).run()
    assert sparsity_of(network) == pytest.approx(0.6, abs=0.01)
    loop(network, hook, epochs=1).run()

    assert sparsity_of(network) < 0.3


def test_a_share_of_zero_changes_nothing() -> None:
    pruned, plain = made(), made()
    loop(pruned, MagnitudePruning(pruned, PruningConfig(sparsity=0.0, end=5)), epochs=3).run()
    hook = MagnitudePruning(plain, PruningConfig(sparsity=0.5, begin=900))
    loop(plain, hook, epochs=3).run()

    assert all(torch.equal(one, other) for one, other in zip(pruned.parameters(), plain.parameters(), strict=True))


def test_a_stopped_training_goes_on_with_its_masks(tmp_path: Path) -> None:
    whole, stopped = made(), made()
    loop(whole, MagnitudePruning(whole, SETTINGS), epochs=6).run()

    loop(stopped, MagnitudePruning(stopped, SETTINGS), epochs=3, run=RunContext(tmp_path)).run()
    again = made()
    loop(again, MagnitudePruning(again, SETTINGS), epochs=6, run=RunContext(tmp_path, resume=True)).run()

    for one, other in zip(whole.parameters(), again.parameters(), strict=True):
        torch.testing.assert_close(one, other)


def test_a_matrix_can_be_kept_and_wrong_settings_are_refused() -> None:
    network = made()
    prune_network(network, 0.5, keep=lambda name: name.startswith("0."))

    assert not (network[0].weight == 0).any()
    with pytest.raises(ConfigError, match="end must be after begin, 9"):
        MagnitudePruning(network, PruningConfig(begin=9, end=9))
    with pytest.raises(ConfigError, match="sparsity"):
        prune_network(network, 1.0)


def test_a_network_that_was_pruned_first_keeps_its_zeros_with_its_masks_and_not_without() -> None:
    kept, freed = made(), made()
    masks = prune_network(kept, 0.5)
    prune_network(freed, 0.5)

    loop(kept, FixedMasks(kept, masks), epochs=1).run()
    loop(freed, Hook(), epochs=1).run()

    assert all(not dict(kept.named_parameters())[name][~mask].any() for name, mask in masks.items())
    assert sparsity_of(kept) == pytest.approx(0.5, abs=0.01)
    assert sparsity_of(freed) < 0.2


def test_random_masks_have_the_share_but_not_the_order() -> None:
    network = made()
    torch.manual_seed(0)
    masks = prune_network(network, 0.5, by="random")

    largest = {name: kept_weights(weight, 0.5) for name, weight in made().named_parameters() if name in masks}
    assert sparsity_of(network) == pytest.approx(0.5, abs=0.01)
    assert all(not torch.equal(mask, largest[name]) for name, mask in masks.items())
