"""The cards of the shipped models, with scores from saved results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from peers.names import FORM, USER
from record import INFERRED, RESULTS, read, read_parts
from tables import TITLES

import everyword
from everyword.models.load import embedded_models
from everyword.models.saved import layout
from everyword.models.saved.card import render_card
from everyword.models.saved.write import describe

Rows = Iterator[dict[str, Any]]


def cards() -> dict[Path, str]:
    """Return the text of each shipped model's card, by its path."""
    scores = {"love-en": love_scores(), "everyword-en": everyword_scores(), "everyword-en-small": small_scores()}
    return {folder / layout.CARD: card(name, *scores[name]) for name, folder in embedded_models().items()}


def card(name: str, rows: Rows, note: str) -> str:
    """Return the card of a shipped model with its scores."""
    config = describe(everyword.load(name))
    config["training"] = {**config["training"], "scores": {"rows": list(rows), "note": note}}
    return render_card(config)


def love_scores() -> tuple[Rows, str]:
    """Return the scores on the six sets, every vector inferred."""
    inferred = read("love-en-similarity")["ways"][INFERRED]

    def rows() -> Rows:
        for score in inferred["sets"]:
            what = f"{TITLES[score['name']]}, every vector inferred"
            yield {"what": what, "score": f"{score['spearman']:.1f}", "n": score["pairs"]}
        pairs = sum(score["pairs"] for score in inferred["sets"])
        yield {"what": "mean of the six", "score": f"{inferred['mean']:.1f}", "n": pairs}

    note = (
        "Spearman × 100, every pair counted. The project's benchmark page has the teacher's own scores and the speed."
    )
    return rows(), note


def everyword_scores() -> tuple[Rows, str]:
    """Return the scores on the six sets as a user gets them and from form alone, on misspellings and new words."""
    parts = read("everyword-en")["parts"]
    sets, words = parts["similarity"], parts["held-out"]["words"]
    ours, form = sets["contenders"][USER], sets["contenders"][FORM]
    misspelt = parts["misspelling"]["contenders"][USER]

    def rows() -> Rows:
        for name, title in TITLES.items():
            yield {"what": title, "score": f"{ours['sets'][name]:.1f}", "n": sets["pairs"][name]}
        pairs = sum(sets["pairs"].values())
        yield {"what": "mean of the six", "score": f"{ours['mean']:.1f}", "n": pairs}
        yield {"what": "mean of the six, every vector from its form", "score": f"{form['mean']:.1f}", "n": pairs}
        for key, how in (("mrr", "mean reciprocal rank × 100"), ("hit@1", "first, %"), ("hit@10", "in ten, %")):
            what = f"correct word of a misspelling, {how}"
            yield {"what": what, "score": f"{misspelt[key]:.1f}", "n": parts["misspelling"]["pairs"]}
        cosine = parts["held-out"]["contenders"][USER]["cosine"]
        yield {"what": "unseen words: cosine to the teacher", "score": f"{cosine:.3f}", "n": words}

    return rows(), "Similarity: Spearman × 100, every pair counted, as a user gets the vectors unless stated otherwise."


def small_scores() -> tuple[Rows, str]:
    """Return the scores of the small model, from the parts that the table of bars has."""
    parts = read_parts(RESULTS / "everyword-en-small")
    sets, misspelt = parts["similarity"], parts["codespell"]
    pairs = sum(sets["pairs"].values())

    def rows() -> Rows:
        yield {"what": "mean of six similarity sets", "score": f"{sets['encode']['mean']:.1f}", "n": pairs}
        yield {"what": "the same, every vector from its form", "score": f"{sets['form']['mean']:.1f}", "n": pairs}
        yield {
            "what": "31 kinds of tokens, hit among ten, %",
            "score": f"{parts['kinds']['hit@10']:.1f}",
            "n": parts["kinds"]["n"],
        }
        ours = misspelt["contenders"]["everyword"]
        yield {
            "what": "correct word of a misspelling, first, %",
            "score": f"{ours['hit@1']:.1f}",
            "n": misspelt["pairs"],
        }

    return rows(), "Similarity: Spearman × 100, every pair counted. The page of everyword-en has all scores."
