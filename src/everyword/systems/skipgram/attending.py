"""Where a trained table looks: how much each word of a sentence counts for each centre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.language_models.pieces import tokenize_spans
from everyword.systems.skipgram.batches import PartReader
from everyword.systems.skipgram.network import attention, band, products_in_sentences
from everyword.systems.skipgram.parts import Part, Sentence
from everyword.systems.skipgram.reading import centre_states
from everyword.systems.skipgram.training import Training


@dataclass(frozen=True)
class Attention:
    """The words of a sentence, and a row of weights for each that the encoder reads; they sum to 1."""

    centres: Sequence[str]
    words: Sequence[str]
    weights: FloatArray


@torch.no_grad()
def attention_in(training: Training, sentence: str) -> Attention:
    """What the centres of a sentence attend to in their windows."""
    vocabulary = training.run.prepared.vocabulary
    mentions = vocabulary.find(sentence)
    [read] = tokenize_spans(training.model, [sentence], [[mention.letters for mention in mentions]])
    if len(mentions) < 2 or all(span.empty for span in read.spans):
        raise InputError(f"{sentence!r} holds no two words of the table that the encoder can read; give another one.")
    part = Part.of([Sentence([mention.row for mention in mentions], read.ids, read.spans)])
    batch = PartReader(part, 0).batch(np.array([0]), training.model.sent, total=1)
    states = centre_states(training.model, batch, training.config.layers)
    [context] = training.network.vectors(batch.rows)
    products = products_in_sentences(training.network.project(states), batch.centres, context)
    mask = band(batch.rows, training.config.window, own_word=training.config.own_word)[0][batch.centres]
    words = [vocabulary.words[mention.row] for mention in mentions]
    weights: FloatArray = attention(products, mask).cpu().numpy()
    return Attention([words[place] for place in batch.centres.tolist()], words, weights)
