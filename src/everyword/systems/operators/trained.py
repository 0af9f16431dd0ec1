"""What was learnt from paraphrases: how specific texts are and how similar; saved as one file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils.rnn import pack_sequence

from everyword import config as configs
from everyword.arrays import read_tensors
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.files import parse_json
from everyword.learning.saved_weights import loaded
from everyword.models.word_list import WordList, joined
from everyword.sentences.gaussian import Gaussians
from everyword.sentences.operators import WordOperators, operator_tokens
from everyword.systems.operators.config import OperatorsConfig
from everyword.systems.operators.networks import OperatorNetwork, TextNetwork, build_network
from everyword.systems.operators.pairs import rows_of
from everyword.vectors.neighbours import unit_rows

FORMAT = "text-network.v1"
TEXTS_AT_ONCE = 512
Scores = NDArray[np.float64]


class TrainedTexts:
    """A trained network with its words. Texts without words are read as one unknown word."""

    def __init__(
        self, network: TextNetwork, words: Sequence[str], config: OperatorsConfig, record: Mapping[str, Any]
    ) -> None:
        self.network, self.words, self.config, self.record = network, list(words), config, dict(record)
        self._rows = {word: row for row, word in enumerate(self.words)}

    @torch.no_grad()
    def encode(self, texts: Sequence[str]) -> Gaussians:
        """Return mean and log deviation of texts; of methods without a variance the deviation is 1."""
        self.network.eval()
        means, deviations = [], []
        for first in range(0, len(texts), TEXTS_AT_ONCE):
            rows = [rows_of(operator_tokens(text), self._rows) for text in texts[first : first + TEXTS_AT_ONCE]]
            unknown = np.array([len(self.words)])
            ids = [torch.from_numpy(text if len(text) else unknown) for text in rows]
            encoded = self.network(pack_sequence(ids, enforce_sorted=False))
            means.append(encoded.means.numpy())
            deviation = encoded.log_deviations
            deviations.append(np.zeros_like(means[-1]) if deviation is None else deviation.numpy())
        return Gaussians(np.concatenate(means).astype(np.float64), np.concatenate(deviations).astype(np.float64))

    def specificities(self, texts: Sequence[str], *, summed: bool = False) -> Scores:
        """Return how specific texts are: minus the entropy of a Gaussian, the norm of a vector.

        Args:
            texts: The texts.
            summed: Take the norm of the sum of word vectors instead of their mean.
        """
        found = self.encode(texts)
        if self.config.is_gaussian:
            return -found.entropies()
        norms: Scores = np.linalg.norm(found.means, axis=1)
        return norms * [len(operator_tokens(text)) for text in texts] if summed else norms

    def similarities(self, first: Sequence[str], second: Sequence[str]) -> Scores:
        """Return cosines of texts and their partners; of Gaussians those of mean and variance side by side."""
        one, other = (self.encode(texts) for texts in (first, second))
        vectors = [part.vectors() if self.config.is_gaussian else part.means for part in (one, other)]
        units = [unit_rows(part.astype(np.float32)) for part in vectors]
        cosines: Scores = np.einsum("ij,ij->i", *units).astype(np.float64)
        return cosines

    @torch.no_grad()
    def operators(self) -> WordOperators:
        """Return the operators of words, for use without torch; raise InputError for a method without any."""
        if not isinstance(self.network, OperatorNetwork):
            raise InputError(f"The method {self.config.method!r} learns no operators; choose operators or mapped.")
        scales, shifts = self.network.operators(torch.arange(len(self.words) + 1))
        return WordOperators(self.words, scales.numpy(), shifts.numpy(), record=self.record)

    def save(self, path: Path) -> None:
        """Write operators for use without torch, or the weights of another network."""
        if isinstance(self.network, OperatorNetwork):
            self.operators().save(path)
            return
        from safetensors.numpy import save

        weights = {
            f"network.{name}": weight.detach().cpu().contiguous().numpy()
            for name, weight in self.network.state_dict().items()
            if name != "negatives"
        }
        metadata = {"format": FORMAT, "record": json.dumps(self.record)}
        write_atomic(path, save({"words": joined(self.words), **weights}, metadata=metadata))


def load_network(path: Path) -> TrainedTexts:
    """Read a network that `TrainedTexts.save` wrote; operators are read by `WordOperators.load`."""
    try:
        tensors, metadata = read_tensors(path)
        if metadata.get("format") != FORMAT:
            raise ValueError(f"its format is {metadata.get('format')!r:.40}, not {FORMAT!r}")
        record = dict(parse_json(metadata["record"]))
        config = configs.build(OperatorsConfig, record["config"], "the record")
        words = list(WordList(tensors.pop("words").astype(np.uint8)))
        if config.method == "mapped":
            raise ValueError("it holds maps of a model's vectors, which are read as word operators")
        weights = {name.removeprefix("network."): array for name, array in tensors.items()}
        return TrainedTexts(loaded(lambda: build_network(config, len(words)), weights), words, config, record)
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; check the path.") from None
    except (ValueError, KeyError, TypeError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{path} cannot be read as a trained network: {reason}. Train or copy it again.") from None
