"""Build the probe: relations from WordNet, bands from counts in a corpus, a balanced sample of each cell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from everyword import registry
from everyword.evaluation.probes.cloze import relations
from everyword.evaluation.probes.cloze.counts import frequent
from everyword.evaluation.probes.cloze.entries import BANDS, Entry
from everyword.evaluation.probes.cloze.wordnet import WordNet
from everyword.text.corruption import TYPOS

TRIES = 5
"""How often another misspelling of a word is drawn, if one is a word itself."""


@dataclass(frozen=True)
class ProbeConfig:
    """The thresholds of the probe."""

    medium_from: int = 10
    """Keywords that stand less often in the corpus are rare."""
    frequent_from: int = 100
    """Keywords that stand less often are medium, others frequent."""
    target_count: int = 100
    """Targets stand at least so often."""
    senses: int = 2
    """Senses of a keyword whose antonyms and hypernyms count."""
    steps: int = 3
    """How far up a hypernym may lie."""
    min_depth: int = 5
    """Hypernyms nearer to the top of the hierarchy say too little (entity, object, thing)."""
    most_targets: int = 50
    """Targets of a keyword at most, the most frequent."""
    shortest_corrupted: int = 5
    """Words with fewer letters are not misspelt."""
    per_cell: int = 500
    """At most so many entries of each relation and band."""
    dev_share: float = 0.1
    seed: int = 0

    def problems(self) -> list[str]:
        """Values that cannot be."""
        wrong = []
        if not 0 < self.medium_from < self.frequent_from:
            wrong.append(f"medium_from must lie between 0 and frequent_from. Got {self.medium_from} instead")
        least = {
            "senses": self.senses,
            "steps": self.steps,
            "most_targets": self.most_targets,
            "per_cell": self.per_cell,
        }
        wrong += [f"{name} must be 1 or more. Got {value} instead" for name, value in least.items() if value < 1]
        if not 0 <= self.dev_share < 1:
            wrong.append(f"dev_share must be at least 0 and less than 1. Got {self.dev_share:g} instead")
        return wrong


def build_probe(
    wordnet: WordNet, counts: Mapping[str, int], config: ProbeConfig, targets: Collection[str] | None = None
) -> list[Entry]:
    """All entries, by relation, band and keyword; with `targets`, only those words are answers."""
    allowed = {word for word in frequent(counts, config.target_count) if targets is None or word in targets}
    found = {
        "antonym": relations.antonyms(wordnet, config.senses),
        "hypernym": relations.hypernyms(wordnet, config.senses, config.steps, config.min_depth),
        "cohyponym": relations.cohyponyms(wordnet),
        "corruption": _misspellings(wordnet, counts, allowed, config),
    }
    entries: list[Entry] = []
    for relation, pairs in found.items():
        kept = _answerable(pairs, counts, allowed, None if relation == "corruption" else config)
        entries += _sampled(relation, kept, counts, config)
    return entries


def band_of(count: int, config: ProbeConfig) -> str:
    """How frequent a keyword is.

    >>> [band_of(count, ProbeConfig()) for count in (0, 9, 10, 99, 100)]
    ['rare', 'rare', 'medium', 'medium', 'frequent']
    """
    return BANDS[(count >= config.medium_from) + (count >= config.frequent_from)]


def _answerable(
    pairs: relations.Found, counts: Mapping[str, int], allowed: Collection[str], config: ProbeConfig | None
) -> dict[str, list[str]]:
    """Keywords with the targets that are allowed, the most frequent first; none may share a stem with its keyword."""
    listed = [(word, [one for one in relations.plain_words(met) if one in allowed]) for word, met in pairs]
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
    """By the word alone, so that no word is in dev by one relation and in test by another."""
    return "dev" if Random(f"{config.seed}/{keyword}").random() < config.dev_share else "test"


def _misspellings(
    wordnet: WordNet, counts: Mapping[str, int], allowed: Collection[str], config: ProbeConfig
) -> relations.Found:
    """One error in a frequent word, if what comes out is no word and rare."""
    kinds = [registry.corruptions.get(name) for name in TYPOS]
    for word in sorted(allowed):
        if len(word) < config.shortest_corrupted or not relations.is_plain(word):
            continue
        rng = Random(f"{config.seed}/{word}")
        drawn = (rng.choice(kinds)(word, rng) for _ in range(TRIES))
        wrong = next((one for one in drawn if _is_no_word(one, word, wordnet, counts, config)), None)
        if wrong is not None:
            yield wrong, [word]


def _is_no_word(one: str, word: str, wordnet: WordNet, counts: Mapping[str, int], config: ProbeConfig) -> bool:
    return one != word and one not in wordnet and counts.get(one, 0) < config.medium_from
