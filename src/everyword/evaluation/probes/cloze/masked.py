"""The probe put to a language model: which words does it expect in the place of the mask?

The network has a head for masked words, and may have vectors of rare words put into it, as long as it gives as many
outputs as its tokenizer gives pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.evaluation.probes.cloze.entries import Entry
from everyword.evaluation.probes.cloze.patterns import phrases
from everyword.evaluation.probes.cloze.scores import EntryRanks

AT_ONCE = 256


def ask_model(network: Any, tokenizer: Any, entries: Sequence[Entry]) -> list[EntryRanks]:
    """The rank of the best target in every phrase of each entry, among all pieces of the model."""
    mask = tokenizer.mask_token
    if mask is None:
        raise InputError("The tokenizer has no mask; the probe needs a model that guesses masked words.")
    pieces_of = _pieces_of_words(tokenizer)
    targets = [[piece for word in one.targets for piece in pieces_of.get(word, ())] for one in entries]
    questions = [
        (place, text)
        for place, one in enumerate(entries)
        if targets[place]
        for text in phrases(one.relation, one.keyword, mask)
    ]
    ranks: list[list[int]] = [[] for _ in entries]
    # By length, so that little is padded; the order within an entry does not matter.
    questions.sort(key=lambda question: len(question[1]))
    for start in range(0, len(questions), AT_ONCE):
        batch = questions[start : start + AT_ONCE]
        found = _ranks(network, tokenizer, [text for _, text in batch], [targets[place] for place, _ in batch])
        for (place, _), rank in zip(batch, found.tolist(), strict=True):
            ranks[place].append(rank)
    return [EntryRanks(one, tuple(of_one)) for one, of_one in zip(entries, ranks, strict=True)]


def answerable_words(tokenizer: Any) -> set[str]:
    """The words that are one piece, so that the model can answer them."""
    return set(_pieces_of_words(tokenizer))


def _pieces_of_words(tokenizer: Any) -> dict[str, list[int]]:
    """Whole pieces by the word that they spell, without case and without the mark of a blank before it."""
    special = set(tokenizer.all_special_ids)
    found: dict[str, list[int]] = {}
    for piece, token in enumerate(tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))):
        word = tokenizer.convert_tokens_to_string([token]).strip().lower()
        if piece not in special and not token.startswith("##"):
            found.setdefault(word, []).append(piece)
    return found


def _ranks(network: Any, tokenizer: Any, texts: Sequence[str], targets: Sequence[Sequence[int]]) -> IndexArray:
    import torch

    inputs = tokenizer(list(texts), padding=True, return_tensors="pt").to(network.device)
    places = (inputs["input_ids"] == tokenizer.mask_token_id).int().argmax(dim=1)
    with torch.inference_mode():
        logits = network(**inputs).logits[torch.arange(len(texts), device=places.device), places].float().cpu()
    best = torch.stack([row[list(pieces)].max() for row, pieces in zip(logits, targets, strict=True)])
    found: IndexArray = 1 + (logits > best[:, None]).sum(dim=1).numpy()
    return found
