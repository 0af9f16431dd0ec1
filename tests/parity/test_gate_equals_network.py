"""The gate on arrays gives what the torch network gives."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny import DIM, tiny_table

from everyword.models.blend.readers import KeyReader
from everyword.models.known import KnownWords
from everyword.models.retrieval.similar_words import SimilarWords
from everyword.models.retrieval.spelt_words import SpeltWords
from everyword.systems.spelling.gate_network import (
    GateConfig,
    GateExamples,
    GateNetwork,
    UnknownWords,
    assemble_gate,
    trigram_logarithms,
)
from everyword.vectors.storage.stored import StoredMatrix

WORDS = ["bna", "grelonesss", "trusting", "plinnnes", "xx", "ban2", "sorug", "b", "слово", "ban" * 20]


@pytest.mark.parametrize("config", [GateConfig(), GateConfig(hidden=3, form_hidden=2, letter_width=1)])
def test_shares_are_those_of_the_network(config: GateConfig) -> None:
    torch.manual_seed(3)
    network = GateNetwork(config)
    with torch.no_grad():
        network.letters.mul_(20)  # so that letters matter as much as features
    table, nothing = tiny_table(), np.ones((len(WORDS), DIM), dtype=np.float32)
    known = KnownWords(table.words, StoredMatrix.pack(table.matrix, "float32"))
    trigrams = trigram_logarithms(SpeltWords.of(table.words))
    unknown = UnknownWords(WORDS, nothing, nothing)
    examples = GateExamples.of(unknown, SimilarWords(table.words), known, trigrams)
    with torch.no_grad():
        expected = network(examples).shares().numpy()
    reading = KeyReader(table.words, assemble_gate(network, trigrams, {})).read(WORDS)
    np.testing.assert_allclose(reading.weights.form, expected[:, -1], atol=2e-3)  # examples are in half precision
    np.testing.assert_allclose(reading.weights.candidates, expected[:, :-1][examples.present.numpy()], atol=2e-3)
    assert not expected[:, :-1][~examples.present.numpy()].any()
