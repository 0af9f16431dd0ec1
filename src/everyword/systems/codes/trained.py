"""A trained code: messages of strings, strings of messages, how well they go together; saved as one file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from everyword import config as configs
from everyword.arrays import ByteArray, IndexArray, read_tensors
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.files import parse_json
from everyword.systems.codes.config import CodesConfig
from everyword.systems.codes.network import Games
from everyword.systems.codes.strings import split, strings_of

FORMAT = "code.v1"
ROWS_AT_ONCE = 8192
PADDED = ("prior_logits", "listener.of_input")
"""Weights that a game with fewer bits than another does not use all of."""


@dataclass(frozen=True)
class CodeScores:
    """How well a code works; shares lie between 0 and 1."""

    train_accuracy: float
    """The share of strings to train on that are reconstructed as a whole."""
    test_accuracy: float
    """The same of strings that were not trained on."""
    precision: float
    """The share of messages drawn from the prior that are decoded to a string of the language."""
    bits_per_string: float
    """What a string that was not trained on costs, log2 1/p, by importance sampling; log2 of their number at best."""
    distinct: float
    """The share of strings whose message no other string of the sample has."""


class TrainedCode:
    """The speaker, prior and listener of one game."""

    def __init__(self, config: CodesConfig, games: Games) -> None:
        self.config, self.games = config, games.eval()

    @classmethod
    def of_game(cls, config: CodesConfig, weights: Mapping[str, Tensor], number: int) -> TrainedCode:
        """Take one game out of the weights of several."""
        games = Games([config])
        own = {name: value[number : number + 1] for name, value in weights.items()}
        for name in PADDED:
            own[name] = own[name][:, : games.state_dict()[name].shape[1]]
        games.load_state_dict(own)
        return cls(config, games)

    @property
    def parameters(self) -> int:
        """The number of weights."""
        return sum(weights.numel() for weights in self.games.parameters())

    @torch.no_grad()
    def encode(self, strings: IndexArray) -> ByteArray:
        """Return the likeliest message of each string, (strings, bits), as zeros and ones."""
        self._check(strings, self.config.concepts, self.config.values, "string")
        parts = [self.games.speak(one)[0] > 0 for one in _parts(strings)]
        return torch.cat(parts).numpy().astype(np.uint8)

    @torch.no_grad()
    def decode(self, messages: ByteArray) -> IndexArray:
        """Return the likeliest symbol at each place, (messages, concepts): the value of concept i is symbol % values.

        Symbols are those of all concepts one after the other; a string of the language has one of concept i at place i.
        """
        self._check(messages, self.config.bits, 2, "message")
        parts = [self.games.listen(one.float())[0].argmax(dim=-1) for one in _parts(messages)]
        return torch.cat(parts).numpy()

    def in_language(self, symbols: IndexArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Return which rows of symbols are strings of the language."""
        right: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = (
            symbols // self.config.values == np.arange(self.config.concepts)
        ).all(axis=-1)
        return right

    def accuracy(self, strings: IndexArray) -> float:
        """Return the share of strings that are reconstructed as a whole."""
        wanted = strings + self.config.values * np.arange(self.config.concepts)
        return float((self.decode(self.encode(strings)) == wanted).all(axis=-1).mean())

    def score(self, sample: int = 10_000, draws: int = 20) -> CodeScores:
        """Score the code.

        Args:
            sample: How many strings to train on, other strings and random messages are looked at, at most.
            draws: How many messages per string estimate its probability.
        """
        train, test = (strings_of(part[:sample], self.config) for part in split(self.config))
        rng = np.random.default_rng([self.config.seed, 2])
        prior = self.games.prior_logits[0].detach().sigmoid().numpy()
        drawn = (rng.random((sample, self.config.bits)) < prior).astype(np.uint8)
        _, count = np.unique(self.encode(test), axis=0, return_counts=True)
        return CodeScores(
            self.accuracy(train),
            self.accuracy(test),
            float(self.in_language(self.decode(drawn)).mean()),
            self._bits_per_string(test[:1000], draws),
            float((count == 1).sum() / len(test)),
        )

    @torch.no_grad()
    def _bits_per_string(self, strings: IndexArray, draws: int) -> float:
        generator = torch.Generator().manual_seed(self.config.seed)
        given = torch.from_numpy(strings)[None]
        logits, found = self.games.speak(given), []
        for _ in range(draws):
            noise = torch.rand(1, len(strings), self.config.bits, generator=generator)
            bits = (noise < logits.sigmoid()).float()
            played = self.games.listen(bits).log_softmax(dim=-1)
            wanted = (given + self.games.first_symbols)[..., None]
            likelihood = played.gather(-1, wanted).sum(dim=(-1, -2))
            prior = _log_chance(bits, self.games.prior_logits[:, None])
            found.append(likelihood + prior - _log_chance(bits, logits))
        log_p = torch.stack(found).logsumexp(dim=0) - np.log(draws)
        return float(-log_p.mean() / np.log(2))

    def save(self, path: Path) -> None:
        """Write the settings and the weights to a file."""
        from safetensors.numpy import save

        weights = {name: value.contiguous().numpy() for name, value in self.games.state_dict().items()}
        metadata = {"format": FORMAT, "config": json.dumps(configs.to_dict(self.config))}
        write_atomic(path, save(weights, metadata=metadata))

    @classmethod
    def load(cls, path: Path) -> TrainedCode:
        """Read a file that `save` wrote; raise InputError if it is missing or damaged."""
        try:
            tensors, metadata = read_tensors(path)
            if metadata.get("format") != FORMAT:
                raise ValueError(f"its format is {metadata.get('format')!r:.40}, not {FORMAT!r}")
            config = configs.build(CodesConfig, parse_json(metadata["config"]), "the file")
            if any(tensors[name].shape[1:] != shape for name, shape in _sizes(config).items()):
                raise ValueError("its weights do not fit its configuration")
            games = Games([config])
            games.load_state_dict({name: torch.from_numpy(array) for name, array in tensors.items()})
            return cls(config, games)
        except FileNotFoundError:
            raise InputError(f"There is no file {path}; check the path.") from None
        except (ValueError, KeyError, TypeError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"{path} cannot be read as a trained code: {reason}. Train or copy it again.") from None

    def _check(self, rows: IndexArray | ByteArray, width: int, values: int, what: str) -> None:
        if rows.ndim != 2 or rows.shape[1] != width or (rows.size and not 0 <= rows.min() <= rows.max() < values):
            raise InputError(
                f"A {what} must have {width} numbers from 0 to {values - 1}. Got an array of shape {rows.shape}."
            )


def _sizes(config: CodesConfig) -> dict[str, tuple[int, ...]]:
    """Return the sizes of weights by which a damaged file is refused before there is memory for its networks."""
    return {
        "value_table": (config.symbols, config.embedding),
        "bit_table": (2, config.bit_embedding),
        "listener.of_state": (config.hidden, 4 * config.hidden),
        "prior_logits": (config.bits,),
    }


def _parts(rows: IndexArray | ByteArray) -> list[Tensor]:
    """Return rows as the only game's, some at a time."""
    starts = range(0, max(len(rows), 1), ROWS_AT_ONCE)
    return [torch.from_numpy(rows[start : start + ROWS_AT_ONCE].astype(np.int64))[None] for start in starts]


def _log_chance(bits: Tensor, logits: Tensor) -> Tensor:
    """Return the log-probability of messages under independent bits."""
    signed = torch.where(bits > 0, logits, -logits)
    return torch.nn.functional.logsigmoid(signed).sum(dim=-1)
