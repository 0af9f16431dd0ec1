"""New words in a trained table: only their own rows are learnt, from a few sentences.

With the encoder, the projection and all other rows as they are, the row of one word is a logistic regression: which
projected centres is the word beside, and which not? A word with few sentences gets the first step of that, from the
mean of all rows along the steepest descent of the loss; more steps would overfit these few centres.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from everyword.arrays import FloatArray
from everyword.corpus.word_list import warn_left_out
from everyword.errors import InputError
from everyword.systems.skipgram.network import band
from everyword.systems.skipgram.parts import Part, PartBuilder
from everyword.systems.skipgram.sampling import Batch
from everyword.systems.skipgram.sentences import Vocabulary
from everyword.systems.skipgram.states import read_states
from everyword.systems.skipgram.train import SkipgramTraining
from everyword.text.word_pattern import spelling
from everyword.vectors.table import VectorTable

BACKGROUND = 128
"""Sentences of the corpus; their centres are the negative examples of every new word."""


@torch.no_grad()
def add_words(training: SkipgramTraining, sentences: Mapping[str, Sequence[str]]) -> VectorTable:
    """Make vectors for new words, in lower case, beside those of a finished training.

    Args:
        training: A finished training.
        sentences: A mapping from new words to a few sentences that contain them.

    Returns:
        The table of the training with rows for the new words at its end. Words without a usable sentence are left
        out, with a warning.

    Raises:
        InputError: If the table has a vector for one of the words already, or no word gets one.
    """
    known, asked = training.run.prepared.vocabulary.words, dict.fromkeys(map(spelling, sentences))
    if twice := sorted(asked.keys() & set(known)):
        raise InputError(f"The table has a vector for {twice[0]!r} already; leave it out of the new words.")
    words = [*known, *asked]
    texts = list(dict.fromkeys(text for of_word in sentences.values() for text in of_word))
    part = PartBuilder(Vocabulary(words, [1] * len(words)), training.model.text_tokenizer).build(texts)
    beside = _centres_beside_new(training, part, len(known))
    left_out = [word for row, word in enumerate(words) if row >= len(known) and row not in beside]
    why = "no sentence has them beside a word of the table"
    warn_left_out(left_out, len(asked), why, "give sentences that contain them")
    vectors = np.concatenate([training.table().matrix, _vectors(training, [beside[row] for row in sorted(beside)])])
    return VectorTable.from_checked([*known, *(words[row] for row in sorted(beside))], vectors)


def _vectors(training: SkipgramTraining, beside: Sequence[Tensor]) -> FloatArray:
    """Return a vector for each list of centres: its direction is learnt, its length is the usual one."""
    rows = training.network.table.weight
    mean = rows.mean(dim=0)
    background = torch.cat([projected for projected, _ in _read(training, _background(training))])
    steps = torch.stack([_step(mean, centres, background, training.config.negatives) for centres in beside])
    usual = (rows - mean).norm(dim=1).mean()
    vectors: FloatArray = training.centred(mean + usual * F.normalize(steps)).cpu().numpy()
    return vectors


def _centres_beside_new(training: SkipgramTraining, part: Part, first_new: int) -> dict[int, Tensor]:
    """Return for each new word the projected centres that have it in their window, itself among them if configured."""
    found: dict[int, list[Tensor]] = defaultdict(list)
    chosen = training.config
    for projected, batch in _read(training, part):
        mask = band(batch.rows, chosen.window, own_word=chosen.own_word).flatten(0, 1)[batch.centres]
        context = batch.rows[batch.centres // batch.rows.shape[1]]
        centres, positions = (mask & (context >= first_new)).nonzero(as_tuple=True)
        rows = context[centres, positions]
        for row in torch.unique(rows).tolist():
            found[row].append(projected[centres[rows == row]])
    return {row: torch.cat(parts) for row, parts in found.items()}


def _background(training: SkipgramTraining) -> Part:
    first = training.run.prepared.part(0)
    return first.some(0, min(BACKGROUND, len(first)))


def _read(training: SkipgramTraining, part: Part) -> Iterator[tuple[Tensor, Batch]]:
    """Yield the projected outputs of the encoder for the centres of a part, batch by batch."""
    for states, batch in read_states(training.model, part, np.arange(len(part)), training.config.layers):
        yield training.network.project(states), batch


def _step(row: Tensor, beside: Tensor, background: Tensor, negatives: int) -> Tensor:
    """Return the steepest descent of the loss of a row: towards the centres beside its word, away from the others."""
    pulled = (torch.sigmoid(-beside @ row)[:, None] * beside).mean(dim=0)
    pushed = (torch.sigmoid(background @ row)[:, None] * background).mean(dim=0)
    return pulled - negatives * pushed
