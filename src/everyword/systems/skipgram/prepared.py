"""A prepared corpus: a vocabulary and parts of sentences in a folder, read by every method on every machine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from everyword import config
from everyword.atomic import write_atomic, write_lines
from everyword.errors import ConfigError, InputError
from everyword.files import checksum, checksum_of_all, fingerprint, read_object
from everyword.language_models.language_model import LanguageModel
from everyword.space.pipeline import Reporter, no_report
from everyword.systems.skipgram.config import RECORD, SentencesConfig
from everyword.systems.skipgram.parts import Part, PartBuilder, build_parts
from everyword.systems.skipgram.sentences import Vocabulary, check_corpus, frequent_words, listed_words, sentences_of

WORDS = "words.tsv"
STATES, PAIRS = "states-", "pairs-"
"""How the names begin of files with what an encoder put out for a corpus, and of folders with its syntax."""
SENTENCES_A_PART = 100_000


@dataclass(frozen=True)
class RecordSchema:
    """The parts of the record that are used again."""

    stamp: str
    parts: tuple[int, ...]
    sentences: SentencesConfig
    tokenizer: str | None


@dataclass(frozen=True)
class PreparedCorpus:
    """A prepared corpus in its folder; its parts are read when they are used."""

    folder: Path
    vocabulary: Vocabulary
    record: dict[str, Any]

    @classmethod
    def load(cls, folder: Path) -> PreparedCorpus:
        """Open a folder that `prepare` wrote.

        Args:
            folder: The folder.

        Returns:
            The prepared corpus.

        Raises:
            InputError: If the folder does not hold a complete prepared corpus.
        """
        try:
            record = read_object(folder / RECORD)
            config.build(RecordSchema, {field.name: record[field.name] for field in fields(RecordSchema)})
            # Not splitlines, nor a reader that takes a lone carriage return for a line end.
            lines = (folder / WORDS).read_bytes().decode("utf-8").split("\n")[:-1]
            words, counts = zip(*(line.rsplit("\t", 1) for line in lines), strict=True)
            return cls(folder, Vocabulary(words, [int(count) for count in counts]), record)
        except (OSError, ValueError, KeyError, OverflowError, ConfigError):
            raise InputError(f"{folder} does not hold a prepared corpus; prepare one with --corpus.") from None

    @property
    def sizes(self) -> list[int]:
        """Number of sentences per part."""
        return list(self.record["parts"])

    @property
    def longest(self) -> int:
        """Maximum number of words per sentence."""
        return int(self.record["sentences"]["longest"])

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the files, words, settings and tokenizer that it was prepared from."""
        return str(self.record["stamp"])

    def part(self, number: int) -> Part:
        """Read one of the parts from disk."""
        path = self.folder / part_name(number)
        part = Part.load(path)
        if len(part) != self.sizes[number] or part.rows.max(initial=0) >= len(self.vocabulary.words):
            raise InputError(f"{path} is a part of another corpus; prepare the corpus again.")
        return part

    def parts(self) -> Iterator[Part]:
        """Yield all parts in order, one in memory at a time."""
        return (self.part(number) for number in range(len(self.sizes)))

    def check_encoder(self, model: LanguageModel) -> None:
        """Raise `InputError` if the corpus was not prepared for the tokenizer of an encoder."""
        prepared_for = self.record["tokenizer"]
        if prepared_for is None:
            raise InputError(f"{self.folder} was prepared without an encoder; prepare the corpus again, with one.")
        if prepared_for != tokenizer_fingerprint(model):
            raise InputError(
                f"{self.folder} was prepared for another tokenizer than that of {model.name}; use the encoder it was "
                "prepared with, or prepare the corpus again."
            )


def part_name(number: int) -> str:
    """Return the file name of a part."""
    return f"part-{number:05d}.npz"


def prepare(
    corpus: Sequence[Path],
    folder: Path,
    sentences: SentencesConfig | None = None,
    *,
    model: LanguageModel | None = None,
    words: Sequence[str] | None = None,
    workers: int = 1,
    overwrite: bool = False,
    report: Reporter = no_report,
) -> PreparedCorpus:
    """Read a corpus twice, for its vocabulary and for its sentences, unless the folder holds the result already.

    Args:
        corpus: Text files with one sentence per line, or files in CoNLL-U.
        folder: Where to save the prepared corpus.
        sentences: Which sentences and words are used.
        model: An encoder that will read the sentences, which are then stored as its pieces too.
        words: The vocabulary, which may have phrases; by default all words that are frequent enough.
        workers: Number of processes; the result does not depend on it.
        overwrite: Whether to replace a corpus that was prepared in another way.
        report: Receives progress messages.

    Returns:
        The prepared corpus.

    Raises:
        InputError: If a file cannot be read, no sentence can be used, or the folder holds another corpus.
    """
    sentences = sentences or SentencesConfig()
    check_corpus(corpus)
    tokenizer = None if model is None else tokenizer_fingerprint(model)
    if (folder / RECORD).exists():
        earlier = PreparedCorpus.load(folder)
        # Without a model, pieces that lie there too are in nobody's way.
        fitting = earlier.record["tokenizer"] if model is None else tokenizer
        if earlier.fingerprint == _fingerprint(corpus, sentences, fitting, words):
            return earlier
        if not overwrite:
            raise InputError(
                f"{folder} holds a corpus that was prepared from other files, words or settings, or for another "
                "tokenizer; choose another folder, or replace it with --overwrite."
            )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECORD).unlink(missing_ok=True)  # from here on, what lies there is no whole corpus
    for outputs in folder.glob(f"{STATES}*"):
        outputs.unlink()  # they are of the earlier corpus
    for pairs in folder.glob(f"{PAIRS}*"):
        shutil.rmtree(pairs)
    lines = sentences_of(corpus, sentences)
    vocabulary = frequent_words(lines, sentences.min_count) if words is None else listed_words(lines, words)
    report(f"{len(vocabulary.words):,} words occur {int(vocabulary.counts.sum()):,} times in the corpus")
    counted = zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)
    write_lines(folder / WORDS, (f"{word}\t{count}" for word, count in counted))
    builder = PartBuilder(vocabulary, None if model is None else model.text_tokenizer)
    sizes = []
    for number, part in enumerate(even_parts(build_parts(sentences_of(corpus, sentences), builder, workers))):
        part.save(folder / part_name(number))
        sizes.append(len(part))
    if not sizes:
        raise InputError(_why_nothing(model))
    record = {
        "stamp": _fingerprint(corpus, sentences, tokenizer, words),
        "corpus": {path.name: checksum(path) for path in corpus},
        "sentences": config.to_dict(sentences),
        "encoder": None if model is None else Path(model.name).name,
        "tokenizer": tokenizer,
        "words": len(vocabulary.words),
        "parts": sizes,
    }
    write_atomic(folder / RECORD, json.dumps(record, indent=2) + "\n")
    report(f"Saved {sum(sizes):,} sentences to {folder}")
    return PreparedCorpus(folder, vocabulary, record)


def tokenizer_fingerprint(model: LanguageModel) -> str:
    """Return a fingerprint of what decides the pieces of a text: the tokenizer's vocabulary and the longest text."""
    return fingerprint([sorted(model.tokenizer.get_vocab().items()), model.longest], sort_keys=False)


def _fingerprint(
    corpus: Sequence[Path], sentences: SentencesConfig, tokenizer: str | None, words: Sequence[str] | None
) -> str:
    listed = None if words is None else list(words)
    settings = config.to_dict(sentences)
    if sentences.limit is None:  # a setting that earlier corpora were prepared without
        del settings["limit"]
    return fingerprint([checksum_of_all(corpus), settings, tokenizer, listed], sort_keys=False)


def even_parts(parts: Iterable[Part]) -> Iterator[Part]:
    """Join small parts to parts of `SENTENCES_A_PART` sentences."""
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
        return "No sentence of the corpus has two words of the vocabulary; give a larger corpus, or other words."
    return (
        f"The tokenizer of {model.name} loses every word of the corpus that has another one beside it; choose an "
        "encoder made for these letters."
    )
