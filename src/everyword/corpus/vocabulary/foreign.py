"""Choose words of other languages that English words can translate.

A word gets the English words that a dictionary gives for it or for its lemma. Lemmas come from treebanks and lists of
inflected forms; from these, endings are learnt, so that forms that no list has find their lemma in the dictionary too.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from everyword.corpus.rows import read_rows
from everyword.corpus.text_file import read_text
from everyword.corpus.vocabulary.sources import VocabularySources, normal, read_frequencies

LANGUAGES = {
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "nl": "Dutch",
    "fi": "Finnish",
    "ru": "Russian",
    "cs": "Czech",
    "tr": "Turkish",
}
LETTERS = {"tr": (("İ", "i"), ("I", "ı")), "de": (("ß", "ss"),), "ru": (("ё", "е"), ("Ё", "Е"))}
"""What must be replaced before a word is written in small letters, or has two spellings."""
OTHER_LETTERS = frozenset("ßё")
"""Letters of spellings that frequency lists do not have; words with them are stored under both spellings."""
MOST_TRANSLATIONS = 6
SHORTEST_STEM = 3
LONGEST_ENDING = 6
ENDING_SEEN = 3
"""A change of ending must have been met in as many words."""
INFLECTED = 0.9
"""The weight of translations of a form's lemma, and of a lemma that was guessed by its ending."""
GUESSED = 0.7
TRAINED = 2.0
"""The weight of a pair of the bilingual training lists, which name the one best translation."""


class Translation(NamedTuple):
    """An English word or phrase with its weight; the weights of a word add up to 1."""

    english: str
    weight: float


@dataclass(frozen=True)
class ForeignWord:
    """A word of one or several other languages."""

    spelling: str
    languages: tuple[str, ...]
    zipf: float
    translations: tuple[Translation, ...]


def spelt(word: str, code: str) -> str:
    """Return a word as the frequency lists spell it: small letters of the language, ss for ß and е for ё.

    >>> spelt("İzmir", "tr"), spelt("Irak", "tr"), spelt("Straße", "de")
    ('izmir', 'ırak', 'strasse')
    """
    for letter, instead in LETTERS.get(code, ()):
        word = word.replace(letter, instead)
    return normal(word)


class Bilingual:
    """What is known of a language: frequencies, translations and lemmas."""

    def __init__(self, sources: VocabularySources, code: str) -> None:
        self.code = code
        listed = read_frequencies(sources.foreign / "freq" / f"{code}.tsv.gz")
        self.frequencies: dict[str, float] = {}
        for word, zipf in listed.items():
            self.frequencies.setdefault(spelt(word, code), zipf)
        self.variants = _read_variants(sources, code)
        self._tested = {word for pair in _xling(sources.foreign, code, "test") for word in pair}
        self._pairs, self.names = _read_pairs(sources.foreign, code, self._tested)
        self._lemmas = _read_lemmas(sources, code)
        self._endings = _learn_endings(self._lemmas)

    def translations(self, word: str) -> dict[str, float]:
        """Return English translations with their weights.

        There are none if the dictionary has neither word nor lemma, or if the word is in the bilingual test lists.
        """
        if word in self._tested:
            return {}
        weights: dict[str, float] = dict(self._pairs.get(word, {}))
        for lemma in self._lemmas.get(word, ()):
            for english, weight in self._pairs.get(lemma, {}).items():
                weights[english] = max(weights.get(english, 0), weight * INFLECTED)
        if not weights and (guess := self._guessed_lemma(word)):
            weights = {english: weight * GUESSED for english, weight in self._pairs[guess].items()}
        return weights

    def zipf(self, word: str) -> float:
        """Return how frequent a word is, in any of its spellings."""
        return self.frequencies[spelt(word, self.code)]

    def _guessed_lemma(self, word: str) -> str | None:
        """Return the lemma in the dictionary to which the most trusted change of ending leads."""
        for cut in range(max(SHORTEST_STEM, len(word) - LONGEST_ENDING), len(word) + 1):
            for instead, _ in self._endings.get(word[cut:], Counter()).most_common():
                if (lemma := word[:cut] + instead) in self._pairs:
                    return lemma
        return None


def read_bilingual(sources: VocabularySources) -> dict[str, Bilingual]:
    """Read all languages."""
    return {code: Bilingual(sources, code) for code in LANGUAGES}


def words_abroad(languages: Mapping[str, Bilingual], words: Collection[str]) -> dict[str, float]:
    """Return those of the words, no names, that can be translated, with their highest frequency in a language."""
    abroad: dict[str, float] = {}
    words = {word.replace("ß", "ss") for word in words}
    for language in languages.values():
        for word, zipf in language.frequencies.items():
            is_new = word in words and word not in language.names and zipf > abroad.get(word, 0)
            if is_new and language.translations(word):
                abroad[word] = zipf
    return abroad


def choose_foreign(
    languages: Mapping[str, Bilingual], english: Mapping[str, float], per_language: int
) -> list[ForeignWord]:
    """Return the most frequent words of each language that are not English words and have a translation.

    Args:
        languages: By their codes.
        english: The chosen words and phrases, which are neither chosen again nor missing in translations.
        per_language: The maximum number of words of each language.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    for code, language in languages.items():
        taken = 0
        for word in language.frequencies:
            if taken >= per_language:
                break
            spellings = [
                one for one in (word, *language.variants.get(word, ())) if one not in english and _is_spelt(one)
            ]
            if spellings and (known := _known(language.translations(word), english)):
                found.update((one, {**found.get(one, {}), code: known}) for one in spellings)
                taken += len(spellings)
    chosen = [_pooled(word, by_code, languages) for word, by_code in found.items()]
    return sorted(chosen, key=lambda word: (-word.zipf, word.spelling))


def _is_spelt(word: str) -> bool:
    return len(word) > 1 and all(part.isalpha() for part in word.replace("'", "-").split("-"))


def _known(weights: Mapping[str, float], english: Mapping[str, float]) -> dict[str, float]:
    """Return the translations that are known; the more frequent of two is the likelier meaning."""
    return {term: weight * max(english[term], 1) for term, weight in weights.items() if term in english}


def _pooled(word: str, by_code: Mapping[str, Mapping[str, float]], languages: Mapping[str, Bilingual]) -> ForeignWord:
    """Pool the translations of all languages that have a word; the language that uses it most counts most."""
    zipf = {code: languages[code].zipf(word) for code in by_code}
    most = max(zipf.values())
    pooled: dict[str, float] = defaultdict(float)
    for code, weights in by_code.items():
        share = 10 ** (zipf[code] - most) / sum(weights.values())
        for english, weight in weights.items():
            pooled[english] += share * weight
    best = sorted(pooled.items(), key=lambda item: (-item[1], item[0]))[:MOST_TRANSLATIONS]
    total = sum(weight for _, weight in best)
    translations = tuple(Translation(english, round(weight / total, 3)) for english, weight in best)
    return ForeignWord(word, tuple(sorted(by_code, key=lambda code: -zipf[code])), most, translations)


def _read_pairs(folder: Path, code: str, tested: Collection[str]) -> tuple[dict[str, dict[str, float]], set[str]]:
    """Return the English translations of words, without those of the bilingual test lists, and which are names."""
    path = folder / "dict" / "wiktionary" / f"en-{code}.tsv.gz"
    listed = [cells for _, cells in read_rows(path, "dictionary", ("english", "pos", "translation"))]
    pairs = Counter((normal(english), spelt(word, code)) for english, _, word in listed)
    parts = {(spelt(word, code), pos == "prop") for _, pos, word in listed}
    names = {word for word, is_name in parts if is_name and (word, False) not in parts}
    targets = Counter(english for english, _ in pairs)
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for (english, word), rows in pairs.items():
        # An English word with many translations says less about each of them.
        found[word][english] = math.sqrt(rows / targets[english])
    for english, word in _xling(folder, code, "train5k"):
        found[word][english] = max(found[word].get(english, 0), TRAINED)
    untested = {
        word: weights
        for word, all_weights in found.items()
        if word not in tested and (weights := {term: all_weights[term] for term in all_weights if term not in tested})
    }
    return untested, names


def _read_variants(sources: VocabularySources, code: str) -> dict[str, list[str]]:
    """Return spellings with ß or ё by those without, from the dictionary, treebanks and lists of forms."""
    path = sources.foreign / "dict" / "wiktionary" / f"en-{code}.tsv.gz"
    translated = (cells[2] for _, cells in read_rows(path, "dictionary", ("english", "pos", "translation")))
    forms = (*_treebank_forms(sources.foreign / "ud", code), *_listed_forms(sources.paradigms, code))
    written = Counter(normal(word) for word in (*translated, *(form for pair in forms for form in pair)))
    found: dict[str, list[str]] = defaultdict(list)
    for word, _ in written.most_common():
        if not OTHER_LETTERS.isdisjoint(word) and " " not in word and spelt(word, code) != word:
            found[spelt(word, code)].append(word)
    return dict(found)


def _xling(folder: Path, code: str, part: str) -> Iterator[tuple[str, str]]:
    path = folder / "dict" / "xling" / f"en-{code}" / f"{part}.tsv"
    if path.is_file():
        for _, (english, word) in read_rows(path, "bilingual list", ("source", "target")):
            yield normal(english), spelt(word, code)


def _read_lemmas(sources: VocabularySources, code: str) -> dict[str, list[str]]:
    """Return the lemmas of inflected forms in treebanks and lists of forms, the most frequent first."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in (*_treebank_forms(sources.foreign / "ud", code), *_listed_forms(sources.paradigms, code)):
        form, lemma = (spelt(word, code) for word in pair)
        if form != lemma:
            seen[form][lemma] += 1
    return {form: [lemma for lemma, _ in lemmas.most_common()] for form, lemmas in seen.items()}


def _treebank_forms(folder: Path, code: str) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob(f"{LANGUAGES[code]}-*/*.conllu.gz")):
        for line in read_text(path, "treebank"):
            cells = line.split("\t")
            if len(cells) == 10 and cells[0].isdigit() and cells[2] != "_" and cells[1].isalpha():
                yield cells[1], cells[2]


def _listed_forms(folder: Path, code: str) -> Iterator[tuple[str, str]]:
    path = folder / f"{LANGUAGES[code].lower()}.tsv.gz"
    if path.is_file():
        for _, (_, lemma, form, _) in read_rows(path, "list of forms", ("split", "lemma", "form", "features")):
            if " " not in form:
                yield form, lemma


def _learn_endings(lemmas: Mapping[str, Collection[str]]) -> dict[str, Counter[str]]:
    """Return endings of forms with the endings of their lemmas, by how many forms show the change."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for form, known in lemmas.items():
        for lemma in known:
            shared = 0
            while shared < min(len(form), len(lemma)) and form[shared] == lemma[shared]:
                shared += 1
            for cut in range(max(SHORTEST_STEM, shared - 2), shared + 1):
                if len(form) - cut <= LONGEST_ENDING:
                    seen[form[cut:]][lemma[cut:]] += 1
    common = {ending: Counter({to: n for to, n in found.items() if n >= ENDING_SEEN}) for ending, found in seen.items()}
    return {ending: found for ending, found in common.items() if found}
