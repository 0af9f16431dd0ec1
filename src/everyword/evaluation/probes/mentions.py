"""Mentions of people and things in documents (LitBank): pairs of one cluster or two, and mentions among other spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from everyword.corpus.rows import read_json_lines
from everyword.errors import InputError
from everyword.evaluation.probes.span_data import NO, SPLITS, YES, SpanExample, SpanSet, by_document, other_spans

FARTHEST = 50
"""Tokens between two mentions of an arc, at most."""
OTHERS = 5
"""Spans that are no mentions, for each that is one."""


class Mention(NamedTuple):
    """First and last token in the document, and the cluster of mentions of one person or thing."""

    first: int
    last: int
    cluster: str


class Document(NamedTuple):
    """The sentences of a document, and its mentions in their order."""

    name: str
    sentences: list[list[str]]
    mentions: list[Mention]


def read_documents(path: Path) -> list[Document]:
    """Read JSON lines with doc, sentences and mentions; errors name path and line."""
    found = []
    for number, record in read_json_lines(path, "set of mentions", {"doc": str, "sentences": list, "mentions": list}):
        if not all(isinstance(sentence, list) for sentence in record["sentences"]):
            raise InputError(f"{path}:{number}: sentences must be lists of tokens; fix this line.")
        sentences = [[str(token) for token in sentence] for sentence in record["sentences"]]
        tokens = sum(map(len, sentences))
        try:
            mentions = sorted(Mention(first, last, str(name)) for name, first, last in record["mentions"])
            if any(type(end) is not int for mention in mentions for end in mention[:2]):
                raise ValueError
            if any(not 0 <= mention.first <= mention.last < tokens for mention in mentions):
                raise ValueError
        except (TypeError, ValueError):
            raise InputError(
                f"{path}:{number}: mentions must be cluster, first and last token of {tokens} tokens."
            ) from None
        found.append(Document(record["doc"], sentences, mentions))
    return found


def coreference(path: Path, seed: int = 0) -> SpanSet:
    """Return pairs of mentions near each other: of one person or thing (yes), and of different ones (no).

    Each mention is paired with the nearest earlier one of its cluster, and with a random earlier one of another.
    """
    documents = read_documents(path)
    splits = by_document([document.name for document in documents], path)
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    for text, document in enumerate(documents):
        examples[splits[document.name]] += _arcs(text, document.mentions, Random(f"{seed}/{document.name}"))
    texts = [[token for sentence in document.sentences for token in sentence] for document in documents]
    return SpanSet("coreference", texts, examples)


def _arcs(text: int, mentions: Sequence[Mention], rng: Random) -> Iterator[SpanExample]:
    for place, (first, last, cluster) in enumerate(mentions):
        near = [one for one in mentions[:place] if one.last < first and first - one.last <= FARTHEST]
        same = [one for one in near if one.cluster == cluster]
        others = [one for one in near if one.cluster != cluster]
        if same and others:
            for (begin, end, _), label in ((same[-1], YES), (rng.choice(others), NO)):
                yield SpanExample(text, ((begin, end), (first, last)), (label,))


def mentions(path: Path, seed: int = 0) -> SpanSet:
    """Return mentions (yes), and for each up to five other spans of its sentence and length (no).

    A mention that goes over the end of its sentence is left out.
    """
    documents = read_documents(path)
    splits = by_document([document.name for document in documents], path)
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    texts: list[list[str]] = []
    for document in documents:
        begin = 0
        for sentence in document.sentences:
            end, some = begin + len(sentence), examples[splits[document.name]]
            inside = [one for one in document.mentions if begin <= one.first and one.last < end]
            spans = list(dict.fromkeys((one.first - begin, one.last - begin) for one in inside))
            others = other_spans(spans, len(sentence), Random(f"{seed}/{len(texts)}"), each=OTHERS)
            some += [SpanExample(len(texts), (span,), (YES,)) for span in spans]
            some += [SpanExample(len(texts), (span,), (NO,)) for span in others]
            texts.append(sentence)
            begin = end
    return SpanSet("mentions", texts, examples)
