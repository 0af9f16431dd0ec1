"""What a model says about each word of a text, and the text with its misspellings put right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.explanation import Explanation, Source
from everyword.models.model import Model
from everyword.sentences.context.reader import LONGEST, SHORTEST, WORD
from everyword.sentences.context.stream import POSSESSIVE, items_of
from everyword.sentences.tokens import token_spans

LEAST_SHARE = 0.4
"""What a known word's share of an unknown one must be for it to be taken by spelling alone."""
LEAST_CONFIDENCE = 0.5
"""How sure the vector of the word must be then."""


@dataclass(frozen=True, eq=False)
class ReadToken:
    """A token of a text: where it stands, what it was read as, and its vector."""

    text: str
    begin: int
    end: int
    source: Source
    """Where the vector comes from."""
    confidence: float | None
    """How likely what it was read as is meant; of a token that is taken as it is written, that of its vector."""
    read_as: str | None
    """The word that was meant; None if it is the one that is written."""
    vector: FloatArray

    def to_dict(self) -> dict[str, Any]:
        """Return all but the vector as plain values, ready for JSON."""
        return {
            "text": self.text,
            "begin": self.begin,
            "end": self.end,
            "source": self.source.value,
            "confidence": self.confidence,
            "read_as": self.read_as,
        }


class Change(NamedTuple):
    """Another word in the place of one."""

    begin: int
    end: int
    word: str
    """In small letters, with the possessive ending that it had."""
    share: float


class Correction(NamedTuple):
    """A text put right."""

    corrected: str
    changes: list[Change]
    """By their places in the text as it was."""


def read(model: Model, text: str) -> list[ReadToken]:
    """Return the tokens of a text as they are read by their spelling and by the words around them."""
    spans = token_spans(checked(text))
    words = [span.text for span in spans]
    vectors, explanations = model.look_up(words)
    changes = {change.begin: change for change in next(_changes(model, [text], explanations))}
    changed = [index for index, span in enumerate(spans) if span.begin in changes]
    if changed:
        vectors[changed] = model.encode([changes[spans[index].begin].word for index in changed])
    tokens = []
    for span, explained, vector in zip(spans, explanations, vectors, strict=True):
        told = explained.source, explained.confidence, explained.read_as
        if change := changes.get(span.begin):
            told = Source.RETRIEVED, change.share, change.word
        tokens.append(ReadToken(span.text, span.begin, span.end, *told, vector))
    return tokens


def correct(model: Model, texts: Sequence[str], keep: Iterable[str] = ()) -> list[str]:
    """Return texts with other words in the place of those that were misspelt; all else stays as it was."""
    return [found.corrected for found in corrections(model, texts, keep)]


def corrections(model: Model, texts: Sequence[str], keep: Iterable[str] = ()) -> list[Correction]:
    """Return texts put right, with what was changed; words to keep are never changed."""
    if isinstance(keep, str):
        raise InputError(f"The words to keep must be a list of words. Got the text {keep!r:.40} instead.")
    kept = {checked(word).casefold() for word in keep}
    found = []
    for text, changes in zip(texts, _changes(model, [*map(checked, texts)]), strict=True):
        wanted = [change for change in changes if text[change.begin : change.end].casefold() not in kept]
        found.append(Correction("".join(_corrected(text, wanted)), wanted))
    return found


def checked(text: object) -> str:
    """Return a text; raise InputError for anything else."""
    if not isinstance(text, str):
        raise InputError(f"A text is needed. Got {text!r:.40}, of type {type(text).__name__}, instead.")
    return text


def _corrected(text: str, changes: Sequence[Change]) -> Iterator[str]:
    done = 0
    for begin, end, word, _ in changes:
        yield text[done:begin]
        yield written_like(word, text[begin:end])
        done = end
    yield text[done:]


def written_like(word: str, written: str) -> str:
    """Return a word with the capitals and the kind of apostrophe of another one.

    >>> written_like("doctor's", "Docter’s"), written_like("i'm", "im")
    ('Doctor’s', "I'm")
    """
    word = word.capitalize() if written[:1].isupper() or word == "i" or word.startswith("i'") else word
    return word.replace("'", "’") if "’" in written else word


def _changes(
    model: Model, texts: Sequence[str], explanations: Sequence[Explanation] | None = None
) -> Iterator[list[Change]]:
    """Yield the changes of each text; `explanations` are those of the tokens of a single one, if they are known."""
    if model.context_reader is None:
        for text in texts:
            yield list(_changes_by_spelling(model, text, explanations))
        return
    found: list[list[Change]] = [[] for _ in texts]
    for decision in model.context_reader.read(texts):
        if decision.meant:
            item = decision.item
            ending = POSSESSIVE if len(decision.stem) + len(POSSESSIVE) == len(item.text) else ""
            found[decision.text].append(Change(item.begin, item.end, decision.read_as + ending, decision.share))
    yield from found


def _changes_by_spelling(model: Model, text: str, explanations: Sequence[Explanation] | None) -> Iterator[Change]:
    """Yield the words that are most likely misspellings of others, whatever stands around them."""
    items = [item for item in items_of(text) if item.is_token]
    explanations = model.explain([item.text for item in items]) if explanations is None else explanations
    for item, explained in zip(items, explanations, strict=True):
        may_change = SHORTEST <= len(item.text) <= LONGEST and WORD.fullmatch(item.text) and item.text[1:].islower()
        if not may_change or explained.source != Source.RETRIEVED or not explained.candidates:
            continue
        best = explained.candidates[0]
        sure = explained.confidence is None or explained.confidence >= LEAST_CONFIDENCE
        if best.share >= LEAST_SHARE and sure and best.word.replace("'", "").isalpha():
            yield Change(item.begin, item.end, best.word, float(np.float32(best.share)))
