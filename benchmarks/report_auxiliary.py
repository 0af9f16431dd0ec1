"""The page of attention over embeddings: taggers with vectors of other languages."""

from __future__ import annotations

from typing import Any

from record import read_study
from tables import table

from everyword.studies.claims import Score, seeds_in_words
from everyword.studies.findings import cell

NAME = "auxiliary-languages-full"
ATTENTION = ("Meta", "Meta+everyword", "Meta+words")


def sections() -> dict[str, str]:
    """Return the generated parts of the page by the names of their markers."""
    return render(read_study(NAME))


def render(result: dict[str, Any]) -> dict[str, str]:
    """Return the generated parts of the page from a saved study."""
    found = result["details"]["columns"]
    return {
        "languages": f"{_sizes(result, found)}\n\n{_scores(result, found)}",
        "unseen": table(("", *map(_short, found)), _unseen(result, found)),
        "helpers": _helpers(found),
        "weights": _weights(found),
    }


def _short(column: str) -> str:
    return column.partition("/")[2]


def _sizes(result: dict[str, Any], found: dict[str, Any]) -> str:
    settings = result["details"]["settings"]
    tagger = settings["tagger"]
    sizes = "; ".join(
        f"{_short(column)} {details['sentences']['train']} and {details['sentences']['test']}"
        for column, details in found.items()
    )
    size = f"{result['size'].capitalize()} size, {seeds_in_words(result['seeds'])}: {tagger['states']} states each way"
    return (
        f"{size}, at most {tagger['epochs']} epochs. Sentences to learn from and to test on: {sizes}. "
        "Accuracy of parts of speech, F1 of names."
    )


def _scores(result: dict[str, Any], found: dict[str, Any]) -> str:
    rows = [
        (
            variant["label"],
            *(cell(_score(variant, column), variant["paper"].get(column), result["digits"]) for column in found),
        )
        for variant in result["variants"]
    ]
    return table(("", *map(_short, found)), rows)


def _score(variant: dict[str, Any], column: str) -> Score | None:
    ours = variant["ours"].get(column)
    return None if ours is None else Score(ours, variant["spread"].get(column))


def _unseen(result: dict[str, Any], found: dict[str, Any]) -> list[tuple[str, ...]]:
    labels = [variant["label"] for variant in result["variants"]]
    return [
        (label, *(_number(details["unseen"].get(label)) for details in found.values()))
        for label in labels
        if any(label in details["unseen"] for details in found.values())
    ]


def _helpers(found: dict[str, Any]) -> str:
    with_helpers = {column: details for column, details in found.items() if "helpers" in details}
    names = sorted({name for details in with_helpers.values() for name in details["helpers"]})
    scores = table(
        ("beside the language itself", *names),
        [
            (_short(column), *(_number(details["helpers"].get(name)) for name in names))
            for column, details in with_helpers.items()
        ],
    )
    measures = list(next(iter(with_helpers.values()))["correlations"])
    correlations = table(
        ("Spearman of closeness and score", *measures),
        [
            (_short(column), *(_number(details["correlations"].get(name), 2) for name in measures))
            for column, details in with_helpers.items()
        ],
    )
    return f"{scores}\n\n{correlations}"


def _weights(found: dict[str, Any]) -> str:
    rows = [
        (_short(column), label, ", ".join(f"{name} {100 * weight:.0f} %" for name, weight in _ordered(weights)))
        for column, details in found.items()
        for label, weights in details["weights"].items()
        if label in ATTENTION
    ]
    return table(("", "", "mean weight over the tokens of test"), rows)


def _ordered(weights: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(weights.items(), key=lambda pair: -pair[1])


def _number(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
