"""The page of languages: scores of each model beside its peers, and English neighbours of some words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from record import read
from tables import table

NAMES = {"de": "German", "fi": "Finnish"}
PEERS = {"fasttext": "fastText, mapped", "skip-gram": "skip-gram, mapped"}
ROWS = {
    "similarity": "similarity, Spearman × 100",
    "translation.p1": "unseen translation first, %",
    "translation.p5": "among the first five, %",
    "translation.mrr": "MRR × 100",
    "misspelling.mrr": "misspellings: MRR × 100",
    "misspelling.p1": "right word first, %",
    "typo.mrr": "made-up typos: MRR × 100",
    "typo.cosine": "cosine to the right word × 100",
    "tagging.accuracy": "parts of speech, %",
    "tagging.unseen": "of words not trained on, %",
}


def sections() -> dict[str, str]:
    """Return the generated parts of the page by the names of their markers."""
    parts = read("languages")["parts"]
    return {
        "scores": "\n\n".join(_scores(code, part) for code, part in parts.items()),
        "examples": "\n\n".join(_examples(code, part) for code, part in parts.items()),
    }


def _scores(code: str, part: dict[str, Any]) -> str:
    encoders = part["encoders"]
    head = [NAMES[code], *(PEERS.get(name, f"`{name}`") for name in encoders)]
    return table(head, _rows(encoders)) + "\n\n" + _remark(part)


def _rows(encoders: dict[str, Any]) -> Iterator[list[str]]:
    for key, title in ROWS.items():
        scores = [_at(scores, key) for scores in encoders.values()]
        if None not in scores:
            best = max(scores)
            shown = (f"{100 * score:.1f}" for score in scores)
            yield [
                title,
                *(f"**{text}**" if score == best else text for text, score in zip(shown, scores, strict=True)),
            ]


def _at(scores: dict[str, Any], key: str) -> Any:
    found: Any = scores
    for name in key.split("."):
        found = found.get(name) if found is not None else None
    return found


def _remark(part: dict[str, Any]) -> str:
    sizes, training = part["sizes"], part["training"]
    told = [f"{sizes['similarity']:,} pairs of similarity", f"{sizes['translation']:,} words to translate"]
    if "misspelling" in sizes:
        told.append(f"{sizes['misspelling']:,} misspellings")
    told.append(f"{sizes['typo']:,} made-up typos")
    return (
        f"{', '.join(told)}. The model stores {part['known words']:,} words, {part['stored']['translation']:,} of "
        f"those to translate among them; its spelling model was trained on {training['words']:,} words for "
        f"{training['epochs']} epochs."
    )


def _examples(code: str, part: dict[str, Any]) -> str:
    rows = ([word, row["source"], ", ".join(row["english"])] for word, row in part["examples"].items())
    return table((NAMES[code], "source", "nearest English words"), rows)
