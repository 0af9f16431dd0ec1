"""The network: a BERT of transformers that reads both sides or one, perhaps with attributes of words."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from everyword.corpus.lexicons.attributes import AttributeLexicon
from everyword.errors import InputError
from everyword.extras import require
from everyword.language_models.attributes import AttributeEmbedding, AttributeTable
from everyword.learning.optimisers import TorchOptimiser
from everyword.systems.tiny_bert.config import TinyBertConfig
from everyword.systems.tiny_bert.tokenizer import BYTE_PAIRS, END, FIRST, PADDING, SPECIAL

PURPOSE = "Training a small BERT"


def make_network(chosen: TinyBertConfig, vocabulary: int) -> Any:
    """Return a model of transformers that predicts masked pieces, or pieces from those before them."""
    transformers = require("transformers", PURPOSE)
    size = {
        "vocab_size": vocabulary,
        "hidden_size": chosen.width,
        "num_hidden_layers": chosen.layers,
        "num_attention_heads": chosen.heads,
        "intermediate_size": chosen.inner,
        "hidden_dropout_prob": chosen.dropout,
        "attention_probs_dropout_prob": chosen.dropout,
        "pad_token_id": PADDING,
    }
    if chosen.units == BYTE_PAIRS:
        # RoBERTa counts positions from the one behind its padding; two more are reserved, as in every RoBERTa.
        size |= {"max_position_embeddings": chosen.length + 2, "type_vocab_size": 1}
        kind, shape = transformers.RobertaForMaskedLM, transformers.RobertaConfig
        size |= {"bos_token_id": FIRST, "eos_token_id": END}
    else:
        one_way = {"is_decoder": True, "use_cache": False} if chosen.causal else {}
        size |= {"max_position_embeddings": chosen.length, **one_way}
        kind = transformers.BertLMHeadModel if chosen.causal else transformers.BertForMaskedLM
        shape = transformers.BertConfig
    with torch.random.fork_rng():
        torch.manual_seed(chosen.seed)
        return kind(shape(**size))


def add_attributes(
    network: Any, vocabulary: list[str], lexicon: AttributeLexicon, chosen: TinyBertConfig
) -> AttributeTable:
    """Give the words of a network attributes, and return these.

    Raises:
        InputError: If no attribute is shared by enough words of the vocabulary.
    """
    table = collect_attributes(vocabulary, lexicon, chosen)
    if not table.names:
        raise InputError(
            f"No attribute of the lexicon belongs to {chosen.attributes.min_words} or more words of the vocabulary; "
            "give a lexicon for the language of the corpus, or lower attributes.min_words."
        )
    used = chosen.attributes
    own = network.get_input_embeddings()
    layer = AttributeEmbedding(own, table, embed=used.embed, predict=used.predict, seed=chosen.seed)
    network.set_input_embeddings(layer)
    return table


def collect_attributes(vocabulary: list[str], lexicon: AttributeLexicon, chosen: TinyBertConfig) -> AttributeTable:
    """Return the attributes of a vocabulary; special pieces and those that continue a word have none."""

    def attributes(piece: str) -> tuple[str, ...]:
        own = piece in SPECIAL or piece.startswith("##")
        return () if own else lexicon.of(piece, inflected=chosen.attributes.inflected)

    return AttributeTable.collect(vocabulary, attributes, chosen.attributes.min_words)


def head_states(network: Any, hidden: Tensor) -> Tensor:
    """Return the states from which the output vectors of pieces, and of attributes, are recognised."""
    head = getattr(network, "lm_head", None)
    if head is None:
        states: Tensor = network.cls.predictions.transform(hidden)
        return states
    normed: Tensor = head.layer_norm(nn.functional.gelu(head.dense(hidden)))
    return normed


def make_optimiser(network: nn.Module, chosen: TinyBertConfig, device: torch.device) -> TorchOptimiser:
    """Return AdamW with weight decay for matrices only."""
    groups = [
        {"params": [p for p in network.parameters() if p.ndim > 1], "weight_decay": chosen.weight_decay},
        {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0},
    ]
    fused = device.type == "cuda"
    return TorchOptimiser(torch.optim.AdamW(groups, lr=chosen.rate, betas=(0.9, 0.98), fused=fused))
