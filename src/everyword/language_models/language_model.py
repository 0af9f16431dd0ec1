"""Load a transformer language model, cut texts into its pieces and compute the vector of each piece."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from everyword.arrays import FloatArray
from everyword.errors import InputError, did_you_mean
from everyword.extras import require
from everyword.language_models.pieces import TextTokenizer
from everyword.learning.device import pick_device

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
HUB_ID = re.compile(r"[\w.-]+(/[\w.-]+)?")
PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
LAST_LAYER = (-1,)
DEFAULT_POSITIONS = 512
RESERVED_POSITIONS = 2
"""RoBERTa and MPNet count positions from 2, and the configuration counts those two as well."""
PIECES_PER_BATCH = {"cpu": 4096, "cuda": 65_536}
"""Larger batches make a CPU slower and a GPU no faster."""


class LanguageModel:
    """A language model in inference mode, with its tokenizer.

    Args:
        network: A model of transformers.
        tokenizer: Its fast tokenizer.
        name: What to call the model in messages.

    Raises:
        InputError: If the tokenizer is not a fast one.
    """

    def __init__(self, network: Any, tokenizer: Any, *, name: str = "the model") -> None:
        if not tokenizer.is_fast:
            raise InputError(
                f"The tokenizer of {name} ({type(tokenizer).__name__}) does not report which letters a piece covers; "
                "use a model with a fast tokenizer (tokenizer.json)."
            )
        self.network = network.eval()
        self.tokenizer = tokenizer
        self.name = name
        self.device: torch.device = network.device

    @classmethod
    def load(cls, source: str | Path, *, device: str = "auto", precision: str | None = None) -> LanguageModel:
        """Load a model.

        Args:
            source: A folder that save_pretrained of transformers wrote, a folder that contains one, or a hub id such
                as user/model.
            device: "auto", "cpu", "cuda" or another device of torch.
            precision: "float32" or "bfloat16"; by default bfloat16 on a GPU and float32 elsewhere.

        Returns:
            The model; of an encoder-decoder model, the encoder.

        Raises:
            InputError: If there is no such model, if it is damaged or if weights are missing.
        """
        target = pick_device(device)
        dtype = _dtype(precision, target)
        network, tokenizer, missing = load_pretrained(
            source, lambda package, _: package.AutoModel, dtype=dtype, trust_remote_code=False
        )
        check_no_random_weights(source, missing)
        if network.config.is_encoder_decoder:
            network = network.get_encoder()
        return cls(network.to(target), tokenizer, name=str(source))

    @property
    def dim(self) -> int:
        """Length of an output vector."""
        return int(self.network.config.get_text_config().hidden_size)

    @property
    def input_dim(self) -> int:
        """Length of an input vector; some models widen theirs before the first layer."""
        return int(self.network.get_input_embeddings().weight.shape[1])

    @property
    def layers(self) -> int:
        """Number of layers above the input vectors."""
        return int(self.network.config.get_text_config().num_hidden_layers)

    @property
    def longest(self) -> int:
        """Maximum number of pieces of a text; the rest is cut off."""
        return longest_text(self.network, self.tokenizer)

    @property
    def pieces_per_batch(self) -> int:
        """Maximum number of pieces, with padding, that go through the network at once."""
        return PIECES_PER_BATCH.get(self.device.type, PIECES_PER_BATCH["cpu"])

    @property
    def text_tokenizer(self) -> TextTokenizer:
        """The tokenizer without the network, which can be sent to other processes."""
        return TextTokenizer(self.tokenizer, self.longest)

    def tokenize(self, texts: Sequence[str], *, bare: bool = False) -> list[Any]:
        """Cut texts into pieces, see `TextTokenizer.tokenize`."""
        return self.text_tokenizer.tokenize(texts, bare=bare)

    def special_pieces(self) -> tuple[list[int], list[int]]:
        """Return the special pieces before and after every text."""
        encoding = self.tokenize(["a"])[0]
        own = [index for index, special in enumerate(encoding.special_tokens_mask) if not special]
        return encoding.ids[: own[0]], encoding.ids[own[-1] + 1 :]

    def input_matrix(self) -> FloatArray:
        """Return the input vector of each piece, before any layer."""
        matrix: FloatArray = self.network.get_input_embeddings().weight.detach().float().cpu().numpy()
        return matrix

    @torch.inference_mode()
    def outputs(self, ids: Sequence[Sequence[int]], layers: Sequence[int] = LAST_LAYER) -> tuple[Tensor, Tensor]:
        """Compute the output vectors of texts.

        Args:
            ids: The pieces of each text.
            layers: The layers whose outputs are averaged; 0 is the input, -1 the last layer.

        Returns:
            The vectors (texts, pieces, dim) in float32, and a mask that is false for padding.
        """
        padded, mask = self.pad(ids)
        return self.forward(padded, mask, layers), mask

    @torch.inference_mode()
    def forward(self, padded: Tensor, mask: Tensor, layers: Sequence[int] = LAST_LAYER) -> Tensor:
        """Compute the output vectors of padded texts on the device, as `outputs` does."""
        last_only = tuple(layers) == LAST_LAYER
        result = self.network(input_ids=padded, attention_mask=mask.long(), output_hidden_states=not last_only)
        if last_only:
            last: Tensor = result.last_hidden_state.float()
            return last
        return torch.stack([result.hidden_states[layer].float() for layer in layers]).mean(dim=0)

    def pad(self, ids: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """Return texts as one padded tensor (texts, pieces) on the device, and a mask that is false for padding."""
        lengths = torch.tensor([len(text) for text in ids])
        padded = torch.full((len(ids), int(lengths.max())), self.tokenizer.pad_token_id or 0)
        mask = torch.arange(padded.shape[1]) < lengths[:, None]
        padded[mask] = torch.tensor([piece for text in ids for piece in text])
        return self.to_device(padded), self.to_device(mask)

    def to_device(self, tensor: Tensor) -> Tensor:
        """Return a tensor on the device of the model."""
        if self.device.type != "cuda":
            return tensor.to(self.device)
        # From pinned memory a copy waits in the queue of the GPU, instead of this program waiting for the queue.
        return tensor.pin_memory().to(self.device, non_blocking=True)

    def check_layers(self, layers: Sequence[int]) -> None:
        """Raise InputError for layers that the model does not have; 0 is its input, -1 its last layer."""
        wrong = [layer for layer in layers if not -self.layers - 1 <= layer <= self.layers]
        if wrong or not layers:
            raise InputError(
                f"The layers of {self.name} are 0 (its input) to {self.layers}, or counted from the end -1 to "
                f"{-self.layers - 1}. Got {', '.join(map(str, wrong)) or 'none'} instead."
            )

    def fingerprint(self) -> str:
        """Return a fingerprint of the weights and their precision, wherever the model is stored."""
        digest = hashlib.sha256(str(self.network.dtype).encode())
        for name, weights in self.network.named_parameters():
            digest.update(name.encode())
            digest.update(weights.detach().float().cpu().numpy().tobytes())
        return digest.hexdigest()

    def weights_fingerprint(self) -> str:
        """Return a fingerprint of the weights that is the same in every precision; the unused pooler does not count."""
        digest = hashlib.sha256()
        for name, weights in self.network.named_parameters():
            if "pooler" not in name:
                digest.update(name.encode())
                # Rounded as a model in bfloat16 is: in float32 it is then the same model.
                digest.update(weights.detach().to(torch.bfloat16).view(torch.int16).cpu().numpy().tobytes())
        return digest.hexdigest()


def longest_text(network: Any, tokenizer: Any) -> int:
    """Return how many pieces of a text a network can read."""
    positions = getattr(network.config.get_text_config(), "max_position_embeddings", None)
    allowed = (positions or DEFAULT_POSITIONS + RESERVED_POSITIONS) - RESERVED_POSITIONS
    return int(min(allowed, tokenizer.model_max_length))


def load_pretrained(
    source: str | Path,
    kind: Callable[[Any, str], Any],
    what: str = "A language model",
    *,
    seed: int = 0,
    **options: Any,
) -> tuple[Any, Any, set[str]]:
    """Load a network and its tokenizer with transformers.

    Args:
        source: A folder or a hub id.
        kind: From the package transformers and the folder or id to the class to load.
        what: What is loaded, for messages.
        seed: Seed of the weights that are missing.
        options: Passed to `from_pretrained`.

    Returns:
        The network, the tokenizer and the names of the missing weights.
    """
    transformers, found = require("transformers", what), find_model(source)
    with quietly(transformers), torch.random.fork_rng():
        torch.manual_seed(seed)
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(found, trust_remote_code=False)
            loader = kind(transformers, found)
            network, report = loader.from_pretrained(found, output_loading_info=True, **options)
        except Exception as error:  # whatever a damaged file or a hub out of reach makes these packages raise
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
            raise InputError(
                f"{what} could not be loaded from {source} ({reason}); give a folder that save_pretrained of "
                "transformers wrote, or the id of a model on the hub."
            ) from error
    return network, tokenizer, report["missing_keys"]


def find_model(source: str | Path) -> str:
    """Return the folder of a model, which may be inside the given one; anything that is not a path may be a hub id."""
    folder = Path(source)
    if folder.is_dir():
        return str(_only_model_in(folder))
    if folder.exists():
        raise InputError(f"{source} is a file; a model of transformers is a folder or a hub id such as user/model.")
    if not HUB_ID.fullmatch(str(source)):
        raise InputError(f"There is no folder {source}; check the path, or give a hub id such as user/model.")
    return str(source)


def _only_model_in(folder: Path) -> Path:
    if _is_model(folder):
        return folder
    found = sorted({path.parent for path in folder.rglob("config.json") if _is_model(path.parent)})
    if not found:
        raise InputError(
            f"{folder} holds no model of transformers (a config.json that names a model_type, beside weights such as "
            "model.safetensors); give the folder that save_pretrained wrote."
        )
    if len(found) > 1:
        raise InputError(f"{folder} holds {len(found)} models ({', '.join(map(str, found[:5]))}); give one of them.")
    return found[0]


def _is_model(folder: Path) -> bool:
    config = folder / "config.json"
    if not config.is_file() or not any(any(folder.glob(pattern)) for pattern in WEIGHTS):
        return False
    return '"model_type"' in config.read_text(encoding="utf-8", errors="replace")


def _dtype(precision: str | None, device: torch.device) -> torch.dtype:
    if precision is None:
        return torch.bfloat16 if device.type == "cuda" else torch.float32
    if precision not in PRECISIONS:
        raise InputError(f"There is no precision {precision!r}: {did_you_mean(precision, PRECISIONS)}")
    return PRECISIONS[precision]


def check_no_random_weights(source: str | Path, missing: set[str]) -> None:
    """Raise InputError if weights are missing, which transformers draws at random; the pooler, never used, may be."""
    drawn = sorted(name for name in missing if "pooler" not in name)
    if drawn:
        raise InputError(
            f"The weights in {source} lack {len(drawn)} parts of the model ({', '.join(drawn[:3])}, ...), which "
            "would be random; get the complete model."
        )


@contextmanager
def quietly(transformers: Any) -> Iterator[None]:
    """Silence the loading bar and the table of unused weights; missing weights are reported by name instead."""
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
