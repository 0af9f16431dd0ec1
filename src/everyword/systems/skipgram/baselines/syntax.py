"""Syntax of sentences, parsed by spaCy or before: in "cats drink milk", *drink* is joined to *cats* by *nsubj*."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, cast

from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import checksum_of_all
from everyword.systems.skipgram.config import SentencesConfig
from everyword.systems.skipgram.conllu import ROOT, Tree, is_parsed, read_conllu
from everyword.systems.skipgram.sentences import WHAT, Vocabulary, has_right_length
from everyword.text.word_pattern import spelling

NOT_NEEDED = ("ner", "lemmatizer", "textcat", "textcat_multilabel")
"""Components of common pipelines that take time and are not about syntax."""
SENTENCES_AT_ONCE = 256
"""Always as many, because the last digits of a score, and so a close decision, may depend on it."""
INVERSE = "-1"
"""Suffix of a relation that is seen from its dependent."""
PUNCTUATION = "punct"
CASE = "case"
"""The relation of a preposition to its noun in Universal Dependencies."""
OBJECTS = ("pobj", "pcomp")
"""The relations of a noun to its preposition in English spaCy pipelines."""


class Parser:
    """A spaCy pipeline with a dependency parser."""

    def __init__(self, name: str) -> None:
        spacy = require("spacy", "Parsing a corpus")
        try:
            self.pipeline: Any = spacy.load(name, exclude=list(NOT_NEEDED))
        except (OSError, ValueError) as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise InputError(
                f"{name} cannot be loaded as a spaCy pipeline ({reason}); give the folder of one, or the name of one "
                "that is installed."
            ) from None
        if not any("token.dep" in self.pipeline.get_pipe_meta(part).assigns for part in self.pipeline.pipe_names):
            seen = ", ".join(self.pipeline.pipe_names) or "a tokenizer"
            raise InputError(f"The spaCy pipeline {name} has no parser, only {seen}; give one that has.")

    @property
    def name(self) -> str:
        """Language, name and version of the pipeline."""
        return "{lang}_{name} {version}".format_map(self.pipeline.meta)

    def fingerprint(self) -> str:
        """Return a fingerprint of all its files, which decide its trees."""
        return checksum_of_all(sorted(path for path in Path(self.pipeline.path).rglob("*") if path.is_file()))

    def trees(self, texts: Iterable[str]) -> Iterator[Tree]:
        """Yield the tree of each text; texts that are too long for the pipeline are skipped."""
        short = (text for text in texts if len(text) <= self.pipeline.max_length)
        for doc in self.pipeline.pipe(short, batch_size=SENTENCES_AT_ONCE):
            yield Tree(
                doc.text,
                [token.idx for token in doc],
                [token.text for token in doc],
                [ROOT if token.head.i == token.i else token.head.i for token in doc],
                [token.dep_ for token in doc],
            )


def trees_of(corpus: Sequence[Path], config: SentencesConfig, parser: Parser | None) -> Iterator[Tree]:
    """Yield the sentences of files in CoNLL-U as they were parsed, and those of other files by the parser."""
    sentences = islice(_fitting(corpus, config, parser), config.limit)
    for parsed, some in groupby(sentences, key=lambda sentence: isinstance(sentence, Tree)):
        if parsed or parser is None:
            yield from cast("Iterator[Tree]", some)
        else:
            yield from parser.trees(cast("Iterator[str]", some))


def _fitting(corpus: Sequence[Path], config: SentencesConfig, parser: Parser | None) -> Iterator[Tree | str]:
    """Yield the trees or lines of all files that have the right length."""
    for path in corpus:
        if is_parsed(path):
            yield from (tree for tree in read_conllu(path) if has_right_length(tree.text, config))
        elif parser is None:
            raise not_parsed(path)
        else:
            yield from (line for line in read_text(path, WHAT) if has_right_length(line, config))


def not_parsed(path: Path) -> InputError:
    """Return the error for a text file without a parser."""
    return InputError(
        f"{path} is text: name a spaCy pipeline that parses it by --parser, or give a parsed file in CoNLL-U, with a "
        "name that ends in .conllu."
    )


class Edge(NamedTuple):
    """Two tokens and their relation."""

    head: int
    child: int
    relation: str


def edges(tree: Tree) -> Iterator[Edge]:
    """Yield the edges of a tree without punctuation; a preposition becomes part of a relation.

    >>> list(edges(Tree("sat on mats", [0, 4, 7], ["sat", "on", "mats"], [-1, 0, 1], ["ROOT", "prep", "pobj"])))
    [Edge(head=0, child=2, relation='prep_on')]
    >>> list(edges(Tree("sat on mats", [0, 4, 7], ["sat", "on", "mats"], [-1, 2, 0], ["root", "case", "obl"])))
    [Edge(head=0, child=2, relation='obl_on')]
    """
    folded, names = _folded(tree), dict[int, list[str]]()
    for token in sorted(folded):
        if _is_case(tree, token):
            names.setdefault(tree.heads[token], []).append(spelling(tree.forms[token]))
    for child, (head, relation) in enumerate(zip(tree.heads, tree.relations, strict=True)):
        if head == ROOT or relation == PUNCTUATION or child in folded:
            continue
        if head in folded and relation in OBJECTS:
            yield Edge(tree.heads[head], child, f"{tree.relations[head]}_{spelling(tree.forms[head])}")
        else:
            yield Edge(head, child, "_".join([relation, *names.get(child, ())]))


def _folded(tree: Tree) -> set[int]:
    """Return the prepositions between two other tokens, which become part of the relation of these."""
    found = set()
    for token, (head, relation) in enumerate(zip(tree.heads, tree.relations, strict=True)):
        if head == ROOT or tree.heads[head] == ROOT:  # there is nothing to join
            continue
        if relation in OBJECTS:
            found.add(head)
        elif _is_case(tree, token):
            found.add(token)
    return found


def _is_case(tree: Tree, token: int) -> bool:
    return tree.relations[token].partition(":")[0] == CASE


class SyntaxPair(NamedTuple):
    """A word and one of its contexts: a relation, and the other word."""

    word: int
    relation: str
    other: int


def syntax_pairs(tree: Tree, vocabulary: Vocabulary) -> Iterator[SyntaxPair]:
    """Yield the joined words of the vocabulary, from either side; a phrase has the edges of its words to others."""
    mentions = vocabulary.find(tree.text)
    starts = [mention.letters.start for mention in mentions]

    def mention_of(token: int) -> int | None:
        index = bisect_right(starts, tree.starts[token]) - 1
        return index if index >= 0 and tree.starts[token] < mentions[index].letters.stop else None

    owners = [mention_of(token) for token in range(len(tree.starts))]
    for edge in edges(tree):
        head, child = owners[edge.head], owners[edge.child]
        if head is not None and child is not None and head != child:
            yield SyntaxPair(mentions[head].row, edge.relation, mentions[child].row)
            yield SyntaxPair(mentions[child].row, edge.relation + INVERSE, mentions[head].row)
