"""Spans with labels: constituents of trees, named entities, and pairs of mentions of one person or thing.

Each set has sentences (or documents) as lists of tokens, and examples: one span or two, and the labels that apply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from everyword.corpus.rows import read_json_lines, read_rows
from everyword.errors import InputError
from everyword.files import read_lines
from everyword.sentences.spans import spans_of_pieces

Span = tuple[int, int]
"""First and last token, both included."""
SPLITS = ("train", "dev", "test")
TENTHS = {"train": range(8), "dev": range(8, 9), "test": range(9, 10)}
"""Which tenths of the documents each split has, where a set comes without splits."""
YES, NO = "yes", "no"
FARTHEST = 50
"""Tokens between two mentions of an arc, at most."""


class SpanExample(NamedTuple):
    """One span, or two of them, and all labels that apply."""

    text: int
    spans: tuple[Span, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class SpanSet:
    """Texts and examples, by split."""

    name: str
    texts: Sequence[Sequence[str]]
    examples: Mapping[str, Sequence[SpanExample]]

    @property
    def labels(self) -> list[str]:
        """All labels of the train part, in alphabetical order."""
        return sorted({label for example in self.examples["train"] for label in example.labels})

    def limited(self, most: Mapping[str, int], seed: int = 0) -> SpanSet:
        """Return a smaller set: texts in random order, until each split has so many examples."""
        order = list(range(len(self.texts)))
        Random(seed).shuffle(order)
        rank = {text: place for place, text in enumerate(order)}
        chosen = {
            split: sorted(some, key=lambda example: rank[example.text])[: most.get(split)]
            for split, some in self.examples.items()
        }
        used = sorted({example.text for some in chosen.values() for example in some})
        number = {text: place for place, text in enumerate(used)}
        moved = {
            split: [example._replace(text=number[example.text]) for example in some] for split, some in chosen.items()
        }
        return SpanSet(self.name, [self.texts[text] for text in used], moved)

    def in_pieces(self, pieces: Sequence[Sequence[int]]) -> SpanSet:
        """Return the same examples over the pieces of words, given how many each word of each text has."""
        moved = {
            split: [
                example._replace(
                    spans=tuple(map(tuple, spans_of_pieces(pieces[example.text], list(example.spans)).tolist()))
                )
                for example in some
            ]
            for split, some in self.examples.items()
        }
        return SpanSet(self.name, self.texts, moved)


class Tree(NamedTuple):
    """The words of a tree and the labels of its constituents by span."""

    tokens: list[str]
    constituents: dict[Span, tuple[str, ...]]


def read_tree(text: str) -> Tree:
    """Read a bracketed tree of the Penn Treebank, without traces, empty constituents and function tags.

    >>> read_tree("(S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (NP (-NONE- *))))").constituents
    {(0, 1): ('NP',), (2, 2): ('VP',), (0, 2): ('S',)}

    Raises:
        ValueError: If brackets do not match.
    """
    tokens: list[str] = []
    found: dict[Span, tuple[str, ...]] = {}
    open_labels: list[tuple[str, int, bool]] = []
    parts = re.findall(r"\(|\)|[^\s()]+", text)
    place = 0
    while place < len(parts):
        part = parts[place]
        if part == "(":
            named = place + 1 < len(parts) and parts[place + 1] not in "()"
            label = parts[place + 1] if named else ""
            place += 1 + named
            is_word = place < len(parts) and parts[place] not in "()"
            open_labels.append((label, len(tokens), is_word))
            if is_word:
                if label != "-NONE-":
                    tokens.append(parts[place])
                place += 1
            continue
        if part != ")" or not open_labels:
            raise ValueError("its brackets do not match")
        label, first, is_word = open_labels.pop()
        if label and not is_word and len(tokens) > first:
            span, plain = (first, len(tokens) - 1), re.split(r"[-=|]", label)[0]
            found[span] = tuple(dict.fromkeys((*found.get(span, ()), plain)))
        place += 1
    if open_labels or not tokens:
        raise ValueError("its brackets do not match")
    return Tree(tokens, found)


def read_constituents(path: Path) -> list[tuple[str, Tree]]:
    """Read tab-separated file and tree; errors name path and line."""
    trees = []
    for number, (document, text) in read_rows(path, "set of trees", ("file", "tree")):
        try:
            trees.append((document, read_tree(text)))
        except ValueError as error:
            raise InputError(f"{path}:{number}: is not a tree: {error}. Got {text[:60]!r}; fix this line.") from None
    return trees


def constituent_labels(path: Path) -> SpanSet:
    """Return constituents and the labels of each; a span with several, such as S and VP, has all of them."""
    trees = read_constituents(path)
    splits = _by_document([document for document, _ in trees])
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    for number, (document, tree) in enumerate(trees):
        examples[splits[document]] += [
            SpanExample(number, (span,), labels) for span, labels in tree.constituents.items()
        ]
    return SpanSet("constituent-labels", [tree.tokens for _, tree in trees], examples)


def constituents(path: Path, seed: int = 0) -> SpanSet:
    """Return constituents and as many other spans of the same lengths, labelled yes and no."""
    trees = read_constituents(path)
    splits = _by_document([document for document, _ in trees])
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    for number, (document, tree) in enumerate(trees):
        some = examples[splits[document]]
        some += [SpanExample(number, (span,), (YES,)) for span in tree.constituents]
        others = other_spans(list(tree.constituents), len(tree.tokens), Random(f"{seed}/{number}"))
        some += [SpanExample(number, (span,), (NO,)) for span in others]
    return SpanSet("constituents", [tree.tokens for _, tree in trees], examples)


def other_spans(spans: Sequence[Span], tokens: int, rng: Random) -> list[Span]:
    """Return for each span another one of the same length that is none of them, all different, where there is one.

    >>> other_spans([(0, 1), (2, 2), (0, 3)], 4, Random(0))
    [(2, 3), (1, 1)]
    """
    taken = set(spans)
    found = []
    for first, last in spans:
        length = last - first
        free = [(begin, begin + length) for begin in range(tokens - length) if (begin, begin + length) not in taken]
        if free:
            found.append(rng.choice(free))
            taken.add(found[-1])
    return found


def entities(parts: Mapping[str, Sequence[Path]]) -> SpanSet:
    """Return named entities and their types, from files of tokens and IOB2 tags.

    Args:
        parts: The files of train, dev and test; several are read one after the other.

    Raises:
        InputError: If a line is not a token and a tag.
    """
    texts: list[list[str]] = []
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    for split in SPLITS:
        for path in parts[split]:
            for tokens, tags in _tagged_sentences(path):
                examples[split] += [SpanExample(len(texts), (span,), (kind,)) for span, kind in tagged_spans(tags)]
                texts.append(tokens)
    return SpanSet("entities", texts, examples)


def _tagged_sentences(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    tokens: list[str] = []
    tags: list[str] = []
    for number, line in enumerate([*read_lines(path, "file of tags"), ""], start=1):
        cells = line.split("\t")
        if line.strip() and (len(cells) < 2 or not re.fullmatch(r"O|[BI]-.+", cells[-1])):
            raise InputError(f"{path}:{number}: needs a token, a tab and an IOB2 tag. Got {line[:60]!r}.")
        if line.strip():
            tokens.append(cells[0])
            tags.append(cells[-1])
        elif tokens:
            yield tokens, tags
            tokens, tags = [], []


def tagged_spans(tags: Sequence[str]) -> list[tuple[Span, str]]:
    """Return the spans of IOB2 tags with their types.

    >>> tagged_spans(["B-PER", "I-PER", "O", "B-LOC", "B-LOC"])
    [((0, 1), 'PER'), ((3, 3), 'LOC'), ((4, 4), 'LOC')]
    """
    found: list[tuple[Span, str]] = []
    for place, tag in enumerate(tags):
        kind = tag[2:]
        if tag.startswith("I-") and found and found[-1][0][1] == place - 1 and found[-1][1] == kind:
            found[-1] = ((found[-1][0][0], place), kind)
        elif tag != "O":
            found.append(((place, place), kind))
    return found


def coreference(path: Path, seed: int = 0) -> SpanSet:
    """Return pairs of mentions near each other: of one person or thing (yes), and of different ones (no).

    Each mention is paired with the nearest earlier one of its cluster, and with a random earlier one of another.
    """
    texts: list[list[str]] = []
    documents: list[str] = []
    arcs: list[list[SpanExample]] = []
    for number, record in read_json_lines(path, "set of mentions", {"doc": str, "sentences": list, "mentions": list}):
        tokens = [str(token) for sentence in record["sentences"] for token in sentence]
        try:
            mentions = sorted((int(first), int(last), str(cluster)) for cluster, first, last in record["mentions"])
            if any(not 0 <= first <= last < len(tokens) for first, last, _ in mentions):
                raise ValueError
        except (TypeError, ValueError):
            raise InputError(
                f"{path}:{number}: mentions must be cluster, first and last token of {len(tokens)} tokens."
            ) from None
        arcs.append(list(_arcs(len(texts), mentions, Random(f"{seed}/{record['doc']}"))))
        texts.append(tokens)
        documents.append(record["doc"])
    splits = _by_document(documents)
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    for document, some in zip(documents, arcs, strict=True):
        examples[splits[document]] += some
    return SpanSet("coreference", texts, examples)


def _arcs(text: int, mentions: Sequence[tuple[int, int, str]], rng: Random) -> Iterator[SpanExample]:
    for place, (first, last, cluster) in enumerate(mentions):
        near = [one for one in mentions[:place] if one[1] < first and first - one[1] <= FARTHEST]
        same = [one for one in near if one[2] == cluster]
        others = [one for one in near if one[2] != cluster]
        if same and others:
            for (begin, end, _), label in ((same[-1], YES), (rng.choice(others), NO)):
                yield SpanExample(text, ((begin, end), (first, last)), (label,))


def _by_document(documents: Sequence[str]) -> dict[str, str]:
    """Return the split of each document: eight tenths of them are train, one is dev, one is test."""
    order = list(dict.fromkeys(documents))
    if len(order) < len(SPLITS):
        raise InputError(f"A probe needs texts of three documents or more. Got {len(order)}.")
    tenths = [min(9, 10 * place // len(order)) for place in range(len(order))]
    splits = {
        document: next(split for split, some in TENTHS.items() if tenth in some)
        for document, tenth in zip(order, tenths, strict=True)
    }
    splits[order[-2]] = "dev" if "dev" not in splits.values() else splits[order[-2]]
    splits[order[-1]] = "test"
    return splits
