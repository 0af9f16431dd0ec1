"""Parts of speech of Universal Dependencies: treebanks in CoNLL-U, and their splits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from everyword.corpus.labelled.bio import is_bio
from everyword.corpus.labelled.sets import SPLIT_SEED, Scheme, Splits, TaggedSentences, fold, read_tagged
from everyword.errors import InputError
from everyword.files import read_lines

COLUMNS = 10
FORM, PART_OF_SPEECH, FEATURES = 1, 3, 5
FOLDS = 5


def read_treebank(path: Path, column: int | None = PART_OF_SPEECH) -> TaggedSentences:
    """Read the words of a CoNLL-U file and one column of each, by default the universal part of speech.

    Without a column, tags are full: the part of speech and all features, `NOUN|Case=Nom|Number=Sing`.
    Comments, empty nodes (8.1) and lines for several words together (3-4) are skipped.
    """
    tokens: list[tuple[str, ...]] = []
    tags: list[tuple[str, ...]] = []
    words: list[tuple[str, str]] = []
    for number, line in enumerate([*read_lines(path, "CoNLL-U file"), ""], start=1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if words:
                tokens.append(tuple(form for form, _ in words))
                tags.append(tuple(tag for _, tag in words))
            words = []
            continue
        cells = line.split("\t")
        if len(cells) != COLUMNS:
            raise InputError(f"{path}:{number}: a word has {COLUMNS} columns between tabs. Got {line[:60]!r}.")
        if cells[0].isdigit():
            words.append((cells[FORM], _full(cells) if column is None else cells[column]))
    if not tokens:
        raise InputError(f"{path} holds no sentences; one or more are needed.")
    return TaggedSentences(path.name.partition(".")[0], tuple(tokens), tuple(tags), "plain")


def _full(cells: Sequence[str]) -> str:
    features = cells[FEATURES]
    return cells[PART_OF_SPEECH] if features in ("_", "") else f"{cells[PART_OF_SPEECH]}|{features}"


def read_any_tagged(path: Path, scheme: Scheme | None = None, *, full: bool = False) -> TaggedSentences:
    """Read tagged sentences of a CoNLL-U file, by its name, or of a CoNLL file.

    Args:
        path: The file, plain or packed.
        scheme: Whether tags mark spans; by default they do if all of them could.
        full: Whether tags of a CoNLL-U file are parts of speech with all features.
    """
    if ".conllu" in path.name:
        return read_treebank(path, None if full else PART_OF_SPEECH)
    if scheme is None:
        found = read_tagged(path, scheme="plain")
        if not is_bio(tag for tags in found.tags for tag in tags):
            return found
    return read_tagged(path, scheme=scheme or "bio")


def treebank_splits(folder: Path, number: int = 0, column: int | None = PART_OF_SPEECH) -> Splits[TaggedSentences]:
    """Read train, dev and test of a folder.

    A treebank without train is cross-validated on dev: a fifth of dev, the one with this number, chooses, and the other
    four are learnt from. Test stays what it is.
    """
    dev, test = (read_treebank(folder / f"{part}.conllu.gz", column) for part in ("dev", "test"))
    train = folder / "train.conllu.gz"
    if train.exists():
        return Splits(read_treebank(train, column), dev, test)
    cut = fold(dev, number % FOLDS, FOLDS, seed=SPLIT_SEED)
    rest = TaggedSentences(dev.name, (*cut.train.tokens, *cut.dev.tokens), (*cut.train.tags, *cut.dev.tags), dev.scheme)
    return Splits(rest, cut.test, test)
