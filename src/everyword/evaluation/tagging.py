"""What a tagger gets right, by kinds of words and tags: entities of unknown words, tags that train hardly has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from everyword.corpus.labelled.bio import Span, spans_of
from everyword.corpus.labelled.sets import TaggedSentences
from everyword.corpus.labelled.tag_symbols import TagSymbols

RARE = 10
"""Tags that train has less often are rare."""
Tags = Sequence[Sequence[str]]


def with_types(data: TaggedSentences, types: Mapping[str, str]) -> TaggedSentences:
    """Return BIO tags with other types; spans of a type that is not given are no spans.

    >>> data = TaggedSentences("ai", (("Ada", "wrote", "code"),), (("B-researcher", "O", "B-task"),))
    >>> with_types(data, {"researcher": "PER"}).tags
    (('B-PER', 'O', 'O'),)
    """
    tags = []
    for sentence in data.tags:
        parts = [tag.partition("-") for tag in sentence]
        tags.append(tuple(f"{mark}-{types[kind]}" if kind in types else "O" for mark, _, kind in parts))
    return TaggedSentences(data.name, data.tokens, tuple(tags), data.scheme)


def entity_scores(
    data: TaggedSentences, predicted: Tags, known: Callable[[str], bool], seen: set[str]
) -> dict[str, float]:
    """Return F1 over all entities, and over those of words that the vectors know, or not, and that train has, or not.

    An entity, given or expected, counts as known or seen if all its words are.

    Args:
        data: What is right.
        predicted: What the tagger gave.
        known: Whether the vectors know a word.
        seen: The words of train.
    """
    rules: dict[str, Callable[[Sequence[str]], bool]] = {
        "f1": lambda words: True,
        "known": lambda words: all(map(known, words)),
        "unknown": lambda words: not all(map(known, words)),
        "seen": seen.issuperset,
        "unseen": lambda words: not seen.issuperset(words),
    }
    counts = {name: [0, 0] for name in rules}
    for tokens, right, given in zip(data.tokens, data.tags, predicted, strict=True):
        expected, found = spans_of(right), spans_of(given)
        for name, rule in rules.items():
            sides = [{span for span in spans if rule(_words(tokens, span))} for spans in (expected, found)]
            counts[name][0] += 2 * len(sides[0] & sides[1])
            counts[name][1] += len(sides[0]) + len(sides[1])
    return {name: 100 * correct / total if total else 0.0 for name, (correct, total) in counts.items()}


def _words(tokens: Sequence[str], span: Span) -> Sequence[str]:
    return tokens[span[0] : span[1]]


def tag_scores(
    data: TaggedSentences, predicted: Tags, train: TaggedSentences, spelling: TagSymbols
) -> dict[str, float]:
    """Return the share of correct tags, in percent: of all tokens, and of those whose tag or word train has or lacks.

    "seen" are tags that train has ten times or more, "rare" those that it has less often, "unseen" those that it lacks,
    "new words" tokens that it lacks; "valid" is the share of given tags that are well formed. A score over no tokens is
    missing. "tokens unseen" and "tokens rare" count tokens, "new tags" the given ones that train lacks.

    Args:
        data: What is right.
        predicted: What the tagger gave.
        train: What it has learnt from.
        spelling: Says which tags are well formed.
    """
    often = Counter(tag for tags in train.tags for tag in tags)
    words = {token for tokens in train.tokens for token in tokens}
    hits: dict[str, list[bool]] = {name: [] for name in ("accuracy", "seen", "rare", "unseen", "new words", "valid")}
    valid: dict[str, bool] = {}
    new = 0
    for tokens, right, given in zip(data.tokens, data.tags, predicted, strict=True):
        for token, tag, found in zip(tokens, right, given, strict=True):
            hit = tag == found
            hits["accuracy"].append(hit)
            hits["unseen" if tag not in often else "rare" if often[tag] < RARE else "seen"].append(hit)
            if token not in words:
                hits["new words"].append(hit)
            hits["valid"].append(valid.setdefault(found, spelling.valid(found)))
            new += found not in often
    scores = {name: 100 * sum(found) / len(found) for name, found in hits.items() if found}
    counts = {"tokens unseen": len(hits["unseen"]), "tokens rare": len(hits["rare"]), "new tags": new}
    return scores | {name: float(count) for name, count in counts.items()}
