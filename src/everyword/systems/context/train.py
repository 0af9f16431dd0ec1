"""The context part of a model from a corpus: count, put errors into held-out sentences, train, choose thresholds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple

from everyword.corpus.codespell_split import CANDIDATES, Pair, load_split
from everyword.corpus.human_misspellings import load_human_misspellings
from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.models.saved.parts import write_part
from everyword.sentences.context.features import Counts
from everyword.sentences.context.reader import ContextReader, Thresholds
from everyword.sentences.context.saved import PART, described, tensors_of
from everyword.sentences.context.scorer import Scorer
from everyword.sentences.context.stream import Numbering
from everyword.systems.context.cases import Case, ErrorMaker, spoilt_texts
from everyword.systems.context.config import ContextConfig
from everyword.systems.context.counting import Counter
from everyword.systems.context.training import Examples, chosen_thresholds, examples_of, train_scorer

STYLE_HELD_OUT = 20
FEWEST = 100
"""Held-out sentences without which nothing can be learnt."""

Report = Callable[[str], None]


class Sources(NamedTuple):
    """What a context part is made from."""

    corpus: Sequence[Path]
    """Text, a sentence or a paragraph per line."""
    style: Sequence[Path] = ()
    """Text like that to be corrected."""
    misspellings: Path | None = None
    """Misspellings with the right words, without those that judge."""
    human_misspellings: Path | None = None

    def pairs(self, model: Model) -> list[Pair]:
        """Return the misspellings for training."""
        found = list[Pair]()
        if self.misspellings is not None:
            found += load_split(self.misspellings, model.known_words.words[:CANDIDATES]).training
        if self.human_misspellings is not None:
            found += load_human_misspellings(self.human_misspellings)
        return found


class HeldOut:
    """Passes lines on, all but some, which are kept."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def all_but_last(self, lines: Iterable[str], count: int) -> Iterator[str]:
        """Yield all lines but the last ones, at most a tenth of all."""
        waiting = deque[str]()
        passed = 0
        for line in lines:
            waiting.append(line)
            if len(waiting) > min(count, passed // 9):
                passed += 1
                yield waiting.popleft()
        self.lines += waiting

    def all_but_every(self, lines: Iterable[str], nth: int) -> Iterator[str]:
        """Yield all lines but one in so many."""
        for number, line in enumerate(lines, start=1):
            if number % nth:
                yield line
            else:
                self.lines.append(line)


def count_corpus(
    numbering: Numbering, sources: Sources, config: ContextConfig, report: Report
) -> tuple[Counts, list[str], list[str]]:
    """Return what was counted, and the sentences of corpus and style that were held out."""
    counter, held_out, style_held_out = Counter(numbering, config), HeldOut(), HeldOut()
    style, corpus = _lines(sources.style), _lines(sources.corpus)
    words = counter.count(style_held_out.all_but_every(style, STYLE_HELD_OUT), config.style_weight)
    words += counter.count(held_out.all_but_last(corpus, config.held_out))
    if len(held_out.lines) < FEWEST:
        raise InputError(f"The corpus must have {10 * FEWEST:,} sentences or more, one per line.")
    counts = counter.result()
    report(f"Counted {words:,} words and marks; kept {len(counts.ngrams):,} n-grams.")
    return counts, held_out.lines, style_held_out.lines


def _lines(files: Sequence[Path]) -> Iterator[str]:
    return (line for line in chain.from_iterable(read_text(file, "text file") for file in files) if line.strip())


def train_reader(
    model: Model,
    counts: Counts,
    held_out: Sequence[list[str]],
    pairs: Sequence[Pair],
    *,
    config: ContextConfig,
    report: Report,
) -> ContextReader:
    """Train the networks of a reader on held-out sentences of corpus and style, and choose its thresholds."""
    rng, numbering = Random(config.seed), Numbering(model.known_words, model.normalise)
    reader = ContextReader(model, counts, (Scorer.untrained(), Scorer.untrained()), Thresholds(), numbering)
    corpus, style = (rng.sample(lines, len(lines)) for lines in held_out)
    judging = _taken(corpus, config.judging_texts)
    clean = _taken(corpus, config.clean_texts // 2) + _taken(style, config.clean_texts // 2)
    maker = ErrorMaker(pairs, numbering, reader.candidates, rng)
    spoilt = spoilt_texts(maker, corpus[: config.texts // 2] + style[: config.texts // 2])
    wrong = examples_of(reader, spoilt, wrong_words=True)
    right = examples_of(reader, [Case(text, {}) for text in clean], wrong_words=False)
    more = examples_of(reader, [Case(text, {}) for text in corpus], wrong_words=False, stored_words=False)[1]
    report(f"Put {wrong[0].words:,} words in the place of others, and {wrong[1].words:,} misspellings.")
    reader.known_scorer = train_scorer(Examples.joined([wrong[0], right[0]]), config)
    reader.unknown_scorer = train_scorer(Examples.joined([wrong[1], right[1], more]), config)
    reader.thresholds = chosen_thresholds(reader, judging, config)
    return reader


def _taken(lines: list[str], count: int) -> list[str]:
    """Take some lines away, at most a third of all, and return them."""
    count = min(count, len(lines) // 3)
    taken = lines[:count]
    del lines[:count]
    return taken


def train_context(model: Model, sources: Sources, config: ContextConfig, report: Report) -> ContextReader:
    """Return a reader for a model, made from text files."""
    counts, *held_out = count_corpus(Numbering(model.known_words, model.normalise), sources, config, report)
    return train_reader(model, counts, held_out, sources.pairs(model), config=config, report=report)


def save_context(model: Model, reader: ContextReader, folder: Path, config: ContextConfig) -> None:
    """Save a model with its reader."""
    model.save_pretrained(folder)
    write_part(folder, PART, tensors_of(reader, config.reach), described(reader))
