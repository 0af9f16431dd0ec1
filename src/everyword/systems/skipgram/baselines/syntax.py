"""What a word is joined to by syntax: in "cats drink milk", *drink* has the contexts *cats/nsubj* and *milk/obj*."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from everyword.systems.skipgram.trees import ROOT, Tree
from everyword.systems.skipgram.vocabulary import Vocabulary
from everyword.text.word_pattern import spelling

INVERSE = "-1"
"""Behind a relation that is seen from the word that hangs on the other."""
PUNCTUATION = "punct"
CASE = "case"
"""In Universal Dependencies a preposition hangs on its noun by this relation."""
OBJECTS = ("pobj", "pcomp")
"""In the scheme of English spaCy pipelines a noun hangs by these on its preposition."""


class SyntaxPair(NamedTuple):
    """A word and one of its contexts: another word, and how they are joined."""

    word: int
    relation: str
    other: int


class Edge(NamedTuple):
    """Two tokens that are joined."""

    head: int
    child: int
    relation: str


def edges(tree: Tree) -> Iterator[Edge]:
    """How tokens are joined, without punctuation; a preposition is no token but part of a relation.

    >>> list(edges(Tree("sat on mats", [0, 4, 7], ["sat", "on", "mats"], [-1, 0, 1], ["ROOT", "prep", "pobj"])))
    [Edge(head=0, child=2, relation='prep_on')]
    >>> list(edges(Tree("sat on mats", [0, 4, 7], ["sat", "on", "mats"], [-1, 2, 0], ["root", "case", "obl"])))
    [Edge(head=0, child=2, relation='obl_on')]
    """
    folded, names = _folded(tree), dict[int, list[str]]()
    for place in sorted(folded):
        if _is_case(tree, place):
            names.setdefault(tree.heads[place], []).append(spelling(tree.forms[place]))
    for child, (head, relation) in enumerate(zip(tree.heads, tree.relations, strict=True)):
        if head == ROOT or relation == PUNCTUATION or child in folded:
            continue
        if head in folded and relation in OBJECTS:
            yield Edge(tree.heads[head], child, f"{tree.relations[head]}_{spelling(tree.forms[head])}")
        else:
            yield Edge(head, child, "_".join([relation, *names.get(child, ())]))


def _folded(tree: Tree) -> set[int]:
    """Prepositions that stand between two tokens, of which one hangs on the other through them."""
    found = set()
    for place, (head, relation) in enumerate(zip(tree.heads, tree.relations, strict=True)):
        if head == ROOT or tree.heads[head] == ROOT:  # there is nothing to join
            continue
        if relation in OBJECTS:
            found.add(head)
        elif _is_case(tree, place):
            found.add(place)
    return found


def _is_case(tree: Tree, place: int) -> bool:
    return tree.relations[place].partition(":")[0] == CASE


def syntax_pairs(tree: Tree, vocabulary: Vocabulary) -> Iterator[SyntaxPair]:
    """Words of the vocabulary that are joined, from either side; a phrase is joined as its words are to others."""
    mentions = vocabulary.find(tree.text)
    starts = [mention.letters.start for mention in mentions]

    def mention_of(token: int) -> int | None:
        place = bisect_right(starts, tree.starts[token]) - 1
        return place if place >= 0 and tree.starts[token] < mentions[place].letters.stop else None

    owners = [mention_of(token) for token in range(len(tree.starts))]
    for edge in edges(tree):
        head, child = owners[edge.head], owners[edge.child]
        if head is not None and child is not None and head != child:
            yield SyntaxPair(mentions[head].row, edge.relation, mentions[child].row)
            yield SyntaxPair(mentions[child].row, edge.relation + INVERSE, mentions[head].row)
