"""What a reader of the README has already: a table of word vectors, and a small BERT."""

from __future__ import annotations

import string
from pathlib import Path

import everyword
from everyword.vectors.table import VectorTable

SIZE = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}


def lay_out(folder: Path) -> None:
    """Write `my-vectors.vec` and `my-bert`, both with the commonest words of the default model."""
    model = everyword.load()
    words = [word for word in model.known_words.words[:1500] if word.isalpha()]
    VectorTable(words, model.encode(words)[:, :50]).save(folder / "my-vectors.vec")
    _save_bert(words, folder / "my-bert")


def _save_bert(words: list[str], folder: Path) -> None:
    from transformers import BertConfig, BertModel, BertTokenizerFast

    letters = [*string.ascii_lowercase, *("##" + letter for letter in string.ascii_lowercase)]
    pieces = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *words])
    tokenizer = BertTokenizerFast(vocab={piece: row for row, piece in enumerate(pieces)})
    BertModel(BertConfig(vocab_size=len(pieces), **SIZE)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
