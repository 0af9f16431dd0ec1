"""What a language model makes of the text around a word, and how much a vector in the word's place changes it."""

from __future__ import annotations

import torch
from torch import Tensor

from everyword.language_models.input_embeddings import BEFORE
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.templates import read_in_template


class Surroundings:
    """Reads a word between two pieces and before a full stop, with its own pieces or with one vector for them."""

    def __init__(self, model: LanguageModel, *, without_last: bool) -> None:
        self.model = model
        # Around the slot, the input itself does not depend on what stands in it.
        self._layers = slice(1, model.layers if without_last else model.layers + 1)
        before, after = model.frame()
        stop = read_in_template(model, ["."], BEFORE + " {}")[0]
        self._before, self._after = before, [*stop.ids[slice(*stop.stretches[0])], *after]

    def rows(self, ids: Tensor) -> Tensor:
        """Input vectors of pieces."""
        found: Tensor = self.model.network.get_input_embeddings()(ids).detach().float()
        return found

    def loss(self, ids: Tensor, vectors: Tensor, left: int, right: int) -> tuple[Tensor, Tensor]:
        """How far the outputs around each word move when its pieces become a vector, and which way lessens it."""
        wanted = len(self._before) + 1
        rows_before = self._rows_for([*self._before, left], len(ids))
        rows_after = self._rows_for([right, *self._after], len(ids))
        with torch.no_grad():
            whole = self._outputs(torch.cat([rows_before, self.rows(ids), rows_after], dim=1))
        free = vectors.detach().clone().requires_grad_()
        slotted = self._outputs(torch.cat([rows_before, free[:, None], rows_after], dim=1))
        apart = [
            (one[:, :wanted] - other[:, :wanted]).square().mean(dim=(1, 2))
            + (one[:, wanted + ids.shape[1] :] - other[:, wanted + 1 :]).square().mean(dim=(1, 2))
            for one, other in zip(whole, slotted, strict=True)
        ]
        loss = torch.stack(apart).sum(dim=0)
        (gradient,) = torch.autograd.grad(loss.sum(), free)
        return loss.detach(), gradient

    def _rows_for(self, pieces: list[int], words: int) -> Tensor:
        return self.rows(torch.tensor(pieces, device=self.model.device)).expand(words, -1, -1)

    def _outputs(self, rows: Tensor) -> list[Tensor]:
        result = self.model.network(inputs_embeds=rows.to(self.model.network.dtype), output_hidden_states=True)
        return [layer.float() for layer in result.hidden_states[self._layers]]
