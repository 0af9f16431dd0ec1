"""How a tokenizer takes new words as tokens: only the whole word is one, and all other text stays as it was."""

from __future__ import annotations

import copy
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

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
"""What a byte-pair model is told beside its entries and merges."""


class WordTokens(ABC):
    """A tokenizer that can be given words."""

    before = ""
    """What stands before a word in the middle of a text and belongs to its first piece."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.reader = copy.deepcopy(tokenizer.backend_tokenizer)
        """The tokenizer as it was, without padding and cutting off."""
        self.reader.no_padding()
        self.reader.no_truncation()

    @abstractmethod
    def forms(self, word: str) -> list[str]:
        """What the vocabulary must hold for the word to be one token, first that of the middle of a text."""

    @abstractmethod
    def add(self, forms: Sequence[str]) -> None:
        """Take forms that the vocabulary lacks as tokens, with the next ids in this order."""

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """The ids that each word has, in the middle of a text, before anything is added."""
        texts = [self.before + word for word in words]
        return [encoding.ids for encoding in self.reader.encode_batch(texts, add_special_tokens=False)]

    def normalised(self, text: str) -> str:
        """The text as the tokenizer reads it: in lower case if it is uncased."""
        normaliser = self.reader.normalizer
        return text if normaliser is None else str(normaliser.normalize_str(text))


class AddedBesideWordPieces(WordTokens):
    """Words found before a text is cut into word pieces.

    As entries of the WordPiece vocabulary itself they would be found at the beginning of other words too.
    """

    def forms(self, word: str) -> list[str]:
        """The normalised word."""
        spelt = self.normalised(word).strip()
        if len(spelt.split()) != 1:
            raise _not_one_word(word, spelt.split())
        return [spelt]

    def add(self, forms: Sequence[str]) -> None:
        """Add tokens that are found between characters that are no part of a word."""
        added_token = require("tokenizers", PURPOSE).AddedToken
        self.tokenizer.add_tokens([added_token(form, single_word=True, normalized=True) for form in forms])


class EntriesAmongBytePairs(WordTokens):
    """Words as entries of a byte-pair vocabulary that is looked at for the whole word before its pairs are merged.

    So a word keeps the blank before it, as all tokens of such a vocabulary do; a token beside the vocabulary would
    either lose that blank when it is decoded or leave it behind as a token of its own.
    """

    before = BLANK

    def forms(self, word: str) -> list[str]:
        """The word behind a blank, and the word where a text or a bracket begins."""
        spelt = self.normalised(word)
        cut = [self.reader.pre_tokenizer.pre_tokenize_str(before + spelt) for before in (BLANK, "")]
        if any(len(parts) != 1 for parts in cut):
            raise _not_one_word(word, [spelt[slice(*place)] for _, place in cut[1]])
        return list(dict.fromkeys(parts[0][0] for parts in cut))

    def add(self, forms: Sequence[str]) -> None:
        """Replace the model of the tokenizer by one with more entries."""
        described = json.loads(self.reader.to_str())
        model, next_id = described["model"], len(self.tokenizer)
        # Tokens beside the vocabulary keep their ids when they are entries of it.
        vocabulary = {**model["vocab"], **{token["content"]: token["id"] for token in described["added_tokens"]}}
        vocabulary |= {form: next_id + place for place, form in enumerate(forms)}
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


def pieces_in_texts(tokenizer: Any, words: Sequence[str]) -> list[list[int]]:
    """The ids that each word has in the middle of a text; the blank before it counts only to those who join it."""
    reader = copy.deepcopy(tokenizer.backend_tokenizer)
    reader.no_padding()
    reader.no_truncation()
    return [cut.ids for cut in reader.encode_batch([BLANK + word for word in words], add_special_tokens=False)]


def word_tokens(tokenizer: Any) -> WordTokens:
    """The way in which this tokenizer takes words."""
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"Words can be added to fast tokenizers of transformers (tokenizer.json). Got {type(tokenizer).__name__}."
        )
    ids = tokenizer.get_vocab().values()
    if max(ids) + 1 != len(tokenizer):
        raise InputError(
            f"The tokenizer has {len(tokenizer):,} tokens with ids up to {max(ids):,}; new words need a vocabulary "
            "without holes."
        )
    described = json.loads(tokenizer.backend_tokenizer.to_str())
    kind = described["model"]["type"]
    if kind == "WordPiece":
        return AddedBesideWordPieces(tokenizer)
    if kind == "BPE" and '"ByteLevel"' in json.dumps(described["pre_tokenizer"]):
        return EntriesAmongBytePairs(tokenizer)
    raise InputError(
        f"Words can be added to tokenizers of word pieces (BERT) and of byte pairs (RoBERTa), not to {kind} ones."
    )


def _not_one_word(word: str, parts: Sequence[str]) -> InputError:
    seen = " ".join(map(repr, parts)) or "nothing"
    return InputError(f"The word {word!r} is {seen} to the tokenizer, which cannot take it as one token; leave it out.")
