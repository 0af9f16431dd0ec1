"""BIO tags as spans, and scores over them: a span counts only if its type and both ends are right."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int, str]
"""First token, one past the last, type."""


def first_break(tags: Sequence[str]) -> int | None:
    """The place of the first tag that is no valid BIO, or None.

    >>> first_break(["B-PER", "I-PER", "O"]), first_break(["O", "I-PER"])
    (None, 1)
    """
    before = "O"
    for place, tag in enumerate(tags):
        mark, _, kind = tag.partition("-")
        if tag != "O" and (mark not in ("B", "I") or not kind):
            return place
        if mark == "I" and before not in (f"B-{kind}", f"I-{kind}"):
            return place
        before = tag
    return None


def spans_of(tags: Sequence[str]) -> set[Span]:
    """The spans that tags mark; a predicted I- that continues nothing begins a span, as in the CoNLL script.

    >>> sorted(spans_of(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"]))
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'LOC')]
    """
    found: set[Span] = set()
    start, open_kind = 0, ""
    for place, tag in enumerate([*tags, "O"]):
        mark, _, kind = tag.partition("-")
        goes_on = mark == "I" and kind == open_kind
        if open_kind and not goes_on:
            found.add((start, place, open_kind))
        if not goes_on:
            start, open_kind = place, kind
    return found


def span_scores(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, float]:
    """Precision, recall and F1 over the spans of all sentences together, in percent; 0 where nothing is found."""
    right = wanted = given = 0
    for one, other in zip(gold, predicted, strict=True):
        true, guessed = spans_of(one), spans_of(other)
        right, wanted, given = right + len(true & guessed), wanted + len(true), given + len(guessed)
    return {
        "f1": 200 * right / (wanted + given) if wanted + given else 0.0,
        "precision": 100 * right / given if given else 0.0,
        "recall": 100 * right / wanted if wanted else 0.0,
    }


def token_accuracy(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """The share of tokens with the right tag, over all sentences together, in percent."""
    pairs = [(one, other) for g, p in zip(gold, predicted, strict=True) for one, other in zip(g, p, strict=True)]
    return 100 * sum(one == other for one, other in pairs) / len(pairs)
