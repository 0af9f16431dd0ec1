"""Attention of a trained table: how much each word of a sentence counts for each centre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.systems.skipgram.network import attention, band, centre_states, products_in_sentences
from everyword.systems.skipgram.parts import PartBuilder
from everyword.systems.skipgram.sampling import PartReader
from everyword.systems.skipgram.train import SkipgramTraining


@dataclass(frozen=True)
class Attention:
    """The words of a sentence, and a row of weights, which sum to 1, for each that the encoder sees."""

    centres: Sequence[str]
    words: Sequence[str]
    weights: FloatArray


@torch.no_grad()
def attention_in(training: SkipgramTraining, sentence: str) -> Attention:
    """Return the attention of the centres of a sentence to the words in their windows."""
    vocabulary = training.run.prepared.vocabulary
    part = PartBuilder(vocabulary, training.model.text_tokenizer).build([sentence])
    if not len(part):
        raise InputError(f"{sentence!r} does not have two words of the table that the encoder sees; give another one.")
    batch = PartReader(part, 0).batch(np.array([0]), training.model.to_device, total=1)
    states = centre_states(training.model, batch, training.config.layers)
    [context] = training.network.vectors(batch.rows)
    products = products_in_sentences(training.network.project(states), batch.centres, context)
    mask = band(batch.rows, training.config.window, own_word=training.config.own_word)[0][batch.centres]
    words = [vocabulary.words[row] for row in part.rows.tolist()]
    weights: FloatArray = attention(products, mask, training.config.weighing, training.config.dim).cpu().numpy()
    return Attention([words[index] for index in batch.centres.tolist()], words, weights)
