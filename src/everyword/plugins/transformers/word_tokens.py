"""Words as new tokens: entries of a tokenizer, and rows of a model's matrices.

Only the whole word becomes a token; all other text is cut into the same pieces as before.
"""

from __future__ import annotations

import copy
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.extras import require

PURPOSE = "Adding words to a language model"
BLANK = " "
KEPT_OF_BYTE_PAIRS = (
    "dropout",
    "unk_token",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "fuse_unk",
    "byte_fallback",
)
"""Settings of a byte-pair model beside its entries and merges."""


class PieceReader:
    """A copy of a tokenizer that neither pads nor truncates, and does not change with the original."""

    def __init__(self, tokenizer: Any) -> None:
        self.backend = copy.deepcopy(tokenizer.backend_tokenizer)
        self.backend.no_padding()
        self.backend.no_truncation()

    def __call__(self, words: Sequence[str], before: str = BLANK) -> list[list[int]]:
        """Return the ids of each word in the middle of a text, where most tokenizers see a blank before it."""
        texts = [before + word for word in words]
        return [encoding.ids for encoding in self.backend.encode_batch(texts, add_special_tokens=False)]


class WordTokens(ABC):
    """A tokenizer that words can be added to."""

    before = ""
    """What stands before a word in the middle of a text and belongs to its first piece."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.reader = PieceReader(tokenizer)

    @abstractmethod
    def forms(self, word: str) -> list[str]:
        """Return the entries that make the word one token, first the one for the middle of a text."""

    @abstractmethod
    def add(self, forms: Sequence[str]) -> None:
        """Add forms that the vocabulary lacks, with the next ids in this order."""

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """Return the ids that each word has in the middle of a text before anything is added."""
        return self.reader(words, self.before)

    def normalised(self, text: str) -> str:
        """Return the text as the tokenizer reads it: in lower case if it is uncased."""
        normaliser = self.reader.backend.normalizer
        return text if normaliser is None else str(normaliser.normalize_str(text))


class AddedBesideWordPieces(WordTokens):
    """Words found before a text is cut into word pieces.

    As entries of the WordPiece vocabulary itself they would be found at the beginning of other words too.
    """

    def forms(self, word: str) -> list[str]:
        spelt = self.normalised(word).strip()
        if len(spelt.split()) != 1:
            raise _not_one_word(word, spelt.split())
        return [spelt]

    def add(self, forms: Sequence[str]) -> None:
        added_token = require("tokenizers", PURPOSE).AddedToken
        self.tokenizer.add_tokens([added_token(form, single_word=True, normalized=True) for form in forms])


class EntriesAmongBytePairs(WordTokens):
    """Words as entries of a byte-pair vocabulary, found as a whole before pairs are merged.

    A word has two forms, behind a blank and at the start of a text, because a token of such a vocabulary includes the
    blank before it. A token beside the vocabulary would lose that blank or leave it behind as a token of its own.
    """

    before = BLANK

    def forms(self, word: str) -> list[str]:
        spelt = self.normalised(word)
        cut = [self.reader.backend.pre_tokenizer.pre_tokenize_str(before + spelt) for before in (BLANK, "")]
        if any(len(parts) != 1 for parts in cut):
            raise _not_one_word(word, [spelt[slice(*index)] for _, index in cut[1]])
        return list(dict.fromkeys(parts[0][0] for parts in cut))

    def add(self, forms: Sequence[str]) -> None:
        described = json.loads(self.reader.backend.to_str())
        model, next_id = described["model"], len(self.tokenizer)
        # Tokens beside the vocabulary keep their ids when they are entries of it.
        vocabulary = {**model["vocab"], **{token["content"]: token["id"] for token in described["added_tokens"]}}
        vocabulary |= {form: next_id + index for index, form in enumerate(forms)}
        kept = {name: model[name] for name in KEPT_OF_BYTE_PAIRS if model.get(name) is not None}
        merges = [tuple(pair.split(BLANK)) if isinstance(pair, str) else tuple(pair) for pair in model["merges"]]
        byte_pairs = require("tokenizers.models", PURPOSE).BPE
        replacement = byte_pairs(vocab=vocabulary, merges=merges, ignore_merges=True, **kept)
        tokenizer = self.tokenizer
        tokenizer.backend_tokenizer.model = replacement
        # The classes of byte-pair models build themselves anew of entries and merges when they are loaded and forget
        # to look for whole words; the general class reads its file as it is.
        tokenizer.init_kwargs["model_input_names"] = tokenizer.model_input_names = list(tokenizer.model_input_names)
        tokenizer.__class__ = require("transformers", PURPOSE).PreTrainedTokenizerFast


def word_tokens(tokenizer: Any) -> WordTokens:
    """Return the way to add words to this tokenizer."""
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"Words can be added to fast tokenizers of transformers (tokenizer.json). Got {type(tokenizer).__name__}."
        )
    ids = tokenizer.get_vocab().values()
    if max(ids) + 1 != len(tokenizer):
        raise InputError(
            f"The tokenizer has {len(tokenizer):,} tokens but ids up to {max(ids):,}; words can only be added to a "
            "vocabulary without gaps."
        )
    described = json.loads(tokenizer.backend_tokenizer.to_str())
    kind = described["model"]["type"]
    if kind == "WordPiece":
        return AddedBesideWordPieces(tokenizer)
    if kind == "BPE" and '"ByteLevel"' in json.dumps(described["pre_tokenizer"]):
        return EntriesAmongBytePairs(tokenizer)
    raise InputError(
        f"Words can be added to tokenizers of word pieces (BERT) or byte pairs (RoBERTa). Got one of kind {kind}."
    )


def input_rows(model: Any, tokenizer: Any) -> Any:
    """Return the input matrix of a model: one row per token of its tokenizer, and perhaps some that are free."""
    try:
        rows = model.get_input_embeddings().weight
    except (AttributeError, NotImplementedError):
        raise InputError(
            f"A model of transformers with input embeddings is needed. Got {type(model).__name__}, which has none."
        ) from None
    if len(rows) < len(tokenizer):
        raise InputError(
            f"The tokenizer has {len(tokenizer):,} tokens and the model {len(rows):,} input rows; give the tokenizer "
            "that belongs to the model."
        )
    return rows


def check_dim(dim: int, rows: Any, name: str) -> None:
    """Refuse vectors that do not have the dimension of the input rows."""
    if dim != rows.shape[1]:
        raise InputError(
            f"{name} gives vectors of dimension {dim}, and the model's input rows have {rows.shape[1]}; give vectors "
            "of their space, or leave 'vectors' out to have them made."
        )


def as_array(weight: Any) -> FloatArray:
    """Return the numbers of a weight, which are shared with it where that is possible."""
    array: FloatArray = weight.detach().float().cpu().numpy()
    return array


def mean_of_pieces(rows: FloatArray, pieces: Sequence[Sequence[int]]) -> FloatArray:
    """Return the mean of the rows, or of the biases, of each word's pieces; zeros for a word without pieces."""
    means = np.zeros((len(pieces), *rows.shape[1:]), dtype=np.float32)
    for index, ids in enumerate(pieces):
        if ids:
            means[index] = rows[list(ids)].mean(axis=0)
    return means


def beside_pieces(
    vectors: FloatArray, rows: FloatArray, pieces: Sequence[Sequence[int]], unknown: int | None
) -> FloatArray:
    """Return the means of vectors and of the rows of the words' pieces, where these are known.

    A word's own vector carries its meaning, its pieces what the layers above were trained on;
    benchmarks/added_words.py measures both and their mean.
    """
    readable = np.array([bool(ids) and unknown not in ids for ids in pieces], dtype=np.bool_)
    means: FloatArray = vectors.copy()
    means[readable] = (vectors[readable] + mean_of_pieces(rows, pieces)[readable]) / 2
    return means


def write_rows(
    model: Any, tokens: int, ids: Sequence[int], vectors: FloatArray, pieces: Sequence[Sequence[int]]
) -> None:
    """Resize a model's matrices to this number of tokens, then write the vectors of the new ones.

    Output rows, unless they are the input rows, and output biases start as the means of the words' pieces.
    """
    torch = require("torch", PURPOSE)
    if tokens > len(model.get_input_embeddings().weight):
        model.resize_token_embeddings(tokens, mean_resizing=False)
    rows = model.get_input_embeddings().weight
    output = model.get_output_embeddings()
    new = [(rows, vectors)]
    if output is not None and output.weight is not rows:
        new.append((output.weight, mean_of_pieces(as_array(output.weight), pieces)))
    if output is not None and getattr(output, "bias", None) is not None:
        new.append((output.bias, mean_of_pieces(as_array(output.bias), pieces)))
    with torch.no_grad():
        for target, values in new:
            target[list(ids)] = torch.from_numpy(values).to(target)


def _not_one_word(word: str, parts: Sequence[str]) -> InputError:
    seen = " ".join(map(repr, parts)) or "nothing"
    return InputError(f"The tokenizer reads the word {word!r} as {seen}, so it cannot be one token; leave it out.")
