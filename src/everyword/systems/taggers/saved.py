"""A tagger in a folder, which knows where its vectors come from; tagging of plain texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword.corpus.labelled.bio import spans_of
from everyword.errors import InputError
from everyword.learning.sources import open_sources
from everyword.sentences.tokens import words_and_marks
from everyword.systems.taggers.tagger import SequenceTagger, read_tagger_file
from everyword.systems.taggers.train import TrainedTagger

WEIGHTS = "tagger.safetensors"
VECTORS = "vectors"


@dataclass(frozen=True)
class TaggedSpan:
    """A span of a text that tags mark, or a single tagged word."""

    text: str
    label: str
    begin: int
    end: int
    """It is `text[begin:end]` of the whole text."""
    confidence: float
    """The lowest probability of its tags."""


@dataclass(frozen=True)
class TaggedText:
    """A text with its tags."""

    text: str
    tokens: list[str]
    tags: list[str]
    confidences: list[float]
    spans: list[TaggedSpan]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "tags": self.tags,
            "confidences": [round(one, 4) for one in self.confidences],
            "spans": [{**vars(span), "confidence": round(span.confidence, 4)} for span in self.spans],
        }


def save_tagger(trained: TrainedTagger, folder: Path, vectors: Sequence[str], **notes: Any) -> None:
    """Save a tagger to a folder.

    Args:
        trained: What training gave.
        folder: Where it goes; made if it is not there.
        vectors: The sources as `open_sources` finds them again.
        **notes: What else is to be told, as plain values.
    """
    folder.mkdir(parents=True, exist_ok=True)
    told = {VECTORS: list(vectors), "dev": round(trained.dev, 4), "epoch": trained.epoch, **notes}
    trained.tagger.save(folder / WEIGHTS, told)


def load_tagger(folder: Path, device: str = "cpu", vectors: Sequence[str] | None = None) -> SequenceTagger:
    """Load a tagger that `save_tagger` saved.

    Args:
        folder: The folder.
        device: Where it runs.
        vectors: Where the sources are now, if not where they were.
    """
    path = folder / WEIGHTS
    if not path.is_file():
        raise InputError(f"There is no tagger in {folder}: it has no {WEIGHTS}.")
    _, record = read_tagger_file(path)
    given = vectors if vectors is not None else record["notes"].get(VECTORS, [])
    return SequenceTagger.load(path, open_sources(given), device)


def tag_texts(tagger: SequenceTagger, texts: Sequence[str]) -> list[TaggedText]:
    """Tag plain texts, of which words and punctuation marks are the tokens.

    Args:
        tagger: A trained tagger.
        texts: The texts; an empty one has no tokens.
    """
    found = [words_and_marks(text) for text in texts]
    tagged = tagger.tag_with_confidence([[token.text for token in tokens] for tokens in found])
    done = []
    for text, tokens, (tags, confidences) in zip(texts, found, tagged, strict=True):
        if tagger.scheme == "bio":
            marked = sorted(spans_of(tags))
        else:
            marked = [(place, place + 1, tag) for place, tag in enumerate(tags)]
        spans = [
            TaggedSpan(
                text[tokens[first].begin : tokens[last - 1].end],
                label,
                tokens[first].begin,
                tokens[last - 1].end,
                min(confidences[first:last]),
            )
            for first, last, label in marked
        ]
        done.append(TaggedText(text, [token.text for token in tokens], tags, confidences, spans))
    return done
