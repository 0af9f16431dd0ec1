"""Put the probe to a language model or to word vectors, and score the ranks of the answers.

A language model predicts a masked word; its network may have vectors of rare words inserted, as long as it has as many
outputs as its tokenizer has pieces. Word vectors are asked for the nearest known words of the keyword.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from everyword.arrays import IndexArray
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.context_models import ContextModel, Sentences
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.probes.cloze.entries import BANDS, RELATIONS, Entry, phrases
from everyword.evaluation.tasks.misspelling import ranks

AT_ONCE = 256
TOP = 100
"""Answers with a worse rank count as not found."""


@dataclass(frozen=True)
class EntryRanks:
    """An entry and the rank of its best target in each phrase, from 1."""

    entry: Entry
    ranks: tuple[int, ...]
    """Empty if the model can answer none of its targets."""


@dataclass(frozen=True)
class Cell:
    """The scores of one relation and band, in percent."""

    relation: str
    band: str
    n: int
    answerable: int
    """Entries with a target that the model can answer; the others count as not found."""
    best: float
    """Mean reciprocal rank with the best phrase of each entry, as published; an oracle chooses the phrase."""
    mean: float
    """Mean reciprocal rank over all phrases, without an oracle."""


def cells(ranked: Sequence[EntryRanks]) -> list[Cell]:
    """Score every relation in every band, then all relations of each band together ("all")."""
    return list(_cells(ranked))


def _cells(ranked: Sequence[EntryRanks]) -> Iterator[Cell]:
    for relation in (*RELATIONS, "all"):
        for band in BANDS:
            chosen = [one for one in ranked if one.entry.band == band and relation in (one.entry.relation, "all")]
            if chosen:
                yield _cell(relation, band, chosen)


def _cell(relation: str, band: str, chosen: Sequence[EntryRanks]) -> Cell:
    reciprocal = [[1 / rank if rank <= TOP else 0.0 for rank in one.ranks] or [0.0] for one in chosen]
    return Cell(
        relation,
        band,
        len(chosen),
        sum(bool(one.ranks) for one in chosen),
        100 * float(np.mean([max(of_phrases) for of_phrases in reciprocal])),
        100 * float(np.mean([np.mean(of_phrases) for of_phrases in reciprocal])),
    )


def ask_model(network: Any, tokenizer: Any, entries: Sequence[Entry]) -> list[EntryRanks]:
    """Rank the best target of each entry in every phrase, among all pieces of a language model."""
    mask = tokenizer.mask_token
    if mask is None:
        raise InputError("The tokenizer has no mask token; the probe needs a model that predicts masked words.")
    pieces_of = _pieces_of_words(tokenizer)
    targets = [[piece for word in one.targets for piece in pieces_of.get(word, ())] for one in entries]
    questions = [
        (index, text)
        for index, one in enumerate(entries)
        if targets[index]
        for text in phrases(one.relation, one.keyword, mask)
    ]
    ranks_of: list[list[int]] = [[] for _ in entries]
    # By length, so that little is padded; the order within an entry does not matter.
    questions.sort(key=lambda question: len(question[1]))
    for start in range(0, len(questions), AT_ONCE):
        batch = questions[start : start + AT_ONCE]
        found = _mask_ranks(network, tokenizer, [text for _, text in batch], [targets[index] for index, _ in batch])
        for (index, _), rank in zip(batch, found.tolist(), strict=True):
            ranks_of[index].append(rank)
    return [EntryRanks(one, tuple(of_one)) for one, of_one in zip(entries, ranks_of, strict=True)]


def answerable_words(tokenizer: Any) -> set[str]:
    """Return the words that are one piece, which the model can answer."""
    return set(_pieces_of_words(tokenizer))


def _pieces_of_words(tokenizer: Any) -> dict[str, list[int]]:
    """Return whole pieces by the word that they spell, without case and without the mark of a blank."""
    special = set(tokenizer.all_special_ids)
    found: dict[str, list[int]] = {}
    for piece, token in enumerate(tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))):
        word = tokenizer.convert_tokens_to_string([token]).strip().lower()
        if piece not in special and not token.startswith("##"):
            found.setdefault(word, []).append(piece)
    return found


def _mask_ranks(network: Any, tokenizer: Any, texts: Sequence[str], targets: Sequence[Sequence[int]]) -> IndexArray:
    import torch

    inputs = tokenizer(list(texts), padding=True, return_tensors="pt").to(network.device)
    positions = (inputs["input_ids"] == tokenizer.mask_token_id).int().argmax(dim=1)
    with torch.inference_mode():
        logits = network(**inputs).logits[torch.arange(len(texts), device=positions.device), positions].float().cpu()
    best = torch.stack([row[list(pieces)].max() for row, pieces in zip(logits, targets, strict=True)])
    found: IndexArray = 1 + (logits > best[:, None]).sum(dim=1).numpy()
    return found


def ask_table(model: EvaluatedModel, entries: Sequence[Entry], sentences: Sentences | None = None) -> list[EntryRanks]:
    """Rank the best target of each entry among all candidates except the keyword; there are no phrases.

    A model that reads sentences gets those of each keyword, if there are any.
    """
    rows = [[row for word in one.targets if (row := model.candidate(word)) is not None] for one in entries]
    fair = [index for index, found in enumerate(rows) if found]
    if not fair:
        raise NoScoreError(
            f"No target of the probe is among the {len(model.candidates):,} candidates of {model.name}; "
            "is it of another language?"
        )
    words = [entries[index].keyword for index in fair]
    unique = list(dict.fromkeys(words))
    given = {word: (sentences or {}).get(word, []) for word in unique}
    vectors = model.units_in(given) if isinstance(model, ContextModel) else model.units(unique)
    row_of = {word: row for row, word in enumerate(unique)}
    queries = vectors[[row_of[word] for word in words]]
    own = [model.candidate(word) for word in words]
    barred = np.array([-1 if row is None else row for row in own])
    found = ranks(queries, model.candidate_units, [rows[index] for index in fair], barred)
    found[~queries.any(axis=1)] = len(model.candidates)
    rank_of = dict(zip(fair, found.tolist(), strict=True))
    return [EntryRanks(one, (rank_of[index],) if index in rank_of else ()) for index, one in enumerate(entries)]
