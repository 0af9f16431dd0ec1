"""Build the probe: relations from WordNet, frequency bands from corpus counts, and a sample of each cell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated

from everyword import registry
from everyword.config import Count, Range
from everyword.corpus.lexicons.wordnet import WordNet
from everyword.evaluation.probes.cloze.entries import BANDS, Entry
from everyword.evaluation.probes.cloze.wordnet import Targets, antonyms, cohyponyms, hypernyms, is_plain, plain_words
from everyword.text.corruption import TYPOS

TRIES = 5
"""How often another misspelling of a word is drawn if one is itself a word."""


@dataclass(frozen=True)
class ProbeConfig:
    """The thresholds of the probe."""

    medium_from: Count = 10
    """Keywords with fewer occurrences in the corpus are rare."""
    frequent_from: Count = 100
    """Keywords with fewer occurrences are medium, others frequent."""
    target_count: int = 100
    """The minimum number of occurrences of targets."""
    senses: Count = 2
    """The number of senses of a keyword whose antonyms and hypernyms count."""
    steps: Count = 3
    """The maximum distance of a hypernym."""
    min_depth: int = 5
    """The minimum depth of hypernyms; higher ones are too general (entity, object, thing)."""
    most_targets: Count = 50
    """The maximum number of targets per keyword; the most frequent are kept."""
    shortest_corrupted: int = 5
    """The minimum number of letters of words that are misspelt."""
    per_cell: Count = 500
    """The maximum number of entries per relation and band."""
    dev_share: Annotated[float, Range(0, 1, open_high=True)] = 0.1
    seed: int = 0

    def problems(self) -> list[str]:
        if self.medium_from < self.frequent_from:
            return []
        return [f"medium_from must be below frequent_from, {self.frequent_from}. Got {self.medium_from} instead"]


def build_probe(
    wordnet: WordNet, counts: Mapping[str, int], config: ProbeConfig, targets: Collection[str] | None = None
) -> list[Entry]:
    """Return all entries, by relation, band and keyword; with `targets`, only those words are answers."""
    allowed = {
        word for word, count in counts.items() if count >= config.target_count and (targets is None or word in targets)
    }
    found = {
        "antonym": antonyms(wordnet, config.senses),
        "hypernym": hypernyms(wordnet, config.senses, config.steps, config.min_depth),
        "cohyponym": cohyponyms(wordnet),
        "corruption": _misspellings(wordnet, counts, allowed, config),
    }
    entries: list[Entry] = []
    for relation, pairs in found.items():
        answerable = _answerable(pairs, counts, allowed, None if relation == "corruption" else config)
        entries += _sampled(relation, answerable, counts, config)
    return entries


def band_of(count: int, config: ProbeConfig) -> str:
    """Return the frequency band of a keyword.

    >>> [band_of(count, ProbeConfig()) for count in (0, 9, 10, 99, 100)]
    ['rare', 'rare', 'medium', 'medium', 'frequent']
    """
    return BANDS[(count >= config.medium_from) + (count >= config.frequent_from)]


def _answerable(
    pairs: Targets, counts: Mapping[str, int], allowed: Collection[str], config: ProbeConfig | None
) -> dict[str, list[str]]:
    """Return keywords with their allowed targets, most frequent first; no target may share a stem with its keyword."""
    listed = [(word, [one for one in plain_words(met) if one in allowed]) for word, met in pairs]
    listed = [(word, met) for word, met in listed if met]
    if config is None:  # a misspelling may well keep the stem
        return dict(listed)
    stem_of = _stems([word for word, met in listed for word in (word, *met)])
    kept = {}
    for word, met in listed:
        others = sorted((one for one in met if stem_of[one] != stem_of[word]), key=lambda one: -counts[one])
        if others:
            kept[word] = others[: config.most_targets]
    return kept


def _stems(words: Sequence[str]) -> dict[str, str]:
    from everyword.text.vocabulary import stems

    unique = list(dict.fromkeys(words))
    return dict(zip(unique, stems(unique, "english"), strict=True))


def _sampled(
    relation: str, kept: Mapping[str, Sequence[str]], counts: Mapping[str, int], config: ProbeConfig
) -> Iterator[Entry]:
    for band in BANDS:
        keywords = sorted(word for word in kept if band_of(counts.get(word, 0), config) == band)
        Random(f"{config.seed}/{relation}/{band}").shuffle(keywords)
        for word in sorted(keywords[: config.per_cell]):
            yield Entry(_split(word, config), relation, band, word, counts.get(word, 0), tuple(kept[word]))


def _split(keyword: str, config: ProbeConfig) -> str:
    """Decide by the word alone, so that no word is in dev by one relation and in test by another."""
    return "dev" if Random(f"{config.seed}/{keyword}").random() < config.dev_share else "test"


def _misspellings(
    wordnet: WordNet, counts: Mapping[str, int], allowed: Collection[str], config: ProbeConfig
) -> Targets:
    """Yield frequent words with one error, if the result is not a word and is rare."""
    kinds = [registry.corruptions.get(name) for name in TYPOS]
    for word in sorted(allowed):
        if len(word) < config.shortest_corrupted or not is_plain(word):
            continue
        rng = Random(f"{config.seed}/{word}")
        drawn = (rng.choice(kinds)(word, rng) for _ in range(TRIES))
        wrong = next((one for one in drawn if _is_not_a_word(one, word, wordnet, counts, config)), None)
        if wrong is not None:
            yield wrong, [word]


def _is_not_a_word(one: str, word: str, wordnet: WordNet, counts: Mapping[str, int], config: ProbeConfig) -> bool:
    return one != word and one not in wordnet and counts.get(one, 0) < config.medium_from
