"""Learn or read word pieces, and shrink their list.

Pieces are learnt from the teacher's own words or read from a file. Table A1 of LOVE compares four ways to
shrink the table: stemming whole words and dropping numerals (its default), the most used pieces, hashing
(`MixedUnitsConfig.buckets`) and matrix decomposition (the encoder's `rank`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from everyword.config import Count
from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.extras import require
from everyword.files import read_lines
from everyword.text.mixed import SPECIALS, MixedUnits, MixedUnitsConfig
from everyword.text.wordpiece import CONTINUATION, is_continuation


@dataclass(frozen=True)
class VocabularyConfig:
    """Settings of the unit vocabulary."""

    pieces: str | None = None
    """A file of word pieces, one per line (such as a BERT vocab.txt); without it they are learnt from the words."""
    size: Count = 30_000
    """How many pieces to learn; every character is one of them, even where there are more."""
    shrink: tuple[Literal["stem", "numerals", "top"], ...] = ("stem", "numerals")
    """Steps that make the list smaller, in this order."""
    top: Count = 20_000
    """How many pieces the step "top" keeps."""
    language: str = "english"
    """The language of the stemmer (a name that snowballstemmer knows)."""


def build_units(words: Sequence[str], vocabulary: VocabularyConfig, units: MixedUnitsConfig) -> MixedUnits:
    """Build the units for a list of normalised words, most frequent first."""
    pieces = read_pieces(Path(vocabulary.pieces)) if vocabulary.pieces else learn_pieces(words, vocabulary.size)
    for step in vocabulary.shrink:
        if step == "stem":
            pieces = stem_whole_words(pieces, vocabulary.language)
        elif step == "numerals":
            pieces = drop_numerals(pieces)
        else:
            pieces = most_used(pieces, words, vocabulary.top)
    return MixedUnits([*alphabet(words), *pieces], units)


def alphabet(words: Iterable[str]) -> list[str]:
    """Return every character of the words, also as a continuation, so that no training word has an unknown part."""
    characters = sorted({character for word in words for character in word})
    return [*characters, *(CONTINUATION + character for character in characters)]


def learn_pieces(words: Sequence[str], size: int) -> list[str]:
    """Learn WordPiece entries from words in order of frequency.

    A table of vectors has no counts, so a word at rank r counts n / r times, by Zipf's law. Frequent
    words then become pieces of their own, rare ones are cut.
    """
    tokenizers = require("tokenizers", "Learning word pieces")
    learner = tokenizers.Tokenizer(tokenizers.models.WordPiece())
    # Ties are broken by id, and the trainer numbers continuation characters in no fixed order: naming them as special
    # tokens numbers them first, so that the same words always give the same pieces.
    characters = alphabet(words)
    trainer = tokenizers.trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=characters, continuing_subword_prefix=CONTINUATION, show_progress=False
    )
    learner.train_from_iterator(_repeat_by_zipf(words), trainer)
    by_id = sorted(learner.get_vocab().items(), key=lambda item: item[1])
    return [piece for piece, _ in by_id]


def _repeat_by_zipf(words: Sequence[str]) -> Iterator[list[str]]:
    for rank, word in enumerate(words, start=1):
        yield [word] * -(-len(words) // rank)


def read_pieces(path: Path) -> list[str]:
    """Read word pieces, one per line, without the special entries of other libraries ("[CLS]", "[unused7]")."""
    pieces = [line.strip() for line in read_lines(path, "file of word pieces")]
    pieces = [piece for piece in pieces if piece and not (piece.startswith("[") and piece.endswith("]"))]
    if not pieces:
        raise InputError(f"{path} holds no word pieces; one per line was expected.")
    return list(dict.fromkeys(pieces))


def stem_whole_words(pieces: Iterable[str], language: str) -> list[str]:
    """Replace each whole word by its stem, each stem once: "walks" and "walked" become "walk"."""
    pieces = list(pieces)
    whole = [piece for piece in pieces if not is_continuation(piece)]
    stem_of = dict(zip(whole, stems(whole, language), strict=True))
    return list(dict.fromkeys(stem_of.get(piece, piece) for piece in pieces))


def drop_numerals(pieces: Iterable[str]) -> list[str]:
    """Leave out pieces of two characters or more that hold a digit."""
    return [
        piece
        for piece in pieces
        if len(piece.removeprefix(CONTINUATION)) == 1 or not any(character.isdigit() for character in piece)
    ]


def most_used(pieces: Sequence[str], words: Sequence[str], count: int) -> list[str]:
    """Return the pieces that cover the words most often."""
    units = MixedUnits(pieces, MixedUnitsConfig(input="subword"))
    used = Counter(unit for word in words for unit in units.ids(word) if unit >= len(SPECIALS))
    kept = {units.units[unit] for unit, _ in used.most_common(count)}
    return [piece for piece in pieces if piece in kept]


def stems(words: Sequence[str], language: str) -> list[str]:
    """Return the Snowball stem of each word; a word whose stem is empty is kept."""
    snowball = require("snowballstemmer", "Stemming")
    known = snowball.algorithms()
    if language not in known:
        raise UnknownNameError(f"There is no stemmer for {language!r}: {did_you_mean(language, known)}")
    found = snowball.stemmer(language).stemWords(list(words))
    return [stem or word for stem, word in zip(found, words, strict=True)]
