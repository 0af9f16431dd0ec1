"""Spans with labels: constituents of trees and named entities; `mentions` and `roles` have further sets.

Each set has sentences (or documents) as lists of tokens, and examples: one span or two, and the labels that apply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from everyword.errors import InputError
from everyword.evaluation.probes.control import control_labels
from everyword.evaluation.probes.trees import Span, read_trees
from everyword.files import read_lines
from everyword.sentences.spans import spans_of_pieces

SPLITS = ("train", "dev", "test")
TENTHS = {"train": range(8), "dev": range(8, 9), "test": range(9, 10)}
"""Which tenths of the documents each split has, where a set comes without splits."""
YES, NO = "yes", "no"


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
    unlike: bool = False
    """Whether the two spans of an example play different parts, so that each is projected by itself."""

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
        return replace(self, texts=[self.texts[text] for text in used], examples=moved)

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
        return replace(self, examples=moved)

    def with_control_labels(self, seed: int = 0) -> SpanSet:
        """Return the same spans with labels that say nothing: each distinct text of a span has one, drawn by chance."""
        flat = [example for some in self.examples.values() for example in some]
        drawn = iter(control_labels([self.words_of(example) for example in flat], [one.labels for one in flat], seed))
        return replace(
            self,
            examples={
                split: [example._replace(labels=next(drawn)) for example in some]
                for split, some in self.examples.items()
            },
        )

    def words_of(self, example: SpanExample) -> str:
        """Return the words of the span of an example, or of both."""
        return " / ".join(" ".join(self.texts[example.text][first : last + 1]) for first, last in example.spans)


def constituent_labels(path: Path) -> SpanSet:
    """Return constituents and the labels of each; a span with several, such as S and VP, has all of them."""
    trees = read_trees(path)
    splits = by_document([document for document, _ in trees], path)
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    for number, (document, tree) in enumerate(trees):
        examples[splits[document]] += [
            SpanExample(number, (span,), labels) for span, labels in tree.constituents.items()
        ]
    return SpanSet("constituent-labels", [tree.tokens for _, tree in trees], examples)


def constituents(path: Path, seed: int = 0) -> SpanSet:
    """Return constituents and as many other spans of the same lengths, labelled yes and no."""
    trees = read_trees(path)
    splits = by_document([document for document, _ in trees], path)
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    for number, (document, tree) in enumerate(trees):
        some = examples[splits[document]]
        some += [SpanExample(number, (span,), (YES,)) for span in tree.constituents]
        others = other_spans(list(tree.constituents), len(tree.tokens), Random(f"{seed}/{number}"))
        some += [SpanExample(number, (span,), (NO,)) for span in others]
    return SpanSet("constituents", [tree.tokens for _, tree in trees], examples)


def other_spans(spans: Sequence[Span], tokens: int, rng: Random, each: int = 1) -> list[Span]:
    """Return for each span others of the same length that are none of them, all different, as far as there are any.

    >>> other_spans([(0, 1), (2, 2), (0, 3)], 4, Random(0))
    [(2, 3), (1, 1)]
    """
    taken = set(spans)
    found = []
    for first, last in spans:
        length = last - first
        free = [(begin, begin + length) for begin in range(tokens - length) if (begin, begin + length) not in taken]
        for _ in range(min(each, len(free))):
            found.append(free.pop(rng.randrange(len(free))))
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


def by_document(documents: Sequence[str], path: Path, tenths: Mapping[str, range] = TENTHS) -> dict[str, str]:
    """Return the split of each document, in their order: by default eight tenths are train, one is dev, one is test.

    Raises:
        InputError: If the file, which the path names, has fewer than three documents.
    """
    order = list(dict.fromkeys(documents))
    if len(order) < len(SPLITS):
        raise InputError(f"{path}: a probe needs texts of three documents or more. Got {len(order)}.")
    places = [min(9, 10 * place // len(order)) for place in range(len(order))]
    splits = {
        document: next(split for split, some in tenths.items() if tenth in some)
        for document, tenth in zip(order, places, strict=True)
    }
    splits[order[-2]] = "dev" if "dev" not in splits.values() else splits[order[-2]]
    splits[order[-1]] = "test"
    return splits
