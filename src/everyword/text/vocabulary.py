"""Where word pieces come from, and how their list is made smaller.

Learn them from the teacher's own words, or read a list someone made. The paper's Table A1 compares four ways to
shrink the table: stemming whole words and dropping numerals (its default), the most used pieces, hashing
(`MixedUnitsConfig.buckets`) and matrix decomposition (the encoder's `rank`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.extras import require
from everyword.files import read_lines
from everyword.text.mixed import SPECIALS, MixedUnits, MixedUnitsConfig
from everyword.text.wordpiece import CONTINUATION, is_continuation


@dataclass(frozen=True)
class VocabularyConfig:
    """Which units a model has."""

    pieces: str | None = None
    """A file of word pieces, one a line (such as a BERT vocab.txt); without it they are learnt from the words."""
    size: int = 30_000
    """How many pieces to learn; every character is one of them, even where they are more."""
    shrink: tuple[Literal["stem", "numerals", "top"], ...] = ("stem", "numerals")
    """Steps that make the list smaller, in this order."""
    top: int = 20_000
    """How many pieces the step "top" keeps."""
    language: str = "english"
    """The language of the stemmer (a name that snowballstemmer knows)."""

    def problems(self) -> list[str]:
        """Values that cannot be."""
        return [
            f"{name} must be 1 or more. Got {value} instead"
            for name, value in (("size", self.size), ("top", self.top))
            if value < 1
        ]


def build_units(words: Sequence[str], vocabulary: VocabularyConfig, units: MixedUnitsConfig) -> MixedUnits:
    """The units for a list of normalised words, most frequent word first."""
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
    """Every character of the words, as itself and as a continuation, so that no training word has an unknown part."""
    characters = sorted({character for word in words for character in word})
    return [*characters, *(CONTINUATION + character for character in characters)]


def learn_pieces(words: Sequence[str], size: int) -> list[str]:
    """Learn WordPiece entries from words in order of frequency.

    A table of vectors has no counts, so a word at rank r counts as often as Zipf's law says: n / r times. Frequent
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
    """Word pieces from a file, one a line; the special entries of other libraries ("[CLS]", "[unused7]") stay out."""
    pieces = [line.strip() for line in read_lines(path, "file of word pieces")]
    pieces = [piece for piece in pieces if piece and not (piece.startswith("[") and piece.endswith("]"))]
    if not pieces:
        raise InputError(f"{path} holds no word pieces; it should have one a line.")
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
    """The pieces that cover the words most often."""
    units = MixedUnits(pieces, MixedUnitsConfig(input="subword"))
    used = Counter(unit for word in words for unit in units.ids(word) if unit >= len(SPECIALS))
    kept = {units.units[unit] for unit, _ in used.most_common(count)}
    return [piece for piece in pieces if piece in kept]


def stems(words: Sequence[str], language: str) -> list[str]:
    """The Snowball stem of each word; a word that would vanish stays as it is."""
    snowball = require("snowballstemmer", "Stemming")
    known = snowball.algorithms()
    if language not in known:
        raise UnknownNameError(f"There is no stemmer for {language!r}: {did_you_mean(language, known)}")
    found = snowball.stemmer(language).stemWords(list(words))
    return [stem or word for stem, word in zip(found, words, strict=True)]
