"""New words for a table that is trained: only their own rows are learnt, from a few sentences.

With the encoder, the projection and all other rows as they are, the row of one word is a logistic regression: which
projected centres does the word stand beside, and which not? That is convex, so there is one answer, without a rate or
epochs to choose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from everyword.errors import InputError
from everyword.skipgram.batches import Batch, PartReader
from everyword.skipgram.cutting import Cutter
from everyword.skipgram.network import band
from everyword.skipgram.parts import Part
from everyword.skipgram.reading import centre_states
from everyword.skipgram.training import Training
from everyword.skipgram.vocabulary import Vocabulary
from everyword.teachers.word_list import tell_left_out
from everyword.vectors.table import VectorTable

BACKGROUND = 128
"""Sentences of the corpus whose centres stand for all that a new word does not stand beside."""
RIDGE = 1.0
"""How much a row of length 1 costs, in pairs that are not told apart: a word of few sentences stays near zero."""
MOST_STEPS, CLOSE_ENOUGH = 30, 1e-4


@torch.no_grad()
def add_words(training: Training, sentences: Mapping[str, Sequence[str]]) -> VectorTable:
    """The table of a training with rows for new words behind the others; a word that no sentence holds is left out."""
    known = training.run.prepared.vocabulary.words
    if twice := sorted(set(sentences) & set(known)):
        raise InputError(f"The table has a vector for {twice[0]!r} already; leave it out of the new words.")
    words = [*known, *sentences]
    texts = list(dict.fromkeys(text for of_word in sentences.values() for text in of_word))
    part = Cutter(Vocabulary(words, [1] * len(words)), training.model.tokenising).cut(texts)
    beside = _centres_beside_new(training, part, len(known))
    asked = range(len(known), len(words))
    tell_left_out(
        [words[row] for row in asked if row not in beside],
        len(sentences),
        "no sentence holds them beside a word of the table",
        "give sentences in which they stand",
    )
    background = torch.cat([projected for projected, _ in _read(training, _background(training))])
    learnt = {row: _row(beside[row], background, training.config.negatives) for row in asked if row in beside}
    new, table = training.centred(torch.stack([*learnt.values()])), training.table()
    matrix = np.concatenate([table.matrix, new.cpu().numpy()])
    return VectorTable.from_checked([*known, *(words[row] for row in learnt)], matrix)


def _centres_beside_new(training: Training, part: Part, first_new: int) -> dict[int, Tensor]:
    """For each new word the projected centres that have it in their window, itself among them if that is usual."""
    found: dict[int, list[Tensor]] = defaultdict(list)
    chosen = training.config
    for projected, batch in _read(training, part):
        mask = band(batch.rows, chosen.window, own_word=chosen.own_word).flatten(0, 1)[batch.centres]
        context = batch.rows[batch.centres // batch.rows.shape[1]]
        centres, places = (mask & (context >= first_new)).nonzero(as_tuple=True)
        rows = context[centres, places]
        for row in torch.unique(rows).tolist():
            found[row].append(projected[centres[rows == row]])
    return {row: torch.cat(parts) for row, parts in found.items()}


def _background(training: Training) -> Part:
    first = training.run.prepared.part(0)
    return first.some(0, min(BACKGROUND, len(first)))


def _read(training: Training, part: Part) -> Iterator[tuple[Tensor, Batch]]:
    """What the encoder says of the centres of a part, projected, batch by batch."""
    reader, size = PartReader(part, training.drawing.padding), training.config.batch
    for start in range(0, len(part), size):
        places = np.arange(start, min(start + size, len(part)))
        batch = reader.batch(places, training.model.sent, total=len(places))
        yield training.network.project(centre_states(training.model, batch, training.config.layers)), batch


def _row(beside: Tensor, background: Tensor, negatives: int) -> Tensor:
    """What tells the centres beside a word from the background, in which all count as much as its negatives would."""
    centres = torch.cat([beside, background]).double()
    signs = torch.cat([centres.new_ones(len(beside)), -centres.new_ones(len(background))])
    weights = torch.where(signs > 0, 1.0, negatives * len(beside) / len(background))

    def loss(row: Tensor) -> Tensor:
        return -(weights * F.logsigmoid(signs * (centres @ row))).sum() + RIDGE / 2 * row @ row

    row = centres.new_zeros(centres.shape[1])
    for _ in range(MOST_STEPS):
        wrong = torch.sigmoid(-signs * (centres @ row))
        slope = RIDGE * row - centres.T @ (weights * signs * wrong)
        bend = (centres * (weights * wrong * (1 - wrong))[:, None]).T @ centres
        step = torch.linalg.solve(bend + RIDGE * torch.eye(len(row), dtype=row.dtype, device=row.device), slope)
        while loss(row - step) > loss(row):  # Newton's step can go too far
            step = step / 2
        row = row - step
        if step.norm() < CLOSE_ENOUGH * row.norm():
            break
    return row.float()
