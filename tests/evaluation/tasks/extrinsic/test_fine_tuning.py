from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch

from everyword.errors import ConfigError, InputError
from everyword.language_models.fine_tuning import (
    FineTuning,
    LabelledPasses,
    accuracy,
    fine_tune,
    new_classifier,
    predict,
)
from everyword.learning.adversarial import AdversarialConfig, AdversarialTraining
from everyword.learning.hooks import Hook
from everyword.learning.pruning import FixedMasks, prune_network, sparsity_of

from .tiny_sets import same_weights

QUICK = FineTuning(epochs=6, batch=8, rate=1e-2, longest=16)


def texts(count: int, seed: int) -> tuple[list[str], list[int]]:
    """Cats are 1, dogs are 0."""
    rng = Random(seed)
    labels = [number % 2 for number in range(count)]
    shown = [["dog", "cat"][label] for label in labels]
    filler = [rng.choices(["the", "city", "walked", "on", "mat"], k=rng.randint(1, 5)) for _ in labels]
    return [" ".join([*words, animal]) for words, animal in zip(filler, shown, strict=True)], labels


TRAIN, DEV = texts(64, 1), texts(32, 2)


@pytest.fixture
def classifier(tiny_bert_folder: Path) -> tuple[Any, Any]:
    network, tokenizer = new_classifier(tiny_bert_folder, 2, device="cpu")
    with torch.no_grad():
        # The tiny model's weights are too large to learn from: they are made for seeing differences.
        for weights in network.parameters():
            weights.mul_(0.2 if weights.ndim > 1 else 1)
    return network, tokenizer


def test_a_tiny_classifier_learns_and_keeps_its_best_epoch(classifier: tuple[Any, Any]) -> None:
    told: list[str] = []
    network = fine_tune(*classifier, *TRAIN, *DEV, QUICK, report=told.append)

    score = accuracy(network, classifier[1], *DEV)
    assert score > 90
    assert not network.training
    assert len(told) == 6
    assert f"{score:.2f}" == f"{max(float(line.split('dev ')[1].split()[0]) for line in told):.2f}"


def test_probabilities_do_not_depend_on_the_company(classifier: tuple[Any, Any]) -> None:
    together = predict(*classifier, DEV[0])
    alone = np.concatenate([predict(*classifier, [text]) for text in DEV[0]])

    assert together.shape == (32, 2)
    np.testing.assert_allclose(together.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert predict(*classifier, []).shape == (0, 2)


def test_a_run_is_repeated_by_its_seed_and_leaves_random_numbers_alone(tiny_bert_folder: Path) -> None:
    before = torch.get_rng_state()
    one, again, other = (
        fine_tune(
            *new_classifier(tiny_bert_folder, 2, device="cpu", seed=seed),
            *TRAIN,
            *DEV,
            FineTuning(epochs=1, batch=16, seed=seed),
        )
        for seed in (0, 0, 1)
    )

    assert same_weights(one, again)
    assert not same_weights(one, other)
    assert torch.equal(torch.get_rng_state(), before)


def test_frozen_embeddings_stay_and_texts_are_rewritten_for_training_only(classifier: tuple[Any, Any]) -> None:
    network, tokenizer = classifier
    before = network.base_model.embeddings.word_embeddings.weight.clone()
    shown: list[str] = []

    def masked(text: str, rng: Random) -> str:
        shown.append(text)
        return text if rng.random() < 0.9 else "[MASK]"

    config = FineTuning(epochs=2, batch=16, freeze_embeddings=True)
    fine_tune(network, tokenizer, *TRAIN, *DEV, config, rewrite=masked)

    assert torch.equal(network.base_model.embeddings.word_embeddings.weight, before)
    assert shown == TRAIN[0] * 2


def test_techniques_take_part_and_combine(classifier: tuple[Any, Any]) -> None:
    network, tokenizer = classifier
    layer, masks = network.get_input_embeddings(), prune_network(network.base_model.encoder, 0.5)
    changes: list[torch.Tensor] = []

    def techniques(passes: LabelledPasses) -> list[Hook]:
        batch = np.array([1, 2, 7])
        pieces = passes.pieces(batch)
        assert pieces.sum(dim=1).tolist() == [len(tokenizer(TRAIN[0][index])["input_ids"]) for index in batch]
        network.eval()
        torch.testing.assert_close(
            passes.loss(batch), torch.nn.functional.cross_entropy(passes.scores(batch), torch.tensor([1, 0, 1]))
        )
        settings = AdversarialConfig(eps=0.1)
        hook = AdversarialTraining(layer, passes.loss, passes.scores, settings, words=passes.pieces)
        changes.append(hook.before_backward(passes.loss(batch), batch) - passes.loss(batch))
        return [hook, FixedMasks(network.base_model.encoder, masks)]

    fine_tune(network, tokenizer, *TRAIN, *DEV, replace(QUICK, epochs=4, batch=16), techniques=techniques)

    assert float(changes[0].detach()) > 0
    assert accuracy(network, tokenizer, *DEV) > 90
    assert sparsity_of(network.base_model.encoder) == pytest.approx(0.5, abs=0.01)


def test_what_cannot_be_is_refused(classifier: tuple[Any, Any], tiny_bert_folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"epochs must be 1 or more.*warm_up must be 0 or more and below 1"):
        fine_tune(*classifier, *TRAIN, *DEV, FineTuning(epochs=0, warm_up=2))
    with pytest.raises(InputError, match=r"dev needs one or more texts and a label for each. Got 0 texts"):
        fine_tune(*classifier, *TRAIN, [], [], QUICK)
    with pytest.raises(InputError, match=r"The labels of train must be 0 to 1, outputs of the network. Got 2"):
        fine_tune(*classifier, ["a"], [2], *DEV, QUICK)
    with pytest.raises(InputError, match="There is no folder"):
        new_classifier(tiny_bert_folder / "no" / "such" / "place", 2)
