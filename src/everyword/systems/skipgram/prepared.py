"""A corpus made ready once: a vocabulary and parts of sentences in a folder, for every method and on every machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword import config
from everyword.atomic import write_atomic, write_lines
from everyword.errors import ConfigError, InputError
from everyword.files import checksum, checksum_of_all, read_object
from everyword.language_models.language_model import LanguageModel
from everyword.systems.skipgram.config import RECORD, SentencesConfig
from everyword.systems.skipgram.cutting import Cutter, cut_all
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.sentences import check_corpus, sentences_of
from everyword.systems.skipgram.vocabulary import Vocabulary, frequent_words, listed_words

WORDS = "words.tsv"
SENTENCES_A_PART = 100_000
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Kept:
    """What a record says that is used again."""

    stamp: str
    parts: tuple[int, ...]
    sentences: SentencesConfig
    tokenizer: str | None


@dataclass(frozen=True)
class PreparedCorpus:
    """A prepared corpus as it lies in its folder; parts are read when they are asked for."""

    folder: Path
    vocabulary: Vocabulary
    record: dict[str, Any]

    @classmethod
    def load(cls, folder: Path) -> PreparedCorpus:
        """Open what `prepare` wrote."""
        try:
            record = read_object(folder / RECORD)
            config.build(Kept, {name: record[name] for name in ("stamp", "parts", "sentences", "tokenizer")})
            # Not splitlines, nor a reader that takes a lone carriage return for a line end.
            lines = (folder / WORDS).read_bytes().decode("utf-8").split("\n")[:-1]
            words, counts = zip(*(line.rsplit("\t", 1) for line in lines), strict=True)
            return cls(folder, Vocabulary(words, [int(count) for count in counts]), record)
        except (OSError, ValueError, KeyError, OverflowError, ConfigError):
            raise InputError(f"{folder} holds no prepared corpus; prepare one with --corpus.") from None

    @property
    def sizes(self) -> list[int]:
        """How many sentences each part has."""
        return list(self.record["parts"])

    @property
    def longest(self) -> int:
        """Words that a sentence may have."""
        return int(self.record["sentences"]["longest"])

    @property
    def stamp(self) -> str:
        """What tells this corpus from others."""
        return str(self.record["stamp"])

    def part(self, number: int) -> Part:
        """One of the parts, read from disk."""
        path = self.folder / part_name(number)
        part = Part.load(path)
        if len(part) != self.sizes[number] or part.rows.max(initial=0) >= len(self.vocabulary.words):
            raise InputError(f"{path} is a part of another corpus; prepare the corpus again.")
        return part

    def parts(self) -> Iterator[Part]:
        """All of them in their order, one in memory at a time."""
        return (self.part(number) for number in range(len(self.sizes)))

    def check_encoder(self, model: LanguageModel) -> None:
        """Refuse an encoder that would read other pieces than are kept here."""
        kept = self.record["tokenizer"]
        if kept is None:
            raise InputError(f"{self.folder} was prepared without an encoder; prepare the corpus again, with one.")
        if kept != tokenizer_mark(model):
            raise InputError(
                f"{self.folder} was prepared for another tokenizer than that of {model.name}; use the encoder it was "
                "prepared with, or prepare the corpus again."
            )


def part_name(number: int) -> str:
    """The file of a part."""
    return f"part-{number:05d}.npz"


def prepare(
    corpus: Sequence[Path],
    folder: Path,
    wanted: SentencesConfig | None = None,
    *,
    model: LanguageModel | None = None,
    words: Sequence[str] | None = None,
    workers: int = 1,
    overwrite: bool = False,
    tell: Tell = lambda _: None,
) -> PreparedCorpus:
    """Read a corpus twice, for its vocabulary and for its sentences; what lies ready in the folder is not made again.

    The vocabulary is that of a list of words, which may be phrases, or all words that are frequent enough. With a model
    the sentences are cut into its pieces too, so that it can read them; without one they serve the other methods.
    Several workers, which are processes, make the same files sooner.
    """
    wanted = wanted or SentencesConfig()
    check_corpus(corpus)
    mark = None if model is None else tokenizer_mark(model)
    if (folder / RECORD).exists():
        kept = PreparedCorpus.load(folder)
        # Without a model, pieces that lie there too are in nobody's way.
        fitting = kept.record["tokenizer"] if model is None else mark
        if kept.stamp == _stamp(corpus, wanted, fitting, words):
            return kept
        if not overwrite:
            raise InputError(
                f"{folder} holds a corpus that was prepared from other files, words or settings, or for another "
                "tokenizer; choose another folder, or replace it with --overwrite."
            )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECORD).unlink(missing_ok=True)  # from here on, what lies there is no whole corpus
    sentences = sentences_of(corpus, wanted)
    vocabulary = frequent_words(sentences, wanted.min_count) if words is None else listed_words(sentences, words)
    tell(f"{len(vocabulary.words):,} words stand {int(vocabulary.counts.sum()):,} times in the corpus")
    counted = zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)
    write_lines(folder / WORDS, (f"{word}\t{count}" for word, count in counted))
    cutter = Cutter(vocabulary, None if model is None else model.text_tokenizer)
    sizes = list(_write_parts(cut_all(sentences_of(corpus, wanted), cutter, workers), folder))
    if not sizes:
        raise InputError(_why_nothing(model))
    record = {
        "stamp": _stamp(corpus, wanted, mark, words),
        "corpus": {path.name: checksum(path) for path in corpus},
        "sentences": config.to_dict(wanted),
        "encoder": None if model is None else Path(model.name).name,
        "tokenizer": mark,
        "words": len(vocabulary.words),
        "parts": sizes,
    }
    write_atomic(folder / RECORD, json.dumps(record, indent=2) + "\n")
    tell(f"{sum(sizes):,} sentences are kept in {folder}")
    return PreparedCorpus(folder, vocabulary, record)


def tokenizer_mark(model: LanguageModel) -> str:
    """What decides into which pieces a text is cut, as far as it tells models apart."""
    told = [sorted(model.tokenizer.get_vocab().items()), model.longest]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _stamp(corpus: Sequence[Path], wanted: SentencesConfig, mark: str | None, words: Sequence[str] | None) -> str:
    asked = [checksum_of_all(corpus), config.to_dict(wanted), mark, None if words is None else list(words)]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def _write_parts(parts: Iterable[Part], folder: Path) -> Iterator[int]:
    """Write part after part and tell the size of each."""
    for number, part in enumerate(even_parts(parts)):
        part.save(folder / part_name(number))
        yield len(part)


def even_parts(parts: Iterable[Part]) -> Iterator[Part]:
    """The same sentences, so many in each part that there are no small files."""
    waiting: list[Part] = []
    for part in parts:
        waiting.append(part)
        while (ready := sum(map(len, waiting))) >= SENTENCES_A_PART:
            whole = Part.joined(waiting)
            yield whole.some(0, SENTENCES_A_PART)
            waiting = [whole.some(SENTENCES_A_PART, ready)]
    if any(map(len, waiting)):
        yield Part.joined(waiting)


def _why_nothing(model: LanguageModel | None) -> str:
    if model is None:
        return "No sentence of the corpus holds two words of the vocabulary; give a larger corpus, or other words."
    return (
        f"The tokenizer of {model.name} loses every word of the corpus that has another one beside it; choose an "
        "encoder made for these letters."
    )
