"""Tiny language models of random weights, saved by transformers: BERT (word pieces), RoBERTa and GPT-2 (byte pairs)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SENTENCES = (
    "The cat sat on the mat, and the dog sat on the cat.",
    "New York is a city; York is an older city.",
    "A naïve café owner in New York walked the dog.",
    "Walking, walked and walks: the dogs were walking the cats.",
)
SIZE = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    # Large weights, so that a neighbour in the text makes a difference that a test can see.
    "initializer_range": 0.5,
}


def save_tiny_bert(folder: Path, head: str = "Model", **shape: Any) -> Path:
    """An uncased BERT whose pieces come from `SENTENCES`, letters included; perhaps with a head ("ForMaskedLM")."""
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    words = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    words.normalizer = normalizers.BertNormalizer(lowercase=True)
    words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words.train_from_iterator(SENTENCES, trainers.WordPieceTrainer(vocab_size=80, special_tokens=special))
    tokenizer = transformers.BertTokenizerFast(vocab=words.get_vocab())
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), max_position_embeddings=64, pad_token_id=0, **(SIZE | shape)
    )
    return _saved(getattr(transformers, f"Bert{head}"), config, tokenizer, folder)


def save_tiny_roberta(folder: Path) -> Path:
    """A RoBERTa whose pieces are bytes and pairs of them, a word's first piece with the blank before it."""
    import transformers

    vocabulary, merges = _byte_pairs(["<s>", "<pad>", "</s>", "<unk>", "<mask>"], folder)
    tokenizer = transformers.RobertaTokenizerFast(vocab=vocabulary, merges=merges)
    config = transformers.RobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=66, pad_token_id=1, **SIZE)
    return _saved(transformers.RobertaModel, config, tokenizer, folder)


def save_tiny_gpt(folder: Path) -> Path:
    """A GPT-2 of the same kind of pieces: it reads from left to right, and has no piece for padding."""
    import transformers

    vocabulary, merges = _byte_pairs(["<|endoftext|>"], folder)
    tokenizer = transformers.GPT2TokenizerFast(vocab=vocabulary, merges=merges)
    config = transformers.GPT2Config(vocab_size=len(tokenizer), n_positions=64, n_embd=16, n_layer=2, n_head=2)
    return _saved(transformers.GPT2Model, config, tokenizer, folder)


def _byte_pairs(special: list[str], folder: Path) -> tuple[dict[str, int], list[tuple[str, ...]]]:
    from tokenizers import ByteLevelBPETokenizer

    pairs = ByteLevelBPETokenizer()
    pairs.train_from_iterator(SENTENCES, vocab_size=300, special_tokens=special, show_progress=False)
    folder.mkdir()
    pairs.save_model(str(folder))
    lines = (folder / "merges.txt").read_text(encoding="utf-8").splitlines()[1:]
    return pairs.get_vocab(), [tuple(line.split()) for line in lines if line]


def _saved(kind: Any, config: Any, tokenizer: Any, folder: Path) -> Path:
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        kind(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
