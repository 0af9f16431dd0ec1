"""What a study about auxiliary languages learns from, made once: tagged sentences, vectors of their words, distances.

The folder is small, because it holds vectors only of the words that occur, in half precision; a machine that trains the
taggers needs nothing else.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray, read_tensors
from everyword.atomic import write_atomic
from everyword.corpus.labelled.bio import spans_of
from everyword.corpus.labelled.sets import Splits, TaggedSentences, cut_to, tag_splits
from everyword.corpus.labelled.treebanks import FOLDS, treebank_splits
from everyword.corpus.piece_vectors import NO_PIECE, TOKEN, PiecesConfig, joined_parts, train_pieces
from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.evaluation.language_distance import distances
from everyword.files import parse_json, read_object
from everyword.models.model import Model
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.read import read_table

MULTI, EVERYWORD = "multi", "everyword"
WORDS = "words-"
"""Before the code of a language, a source that is a table of whole words."""
TASKS, DISTANCES = "tasks.json.gz", "distances.json"
WIDTH = 100
"""Whole words and words of everyword keep so many directions, as many as a piece has numbers."""
LINES = 10_000
"""Of each corpus, for distances."""
FORMS = ("vec", "npy", "txt")


class StoredSource:
    """Vectors of the words that occur, each made of one row or of two.

    Args:
        name: Of the source.
        row_of: The row of `parts` of a word.
        parts: Rows of vectors, (words, parts), -1 for none.
        vectors: In half or full precision.
    """

    def __init__(self, name: str, row_of: Mapping[str, int], parts: IndexArray, vectors: FloatArray) -> None:
        self.name, self.row_of, self.parts, self.vectors = name, row_of, parts, vectors

    @property
    def dim(self) -> int:
        """The length of a word's vector."""
        return int(self.parts.shape[1] * self.vectors.shape[1])

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words, zeros for those without one."""
        rows = [self.row_of.get(word, -1) for word in words]
        parts = np.full((len(words), self.parts.shape[1]), NO_PIECE, dtype=np.int64)
        there = np.array(rows, dtype=np.int64) >= 0
        parts[there] = self.parts[[row for row in rows if row >= 0]]
        return joined_parts(self.vectors, parts)

    def renamed(self, name: str) -> StoredSource:
        """Return the same source under another name."""
        return StoredSource(name, self.row_of, self.parts, self.vectors)


@dataclass(frozen=True)
class LanguageInputs:
    """What taggers are trained on."""

    tasks: Mapping[str, Sequence[Splits[TaggedSentences]]]
    """By column; several folds where train is a part of dev."""
    sources: Mapping[str, StoredSource]
    distances: Mapping[str, Mapping[tuple[str, str], float]]


def prepare(
    folder: Path,
    data: Path,
    *,
    tasks: Mapping[str, str],
    corpora: Mapping[str, str],
    pieces: PiecesConfig,
    multi: PiecesConfig,
    sentences: int,
    judged: int,
    vectors: Path | None,
    model: Callable[[], Model] | None,
    report: Callable[[str], None],
) -> None:
    """Make the folder; what is there already stays.

    Args:
        folder: Where to write.
        data: The data folder.
        tasks: By column, the folder of a treebank or of tagged names.
        corpora: By language, a text file.
        pieces: How vectors of pieces are learnt for each language.
        multi: The same for all languages together.
        sentences: Most sentences of train.
        judged: Most sentences of dev and of test.
        vectors: A folder of vector files, xx.vec, for sources of whole words.
        model: Loads a model of everyword, if one is needed.
        report: Called with a line for each step.
    """
    folder.mkdir(parents=True, exist_ok=True)
    splits = {name: read_splits(data / path, sentences, judged) for name, path in tasks.items()}
    if not (folder / TASKS).exists():
        write_atomic(folder / TASKS, gzip.compress(json.dumps(_plain(splits), ensure_ascii=False).encode(), mtime=0))
    vocabulary = _vocabulary(splits)
    for name, config in {**dict.fromkeys(corpora, pieces), MULTI: multi}.items():
        if not (folder / f"{name}.safetensors").exists():
            report(f"learning pieces of {name}")
            paths = [data / path for path in corpora.values()] if name == MULTI else [data / corpora[name]]
            learnt = train_pieces(paths, config, name)
            _write(folder, name, learnt.pieces(vocabulary), learnt.vectors)
    for language in corpora if vectors is not None else ():
        assert vectors is not None
        found = [path for form in FORMS if (path := vectors / f"{language}.{form}").is_file()]
        if found and not (folder / f"{WORDS}{language}.safetensors").exists():
            report(f"reading words of {language}")
            needed = set(_vocabulary({name: folds for name, folds in splits.items() if language_of(name) == language}))
            _store_words(folder, language, found[0], [word if word in needed else "" for word in vocabulary])
    if model is not None and not (folder / f"{EVERYWORD}.safetensors").exists():
        report("making vectors of everyword")
        made = np.asarray(model().encode(vocabulary), dtype=np.float32)
        _write(folder, EVERYWORD, np.arange(len(vocabulary))[:, None], strongest(made, WIDTH))
    if not (folder / DISTANCES).exists():
        report("measuring distances of languages")
        measured = distances(*_texts(data, corpora, splits), task_words=_task_words(splits))
        plain = {name: [[*pair, value] for pair, value in pairs.items()] for name, pairs in measured.items()}
        write_atomic(folder / DISTANCES, json.dumps(plain, indent=1) + "\n")


def strongest(vectors: FloatArray, width: int) -> FloatArray:
    """Return vectors in their strongest directions, so many at most; zeros stay zeros."""
    units = unit_rows(vectors).astype(np.float64)
    _, directions = np.linalg.eigh(units.T @ units)
    found: FloatArray = (units @ directions[:, ::-1][:, :width]).astype(np.float32)
    return found


def read_splits(path: Path, sentences: int, judged: int) -> list[Splits[TaggedSentences]]:
    """Read a treebank or tagged names, as several folds if there is no train, with at most so many sentences."""
    if not path.is_dir():
        raise InputError(f"There is no folder {path}; check --data.")
    if not any(path.glob("*.conllu.gz")):
        plain = tag_splits(path, scheme="plain")
        found = [Splits(_repaired(plain.train), _repaired(plain.dev), _repaired(plain.test))]
    elif (path / "train.conllu.gz").exists():
        found = [treebank_splits(path)]
    else:
        found = [treebank_splits(path, number) for number in range(FOLDS)]
    return [Splits(cut_to(one.train, sentences), cut_to(one.dev, judged), cut_to(one.test, judged)) for one in found]


def _repaired(data: TaggedSentences) -> TaggedSentences:
    """Return BIO tags where an I- that continues nothing has become a B-: a few of CoNLL 2002 are of that kind."""
    tags = []
    for sentence in data.tags:
        begins = {start for start, _, _ in spans_of(sentence)}
        tags.append(tuple(f"B-{tag[2:]}" if place in begins else tag for place, tag in enumerate(sentence)))
    return replace(data, tags=tuple(tags), scheme="bio")


def load_inputs(folder: Path) -> LanguageInputs:
    """Read a prepared folder."""
    if not (folder / TASKS).is_file() or not (folder / DISTANCES).is_file():
        raise InputError(f"{folder} holds no prepared inputs; give --data, and they are made.")
    plain = parse_json(gzip.decompress((folder / TASKS).read_bytes()).decode())
    tasks = {name: [_read_plain(one) for one in folds] for name, folds in plain.items()}
    row_of = {word: row for row, word in enumerate(_vocabulary(tasks))}
    sources = {}
    for path in sorted(folder.glob("*.safetensors")):
        tensors, _ = read_tensors(path)
        if len(tensors["parts"]) != len(row_of):
            raise InputError(f"{path} was made for other sentences; delete it, and it is made again.")
        parts = tensors["parts"].astype(np.int64)
        sources[path.stem] = StoredSource(path.stem, row_of, parts, tensors["vectors"].astype(np.float32))
    measured = {
        name: {(one, other): float(value) for one, other, value in rows}
        for name, rows in read_object(folder / DISTANCES).items()
    }
    return LanguageInputs(tasks, sources, measured)


def _write(folder: Path, name: str, parts: IndexArray, vectors: FloatArray) -> None:
    from safetensors.numpy import save

    arrays: dict[str, AnyArray] = {"parts": parts.astype(np.int32), "vectors": vectors.astype(np.float16)}
    write_atomic(folder / f"{name}.safetensors", save(arrays))


def _store_words(folder: Path, language: str, path: Path, vocabulary: Sequence[str]) -> None:
    """Store the vectors of words; an empty word stands for one that the language does not need."""
    table = read_table(path)
    index = table.index
    rows = np.array([index.get(word, index.get(word.lower(), -1)) for word in vocabulary], dtype=np.int64)
    kept, places = np.unique(rows[rows >= 0], return_inverse=True)
    parts = np.full((len(vocabulary), 1), NO_PIECE, dtype=np.int64)
    parts[rows >= 0, 0] = places
    _write(folder, f"{WORDS}{language}", parts, strongest(table.rows(kept), WIDTH))


def _vocabulary(splits: Mapping[str, Sequence[Splits[TaggedSentences]]]) -> list[str]:
    return sorted(
        {
            word
            for folds in splits.values()
            for one in folds
            for part in (one.train, one.dev, one.test)
            for tokens in part.tokens
            for word in tokens
        }
    )


def _plain(splits: Mapping[str, Sequence[Splits[TaggedSentences]]]) -> dict[str, Any]:
    return {
        name: [
            {
                "scheme": one.train.scheme,
                **{part: [getattr(one, part).tokens, getattr(one, part).tags] for part in ("train", "dev", "test")},
            }
            for one in folds
        ]
        for name, folds in splits.items()
    }


def _read_plain(given: Mapping[str, Any]) -> Splits[TaggedSentences]:
    def part(name: str) -> TaggedSentences:
        tokens, tags = (tuple(map(tuple, half)) for half in given[name])
        return TaggedSentences(name, tokens, tags, given["scheme"])

    return Splits(part("train"), part("dev"), part("test"))


def _texts(
    data: Path, corpora: Mapping[str, str], splits: Mapping[str, Sequence[Splits[TaggedSentences]]]
) -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """Return lines and words by language; a language without a corpus is known by the sentences it is tagged in."""
    texts = {
        name: list(islice((line for line in read_text(data / path, "corpus") if line.strip()), LINES))
        for name, path in corpora.items()
    }
    for column, folds in splits.items():
        if (name := language_of(column)) not in corpora:
            texts[name] = [*texts.get(name, []), *(" ".join(tokens) for tokens in folds[0].train.tokens)][:LINES]
    words = {
        name: {token for line in lines for token in TOKEN.findall(line.lower()) if token.isalpha()}
        for name, lines in texts.items()
    }
    return texts, words


def language_of(column: str) -> str:
    """Return the language of a column.

    >>> language_of("languages/pos fi")
    'fi'
    """
    return column.rsplit(maxsplit=1)[-1]


def _task_words(splits: Mapping[str, Sequence[Splits[TaggedSentences]]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for column, folds in splits.items():
        words = {word.lower() for tokens in folds[0].train.tokens for word in tokens if word.isalpha()}
        found[language_of(column)] = found.get(language_of(column), set()) | words
    return found
