"""Vectors of word pieces: byte pairs of a corpus with skip-gram vectors, which give any word of the script a vector.

A word is lower-cased and its digits become 0; its vector is that of its first piece followed by that of its last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import FloatArray, IndexArray, read_tensors
from everyword.atomic import write_atomic
from everyword.config import Count, Natural
from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.extras import require

FORMAT = "piece-vectors.v1"
UNKNOWN, MARKER = "<unk>", "▁"
"""A piece for unknown characters, and what stands before the first piece of a word."""
NO_PIECE = -1
TOKEN = re.compile(r"\w+|[^\w\s]")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class PiecesConfig:
    """How pieces and their vectors are learnt."""

    pieces: Count = 8000
    dim: Count = 100
    window: Count = 5
    epochs: Count = 5
    negatives: Count = 5
    words: Count = 1_000_000
    """How many words of each file are read."""
    seed: Natural = 0


def normal_form(word: str) -> str:
    """Return a word as its pieces are found.

    >>> normal_form("Boeing747")
    'boeing000'
    """
    return _DIGIT.sub("0", word.lower())


def tokenized_lines(path: Path, words: int) -> Iterator[list[str]]:
    """Yield the lines of a corpus as tokens, until so many were read."""
    for line in read_text(path, "corpus"):
        tokens = TOKEN.findall(normal_form(line))
        if tokens:
            yield tokens
        words -= len(tokens)
        if words <= 0:
            return


class PieceVectors:
    """Pieces of words with a vector each.

    Args:
        tokenizer: The tokenizer of the package tokenizers, as JSON.
        vectors: A row per piece; pieces without a vector have zeros.
        name: Such as the code of the language.
    """

    def __init__(self, tokenizer: str, vectors: FloatArray, name: str = "pieces") -> None:
        self.tokenizer_json, self.vectors, self.name = tokenizer, vectors, name

    @property
    def dim(self) -> int:
        """The length of a word's vector, two pieces."""
        return 2 * int(self.vectors.shape[1])

    @cached_property
    def _tokenizer(self) -> Any:
        return require("tokenizers", "Cutting words into pieces").Tokenizer.from_str(self.tokenizer_json)

    def pieces(self, words: Sequence[str]) -> IndexArray:
        """Return first and last piece of each word, (words, 2); `NO_PIECE` where it is not a known one."""
        unknown, marker = (self._tokenizer.token_to_id(token) for token in (UNKNOWN, MARKER))
        found = np.full((len(words), 2), NO_PIECE, dtype=np.int64)
        cut = self._tokenizer.encode_batch([normal_form(word) for word in words], add_special_tokens=False)
        for row, encoding in enumerate(cut):
            if ids := [piece for piece in encoding.ids if piece != marker]:
                ends = ids[0], ids[-1]
                found[row] = [NO_PIECE if piece == unknown else piece for piece in ends]
        return found

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words; of a word of another script all zeros."""
        return joined_parts(self.vectors, self.pieces(words))

    def save(self, path: Path) -> None:
        """Write one safetensors file."""
        from safetensors.numpy import save

        metadata = {"format": FORMAT, "name": self.name, "tokenizer": self.tokenizer_json}
        write_atomic(path, save({"vectors": self.vectors}, metadata=metadata))

    @classmethod
    def load(cls, path: Path) -> PieceVectors:
        """Read what `save` wrote."""
        try:
            tensors, metadata = read_tensors(path)
            if metadata.get("format") != FORMAT:
                raise ValueError(f"its format is {metadata.get('format')!r:.40}, not {FORMAT!r}")
            return cls(metadata["tokenizer"], tensors["vectors"].astype(np.float32), metadata["name"])
        except FileNotFoundError:
            raise InputError(f"There is no file {path}; check the path.") from None
        except (ValueError, KeyError) as error:
            raise InputError(f"{path} cannot be read as vectors of pieces: {error}.") from None


def joined_parts(vectors: FloatArray, rows: IndexArray) -> FloatArray:
    """Return rows of vectors side by side, (words, parts · dim), with zeros for `NO_PIECE`.

    >>> joined_parts(np.array([[1.0], [2.0]], dtype=np.float32), np.array([[1, 0], [NO_PIECE, 1]])).tolist()
    [[2.0, 1.0], [0.0, 2.0]]
    """
    with_zeros = np.concatenate([vectors, np.zeros((1, vectors.shape[1]), dtype=vectors.dtype)])
    return with_zeros[rows].reshape(len(rows), -1).astype(np.float32, copy=False)


def train_pieces(paths: Iterable[Path], config: PiecesConfig, name: str = "pieces") -> PieceVectors:
    """Learn byte pairs from text files, all read to the same number of words, and skip-gram vectors of them."""
    models: Any = require("gensim.models", "Learning vectors of pieces")
    sentences = [" ".join(tokens) for path in paths for tokens in tokenized_lines(path, config.words)]
    if not sentences:
        raise InputError("The corpus holds no words; give files with text.")
    tokenizer = _byte_pairs(sentences, config.pieces)
    cut = [encoding.tokens for encoding in tokenizer.encode_batch(sentences, add_special_tokens=False)]
    model = models.Word2Vec(
        cut,
        sg=1,
        vector_size=config.dim,
        window=config.window,
        negative=config.negatives,
        epochs=config.epochs,
        min_count=1,
        seed=config.seed,
        workers=1,
    )
    vectors = np.zeros((tokenizer.get_vocab_size(), config.dim), dtype=np.float32)
    for piece, number in tokenizer.get_vocab().items():
        if piece in model.wv and piece != UNKNOWN:
            vectors[number] = model.wv[piece]
    return PieceVectors(tokenizer.to_str(), vectors, name)


def _byte_pairs(sentences: Sequence[str], pieces: int) -> Any:
    tokenizers: Any = require("tokenizers", "Learning pieces of words")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(MARKER)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=pieces, special_tokens=[UNKNOWN], show_progress=False, limit_alphabet=400
    )
    tokenizer.train_from_iterator(sentences, trainer)
    return tokenizer
