"""A BERTRAM that reads each sentence once, for those who ask about the same words again and again."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from everyword.language_models.language_model import LanguageModel
from everyword.systems.bertram.config import BertramConfig
from everyword.systems.bertram.layout import Layout
from everyword.systems.bertram.masking import Masked
from everyword.systems.bertram.model import Bertram
from everyword.systems.bertram.network import FormContextNetwork


def reading_once(bertram: Bertram) -> Bertram:
    """The same model with a memory of what its encoder said; for inference, because no gradient passes through it."""
    return _RememberingBertram(bertram.encoder, bertram.network, bertram.config)


class _RememberingBertram(Bertram):
    """Grows by a vector for each sentence and form vector that it has not seen yet."""

    def __init__(self, encoder: LanguageModel, network: FormContextNetwork, config: BertramConfig) -> None:
        super().__init__(encoder, network, config)
        self._row_of: dict[tuple[Masked, bytes], int] = {}
        self._said = torch.empty(0, encoder.dim, device=encoder.device)

    def context_vectors(self, layout: Layout, contexts: Sequence[Masked], forms: Tensor | None) -> Tensor:
        """As ever, but only new contexts go through the encoder."""
        if forms is None:
            return super().context_vectors(layout, contexts, forms)
        keys = [(context, form.tobytes()) for context, form in zip(contexts, forms.cpu().numpy(), strict=True)]
        new = {key: place for place, key in enumerate(keys) if key not in self._row_of}
        if new:
            places = list(new.values())
            fresh = super().context_vectors(layout, [contexts[place] for place in places], forms[places])
            self._row_of |= {key: len(self._row_of) + number for number, key in enumerate(new)}
            self._said = torch.cat([self._said, fresh])
        return self._said[[self._row_of[key] for key in keys]]
