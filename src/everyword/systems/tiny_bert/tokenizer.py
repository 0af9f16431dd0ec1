"""Tokenizers that are learnt from a corpus: word pieces, as BERT's, whole words, or byte pairs, as RoBERTa's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from everyword.extras import require

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PADDING, UNKNOWN, FIRST, END, MASK = range(len(SPECIAL))
SPECIAL_OF_BYTE_PAIRS = ("<pad>", "<unk>", "<s>", "</s>", "<mask>")
"""The same pieces under the names that RoBERTa has for them."""
BYTE_PAIRS, WORDS = "byte-pairs", "words"
TOKENIZER = "tokenizer.json"
PURPOSE = "Preparing a corpus"


def trained_tokenizer(sentences: Iterator[str], size: int, units: str) -> Any:
    """Train a tokenizer: lower-casing, of word pieces or words, or of byte pairs, which keep the case."""
    tokenizers = require("tokenizers", PURPOSE)
    if units == BYTE_PAIRS:
        return _byte_pairs(tokenizers, sentences, size)
    kind = tokenizers.models.WordLevel if units == WORDS else tokenizers.models.WordPiece
    tokenizer = _bert_tokenizer(tokenizers, kind(unk_token=SPECIAL[UNKNOWN]))
    options = {"vocab_size": size, "special_tokens": list(SPECIAL), "show_progress": False}
    if units == WORDS:
        tokenizer.train_from_iterator(sentences, tokenizers.trainers.WordLevelTrainer(**options))
        # As BERT's tokenizer reads the vocabulary: without continuing pieces, a word is in it or unknown.
        return tokenizer_of(sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__))
    tokenizer.train_from_iterator(sentences, tokenizers.trainers.WordPieceTrainer(**options, limit_alphabet=400))
    return tokenizer


def tokenizer_of(vocabulary: Sequence[str]) -> Any:
    """Return the tokenizer of a vocabulary of word pieces."""
    tokenizers = require("tokenizers", PURPOSE)
    numbers = {piece: number for number, piece in enumerate(vocabulary)}
    return _bert_tokenizer(tokenizers, tokenizers.models.WordPiece(numbers, unk_token=SPECIAL[UNKNOWN]))


def _bert_tokenizer(tokenizers: Any, model: Any) -> Any:
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return tokenizer


def _byte_pairs(tokenizers: Any, sentences: Iterator[str], size: int) -> Any:
    names = SPECIAL_OF_BYTE_PAIRS
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    # A word is the same pieces at the beginning of a text as inside it.
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    options = {"vocab_size": size, "special_tokens": list(names), "show_progress": False}
    tokenizer.train_from_iterator(sentences, tokenizers.trainers.BpeTrainer(**options, initial_alphabet=alphabet))
    ends = ((names[END], END), (names[FIRST], FIRST))
    tokenizer.post_processor = tokenizers.processors.RobertaProcessing(*ends, add_prefix_space=True)
    return tokenizer


def for_transformers(transformers: Any, vocabulary: Sequence[str], units: str, length: int, folder: Path) -> Any:
    """Return the tokenizer of a prepared corpus as transformers has it; byte pairs are read from the corpus folder."""
    if units != BYTE_PAIRS:
        numbers = {piece: number for number, piece in enumerate(vocabulary)}
        return transformers.BertTokenizerFast(vocab=numbers, model_max_length=length)
    names = SPECIAL_OF_BYTE_PAIRS
    # The mask takes the blank before it, as the words that it hides do.
    mask = require("tokenizers", PURPOSE).AddedToken(names[MASK], lstrip=True, special=True)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder / TOKENIZER),
        model_max_length=length,
        pad_token=names[PADDING],
        unk_token=names[UNKNOWN],
        bos_token=names[FIRST],
        cls_token=names[FIRST],
        eos_token=names[END],
        sep_token=names[END],
        mask_token=mask,
    )
