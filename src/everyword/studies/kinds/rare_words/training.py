"""What the models of a study about rare words learn from: the same words, sentences and target vectors for all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.config import to_dict
from everyword.errors import InputError
from everyword.files import fingerprint
from everyword.language_models.input_embeddings import single_pieces
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.one_token import OneTokenConfig, one_token_table
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class TrainingWords:
    """Words to learn from, with their sentences and target vectors."""

    sentences: Mapping[str, Sequence[str]]
    targets: VectorTable
    """The input vector of each word: its piece's own, or the result of one-token approximation."""
    one_piece: int
    """How many of the words are one piece."""

    @property
    def numbers(self) -> dict[str, int]:
        """The size of the training data."""
        return {
            "words": len(self.sentences),
            "of them one piece": self.one_piece,
            "sentences": sum(map(len, self.sentences.values())),
        }


def draw_training(
    table: VectorTable,
    contexts: Mapping[str, Sequence[str]],
    one_token: VectorTable | None,
    *,
    words: int | None,
    sentences: int,
    seed: int,
) -> TrainingWords:
    """Draw the words and the sentences of each that every model of one seed learns from.

    Args:
        table: The input vectors of words that are one piece.
        contexts: All words and their sentences.
        one_token: Input vectors of words of several pieces; words with neither vector are not drawn.
        words: How many words to draw; None takes all.
        sentences: How many sentences of a word to draw, at most.
        seed: Decides what is drawn.

    Raises:
        InputError: If no word has a vector.
    """
    found = {word: table.get(word) for word in contexts}
    if one_token is not None:
        found |= {word: one_token.get(word) for word, vector in found.items() if vector is None}
    usable = [word for word, vector in found.items() if vector is not None]
    if not usable:
        raise InputError("No word with sentences has an input vector; give frequent words of the language model.")
    rng = np.random.default_rng(seed)
    rows = range(len(usable)) if words is None else sorted(rng.permutation(len(usable))[:words].tolist())
    drawn = {usable[row]: draw_sentences(usable[row], contexts[usable[row]], sentences, seed) for row in rows}
    matrix = np.stack([np.asarray(found[word], dtype=np.float32) for word in drawn])
    return TrainingWords(drawn, VectorTable(list(drawn), matrix), sum(word in table for word in drawn))


def draw_sentences(word: str, sentences: Sequence[str], most: int, seed: int) -> list[str]:
    """Return a sample of the sentences of a word that depends on the word and the seed alone, in their order."""
    if len(sentences) <= most:
        return list(sentences)
    of_word = int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "little")
    chosen = np.random.default_rng([seed, of_word]).choice(len(sentences), size=most, replace=False)
    return [sentences[index] for index in sorted(chosen.tolist())]


def one_token_targets(
    encoder: LanguageModel, words: Sequence[str], config: OneTokenConfig, folder: Path
) -> VectorTable | None:
    """Return input vectors for the words of several pieces, saved by an earlier run or learnt now; None without any."""
    several = [word for word, piece in zip(words, single_pieces(encoder, words), strict=True) if piece is None]
    if not several:
        return None
    content = [encoder.weights_fingerprint(), several, to_dict(config)]
    path = folder / f"one-token-{fingerprint(content, sort_keys=False)[:16]}.npy"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        one_token_table(encoder, several, config).save(path)
    return VectorTable.load(path)
