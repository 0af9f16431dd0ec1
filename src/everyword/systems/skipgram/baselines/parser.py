"""Sentences as trees, by a spaCy pipeline or from files that were parsed before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import checksum_of_all
from everyword.systems.skipgram.config import SentencesConfig
from everyword.systems.skipgram.conllu import is_parsed, read_conllu
from everyword.systems.skipgram.sentences import WHAT, is_wanted
from everyword.systems.skipgram.trees import ROOT, Tree

NOT_NEEDED = ("ner", "lemmatizer", "textcat", "textcat_multilabel")
"""Parts of common pipelines that take time and say nothing of syntax."""
SENTENCES_AT_ONCE = 256
"""Always as many, because the last digits of a score, and so a close decision, may depend on it."""


class Parser:
    """A spaCy pipeline that says which words hang on which."""

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
        """What the pipeline calls itself, with its version."""
        return "{lang}_{name} {version}".format_map(self.pipeline.meta)

    def fingerprint(self) -> str:
        """What decides its trees: all its files."""
        return checksum_of_all(sorted(path for path in Path(self.pipeline.path).rglob("*") if path.is_file()))

    def trees(self, texts: Iterable[str]) -> Iterator[Tree]:
        """The tree of each text; one that is too long for the pipeline is passed over."""
        short = (text for text in texts if len(text) <= self.pipeline.max_length)
        for doc in self.pipeline.pipe(short, batch_size=SENTENCES_AT_ONCE):
            yield Tree(
                doc.text,
                [token.idx for token in doc],
                [token.text for token in doc],
                [ROOT if token.head.i == token.i else token.head.i for token in doc],
                [token.dep_ for token in doc],
            )


def trees_of(corpus: Sequence[Path], wanted: SentencesConfig, parser: Parser | None) -> Iterator[Tree]:
    """The sentences of files in CoNLL-U as they were parsed, those of other files by the parser."""
    for path in corpus:
        if is_parsed(path):
            yield from (tree for tree in read_conllu(path) if is_wanted(tree.text, wanted))
        elif parser is None:
            raise not_parsed(path)
        else:
            yield from parser.trees(line for line in read_text(path, WHAT) if is_wanted(line, wanted))


def not_parsed(path: Path) -> InputError:
    """What to say of text whose syntax nobody knows."""
    return InputError(
        f"{path} is text: name a spaCy pipeline that parses it by --parser, or give a file that was parsed before, in "
        "CoNLL-U, whose name ends in .conllu."
    )
