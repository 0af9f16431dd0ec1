"""BERTRAM: the input vector that a language model should have for a word, from its form and its contexts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import FloatArray
from everyword.language_models.language_model import LanguageModel
from everyword.models.model import Model
from everyword.systems.bertram.config import BertramConfig
from everyword.systems.bertram.context_model import ContextModel
from everyword.systems.bertram.form import Form, ModelForm, NgramForm
from everyword.systems.bertram.layout import Layout
from everyword.systems.bertram.masking import LeftOut, Masked, masked_contexts
from everyword.systems.bertram.network import Contexts, FormContextNetwork, owners_of
from everyword.systems.bertram.reading import freeze, vectors_at_masks


class Bertram(ContextModel):
    """A frozen encoder, and a small trained network that makes its outputs input vectors again."""

    def __init__(
        self,
        encoder: LanguageModel,
        network: FormContextNetwork,
        config: BertramConfig,
        record: Mapping[str, Any] | None = None,
    ) -> None:
        self.encoder, self.config = encoder, config
        self.layout = Layout(encoder, config.variant, config)
        self.network = network.to(encoder.device).eval()
        self.record = dict(record or {})
        """How the network was trained."""
        freeze(encoder)

    @classmethod
    def untrained(
        cls,
        encoder: LanguageModel,
        words: Sequence[str],
        config: BertramConfig | None = None,
        *,
        form: Model | None = None,
    ) -> Bertram:
        """With weights drawn by the seed; the form part has the n-grams of the words, or is an everyword model."""
        config = config or BertramConfig()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            part: Form
            if form is None:
                part = NgramForm.of_words(words, encoder.input_dim, config.ngrams)
            else:
                part = ModelForm(form, encoder.input_dim, config.form_vectors)
            return cls(encoder, assemble(part, encoder, config), config)

    @property
    def dim(self) -> int:
        """Length of the vectors: that of the encoder's input vectors."""
        return self.network.form.dim

    def _vectors(self, contexts: Mapping[str, Sequence[str]], most: int, left_out: LeftOut) -> FloatArray:
        chosen = masked_contexts(contexts, self.layout.mask, most, left_out)
        return self.vectors_of(list(contexts), chosen)

    @torch.no_grad()
    def vectors_of(self, words: Sequence[str], contexts: Sequence[Sequence[Masked]]) -> FloatArray:
        """A vector for each word with its masked contexts; without any, that of its form."""
        forms = self.network.form(words)
        found: FloatArray = forms.cpu().numpy().astype(np.float32)
        seen = [place for place, of_word in enumerate(contexts) if of_word]
        if seen:
            some = forms[torch.tensor(seen, device=forms.device)]
            combined, _ = self.combine([contexts[place] for place in seen], some)
            found[seen] = combined.cpu().numpy()
        return found

    def combine(self, contexts: Sequence[Sequence[Masked]], forms: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of words that all have contexts, and the weights of those."""
        owners = owners_of([len(of_word) for of_word in contexts], forms.device)
        flat = [context for of_word in contexts for context in of_word]
        seen = self.context_vectors(self.layout, flat, forms[owners])
        vectors, weights = self.network(Contexts(seen, owners, len(contexts)), forms)
        return vectors, weights

    def context_vectors(self, layout: Layout, contexts: Sequence[Masked], forms: Tensor | None) -> Tensor:
        """What the encoder makes of each context and, where the layout has a place for it, its word's form vector."""
        return vectors_at_masks(self.encoder, layout.inputs(contexts), None if layout.variant == "shallow" else forms)

    def weights(self, word: str, sentences: Sequence[str]) -> FloatArray:
        """How much each sentence in which the word stands counts, in the order of the sentences."""
        left_out = LeftOut()
        contexts = masked_contexts({word: sentences}, self.layout.mask, len(sentences) or 1, left_out)
        left_out.tell()
        if not contexts[0]:
            return np.zeros(0, dtype=np.float32)
        with torch.no_grad():
            found: FloatArray = self.combine(contexts, self.network.form([word]))[1].cpu().numpy()
        return found

    def save(self, folder: str | Path) -> None:
        """Write the trained part to a folder; the encoder stays where it is."""
        from everyword.systems.bertram.saved import save

        save(self, Path(folder))

    @classmethod
    def load(
        cls,
        folder: str | Path,
        encoder: LanguageModel | str | Path | None = None,
        *,
        device: str = "auto",
        precision: str | None = None,
    ) -> Bertram:
        """Read what `save` wrote; the encoder, unless it can be found by the name it had, has to be given."""
        from everyword.systems.bertram.saved import load

        return load(Path(folder), encoder, device=device, precision=precision)


def assemble(form: Form, encoder: LanguageModel, config: BertramConfig) -> FormContextNetwork:
    """The network that fits an encoder, its weights drawn."""
    return FormContextNetwork(form, encoder.dim, config.weights, gated=config.variant == "shallow")
