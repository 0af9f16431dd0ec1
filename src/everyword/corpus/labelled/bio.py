"""BIO tags as spans, and scores over them.

In `span_scores` a span counts only if its type and both ends are correct; `overlap_scores` are those of temporal
expressions, which also give credit for a part of the span.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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


def is_bio(tags: Iterable[str]) -> bool:
    """Whether all tags could mark spans: O, B-type or I-type.

    >>> is_bio(["B-PER", "O"]), is_bio(["NOUN", "O"])
    (True, False)
    """
    return all(tag == "O" or (tag[:2] in ("B-", "I-") and len(tag) > 2) for tag in tags)


def unknown_tags(train: Iterable[Sequence[str]], others: Iterable[Sequence[str]]) -> list[str]:
    """Return the tags of others that train never has.

    >>> unknown_tags([["O", "B-PER"]], [["O", "B-LOC"], ["I-LOC"]])
    ['B-LOC', 'I-LOC']
    """
    known = {tag for tags in train for tag in tags}
    return sorted({tag for tags in others for tag in tags} - known)


def repair_bio(tags: Sequence[str]) -> list[str]:
    """Return valid BIO tags: an I- that continues nothing becomes B-, and in "B-X I-Y" the last type is that of all.

    >>> repair_bio(["O", "I-PER", "B-LOC", "I-ORG", "I-ORG"])
    ['O', 'B-PER', 'B-ORG', 'I-ORG', 'I-ORG']
    """
    repaired: list[str] = []
    start = 0
    for index, tag in enumerate(tags):
        mark, _, kind = tag.partition("-")
        if mark == "I" and kind and index > 0 and repaired[-1] != "O":
            repaired[start:] = [f"B-{kind}", *(f"I-{kind}" for _ in repaired[start + 1 :])]
            repaired.append(tag)
        else:
            start = index
            repaired.append(f"B-{kind}" if kind and mark in ("B", "I") else "O")
    return repaired


def to_bioes(tags: Sequence[str]) -> list[str]:
    """Return valid BIO tags with marks for the last token of a span, E, and for spans of one token, S.

    >>> to_bioes(["B-PER", "I-PER", "O", "B-LOC"])
    ['B-PER', 'E-PER', 'O', 'S-LOC']
    """
    found = []
    for tag, after in zip(tags, [*tags[1:], "O"], strict=True):
        mark, _, kind = tag.partition("-")
        last = after != f"I-{kind}"
        found.append(f"{'S' if mark == 'B' else 'E'}-{kind}" if last and kind else tag)
    return found


def from_bioes(tags: Sequence[str]) -> list[str]:
    """Return BIO tags for BIOES tags.

    >>> from_bioes(["B-PER", "E-PER", "O", "S-LOC"])
    ['B-PER', 'I-PER', 'O', 'B-LOC']
    """
    marks = {"E-": "I-", "S-": "B-"}
    return [marks.get(tag[:2], tag[:2]) + tag[2:] for tag in tags]


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


def overlap_scores(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the three F1 scores of TempEval-3 over the spans of all sentences together, in percent.

    Under "strict" a span is found if both ends are correct, under "relaxed" if it shares a token with one of the other
    side, both whatever the types; under "type" if it shares a token with one of its own type.

    >>> overlap_scores([["B-DATE", "I-DATE", "O", "B-SET"]], [["O", "B-DATE", "O", "B-DATE"]])
    {'strict': 50.0, 'relaxed': 100.0, 'type': 50.0}
    """
    rules: dict[str, Callable[[Span, Span], bool]] = {
        "strict": lambda one, other: one[:2] == other[:2],
        "relaxed": _overlap,
        "type": lambda one, other: _overlap(one, other) and one[2] == other[2],
    }
    found, total = dict.fromkeys(rules, (0, 0)), (0, 0)
    for one, other in zip(gold, predicted, strict=True):
        true, guessed = spans_of(one), spans_of(other)
        total = total[0] + len(true), total[1] + len(guessed)
        for name, match in rules.items():
            recalled = sum(any(match(span, guess) for guess in guessed) for span in true)
            correct = sum(any(match(span, guess) for span in true) for guess in guessed)
            found[name] = found[name][0] + recalled, found[name][1] + correct
    return {name: _f1(counts, total) for name, counts in found.items()}


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _f1(found: tuple[int, int], total: tuple[int, int]) -> float:
    """Return the harmonic mean of recall and precision, in percent; 0 if one of them is."""
    recall, precision = (count / whole if whole else 0.0 for count, whole in zip(found, total, strict=True))
    return 200 * recall * precision / (recall + precision) if recall + precision else 0.0


def token_accuracy(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """Return the share of tokens with the correct tag, over all sentences together, in percent."""
    pairs = [(one, other) for g, p in zip(gold, predicted, strict=True) for one, other in zip(g, p, strict=True)]
    return 100 * sum(one == other for one, other in pairs) / len(pairs)
