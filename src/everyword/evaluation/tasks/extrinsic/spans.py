"""BIO tags as spans, and scores over them: a span counts only if its type and both ends are correct."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int, str]
"""First token, one past the last token, type."""


def first_break(tags: Sequence[str]) -> int | None:
    """Return the index of the first tag that is not valid BIO, or None.

    >>> first_break(["B-PER", "I-PER", "O"]), first_break(["O", "I-PER"])
    (None, 1)
    """
    before = "O"
    for index, tag in enumerate(tags):
        mark, _, kind = tag.partition("-")
        if tag != "O" and (mark not in ("B", "I") or not kind):
            return index
        if mark == "I" and before not in (f"B-{kind}", f"I-{kind}"):
            return index
        before = tag
    return None


def spans_of(tags: Sequence[str]) -> set[Span]:
    """Return the spans that tags mark; an I- that continues nothing begins a span, as in the CoNLL script.

    >>> sorted(spans_of(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"]))
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'LOC')]
    """
    found: set[Span] = set()
    start, open_kind = 0, ""
    for index, tag in enumerate([*tags, "O"]):
        mark, _, kind = tag.partition("-")
        goes_on = mark == "I" and kind == open_kind
        if open_kind and not goes_on:
            found.add((start, index, open_kind))
        if not goes_on:
            start, open_kind = index, kind
    return found


def span_scores(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return precision, recall and F1 over the spans of all sentences together, in percent; 0 if there are none."""
    correct = expected = given = 0
    for one, other in zip(gold, predicted, strict=True):
        true, guessed = spans_of(one), spans_of(other)
        correct, expected, given = correct + len(true & guessed), expected + len(true), given + len(guessed)
    return {
        "f1": 200 * correct / (expected + given) if expected + given else 0.0,
        "precision": 100 * correct / given if given else 0.0,
        "recall": 100 * correct / expected if expected else 0.0,
    }


def token_accuracy(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """Return the share of tokens with the correct tag, over all sentences together, in percent."""
    pairs = [(one, other) for g, p in zip(gold, predicted, strict=True) for one, other in zip(g, p, strict=True)]
    return 100 * sum(one == other for one, other in pairs) / len(pairs)
