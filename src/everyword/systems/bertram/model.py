"""BERTRAM: a language model's input vector for a word, from its form and its contexts."""

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
from everyword.systems.bertram.encoder_input import InputLayout, vectors_at_masks
from everyword.systems.bertram.form import Form, ModelForm, NgramForm
from everyword.systems.bertram.masking import MaskedSentence, UnusedSentences, masked_contexts
from everyword.systems.bertram.network import Contexts, FormContextNetwork, owners_of


class Bertram(ContextModel):
    """A frozen encoder, and a small trained network that turns its outputs into input vectors."""

    def __init__(
        self,
        encoder: LanguageModel,
        network: FormContextNetwork,
        config: BertramConfig,
        record: Mapping[str, Any] | None = None,
    ) -> None:
        self.encoder, self.config = encoder, config
        self.layout = InputLayout(encoder, config.variant, config)
        self.network = network.to(encoder.device).eval()
        self.record = dict(record or {})
        """How the network was trained."""
        # The encoder stays in inference mode because it is part of no module that is trained.
        encoder.network.requires_grad_(False).eval()

    @classmethod
    def untrained(
        cls,
        encoder: LanguageModel,
        words: Sequence[str],
        config: BertramConfig | None = None,
        *,
        form: Model | None = None,
    ) -> Bertram:
        """Make a BERTRAM with random weights; the form part has the n-grams of the words, or is an everyword model."""
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
        """Length of the encoder's input vectors."""
        return self.network.form.dim

    @torch.no_grad()
    def _vectors(self, contexts: Mapping[str, Sequence[str]], most: int, unused: UnusedSentences) -> FloatArray:
        masked = masked_contexts(contexts, self.layout.mask, most, unused)
        return self.network.vectors(
            list(contexts),
            [index for index, of_word in enumerate(masked) if of_word],
            lambda seen, forms: self.combine([masked[index] for index in seen], forms)[0],
        )

    def combine(self, contexts: Sequence[Sequence[MaskedSentence]], forms: Tensor) -> tuple[Tensor, Tensor]:
        """Return vectors of words that all have contexts, and the weights of the contexts."""
        owners = owners_of([len(of_word) for of_word in contexts], forms.device)
        flat = [context for of_word in contexts for context in of_word]
        seen = self.context_vectors(self.layout, flat, forms[owners])
        vectors, weights = self.network(Contexts(seen, owners, len(contexts)), forms)
        return vectors, weights

    def context_vectors(self, layout: InputLayout, contexts: Sequence[MaskedSentence], forms: Tensor | None) -> Tensor:
        """Return the encoder's output at each mask, with the word's form vector where the layout has a slot for it."""
        return vectors_at_masks(self.encoder, layout.inputs(contexts), None if layout.variant == "shallow" else forms)

    def weights(self, word: str, sentences: Sequence[str]) -> FloatArray:
        """Return the weights of the sentences of a word.

        Args:
            word: Any word.
            sentences: Sentences that contain the word; others are skipped with a warning.

        Returns:
            A weight per sentence that contains the word, in order. The weights sum to 1.
        """
        contexts = masked_contexts({word: sentences}, self.layout.mask, len(sentences) or 1)
        if not contexts[0]:
            return np.zeros(0, dtype=np.float32)
        with torch.no_grad():
            found: FloatArray = self.combine(contexts, self.network.form([word]))[1].cpu().numpy()
        return found

    def save(self, folder: str | Path) -> None:
        """Save the trained network to a folder, without the encoder.

        Args:
            folder: A new folder, or one with an older BERTRAM, which stays until all of the new one is written.
        """
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
        """Load a BERTRAM from a folder that `save` wrote.

        Args:
            folder: The saved folder.
            encoder: The encoder it was trained with, or its folder or hub id; by default the hub id it was saved with.
            device: Where the encoder runs: auto, cpu or cuda.
            precision: float32 or bfloat16; by default bfloat16 on a GPU and float32 elsewhere.

        Returns:
            The loaded model.

        Raises:
            InputError: If the folder is not a BERTRAM, or the encoder is not the one it was trained with.
            DamagedModelError: If a file is missing or was changed.
        """
        from everyword.systems.bertram.saved import load

        return load(Path(folder), encoder, device=device, precision=precision)


class CachingBertram(Bertram):
    """The same model with a cache of context vectors, for many questions about the same sentences; inference only."""

    def __init__(self, bertram: Bertram) -> None:
        super().__init__(bertram.encoder, bertram.network, bertram.config)
        self._row_of: dict[tuple[MaskedSentence, bytes], int] = {}
        self._cache = torch.empty(0, bertram.encoder.dim, device=bertram.encoder.device)

    def context_vectors(self, layout: InputLayout, contexts: Sequence[MaskedSentence], forms: Tensor | None) -> Tensor:
        if forms is None:
            return super().context_vectors(layout, contexts, forms)
        keys = [(context, form.tobytes()) for context, form in zip(contexts, forms.cpu().numpy(), strict=True)]
        new = {key: index for index, key in enumerate(keys) if key not in self._row_of}
        if new:
            chosen = list(new.values())
            fresh = super().context_vectors(layout, [contexts[index] for index in chosen], forms[chosen])
            self._row_of |= {key: len(self._row_of) + number for number, key in enumerate(new)}
            self._cache = torch.cat([self._cache, fresh])
        return self._cache[[self._row_of[key] for key in keys]]


def assemble(form: Form, encoder: LanguageModel, config: BertramConfig) -> FormContextNetwork:
    """Make the network that fits an encoder, with random weights."""
    return FormContextNetwork(form, encoder.dim, config.weights, gated=config.variant == "shallow")
