"""What a frozen encoder says of the centre words of a batch."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pooling import mean_of_positions
from everyword.systems.skipgram.batches import Batch


def centre_states(model: LanguageModel, batch: Batch, layers: Sequence[int]) -> Tensor:
    """The mean output of each centre's pieces; a sentence goes through the encoder once."""
    # More pieces at once would make a CPU slower and a GPU no faster.
    at_once = max(1, model.pieces_per_batch // max(1, batch.pieces.shape[1]))
    parts = zip(torch.split(batch.pieces, at_once), torch.split(batch.mask, at_once), strict=True)
    outputs = [model.read(pieces, mask, layers) for pieces, mask in parts]
    return mean_of_positions(torch.cat(outputs), batch.places, batch.owners, batch.sizes)
