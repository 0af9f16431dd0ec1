"""The gate on arrays gives what the torch network gives."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny import DIM, tiny_table

from everyword.models.blend.comparison import LetterFeatures, compare
from everyword.models.blend.gate import Gate
from everyword.models.retrieval.candidates import CandidateFinder
from everyword.systems.spelling.gate_network import GateConfig, GateExamples, GateNetwork

WORDS = ["bna", "grelonesss", "trusting", "plinnnes", "xx", "ban2", "sorug", "b", "слово", "ban" * 20]


@pytest.mark.parametrize("config", [GateConfig(), GateConfig(hidden=3, form_hidden=2, letter_width=1)])
def test_shares_are_those_of_the_network(config: GateConfig) -> None:
    torch.manual_seed(3)
    network = GateNetwork(config)
    with torch.no_grad():
        network.letters.mul_(20)  # so that letters matter as much as features
    finder, nothing = CandidateFinder(tiny_table().words), np.zeros((len(WORDS), DIM), dtype=np.float32)
    examples, candidates = GateExamples.of(WORDS, nothing, nothing, finder), finder.find(WORDS)
    with torch.no_grad():
        expected = network(examples).numpy()
    weights = Gate(network.fold()).weigh(
        compare(LetterFeatures.of(WORDS), LetterFeatures.of(finder.words), candidates), candidates
    )
    np.testing.assert_allclose(weights.form, expected[:, -1], atol=1e-5)
    np.testing.assert_allclose(weights.candidates, expected[:, :-1][examples.present.numpy()], atol=1e-5)
    assert not expected[:, :-1][~examples.present.numpy()].any()
