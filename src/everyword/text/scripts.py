"""Characters as the letters a to z: compatible forms, accents, special letters, other alphabets."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_PUNCTUATION = str.maketrans(
    dict.fromkeys("‘’‛ʼʹ′´＇ˈʻʿʾ", "'") | dict.fromkeys("‐‑‒–—―−﹘﹣－", "-") | {"⁄": "/", "∕": "/", "“": '"', "”": '"'}
)
_POWER = re.compile(r"(?<=\d)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_MIXED_NUMBER = re.compile(r"(?<=\d)(?=[¼½¾⅐-⅞])")

_SPECIAL_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "ǽ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "þ": "th", "ð": "d", "ı": "i", "ħ": "h"}
    | {"ŋ": "ng", "ĸ": "k", "ŧ": "t", "ə": "e"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})

_ALPHABETS_TEXT = """
а a б b в v г g д d е e ё yo ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch
ъ . ы y ь . э e ю yu я ya і i ї yi є ye ґ g ў u ј j љ lj њ nj ћ c ђ dj џ dz ѓ gj ќ kj ѕ dz ә a ғ g қ k ң n ө o ұ u
ү u һ h α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o א a
ב b ג g ד d ה h ו v ז z ח h ט t י y כ k ך k ל l מ m ם m נ n ן n ס s ע a פ p ף p צ ts ץ ts ק k ר r ש sh ת t ا a أ a
إ i آ a ب b ت t ث th ج j ح h خ kh د d ذ dh ر r ز z س s ش sh ص s ض d ط t ظ z ع a غ gh ف f ق q ك k ل l م m ن n ه h و w
ي y ة a ى a ء . ئ y ؤ w پ p چ ch ژ zh گ g ک k ی y
"""
_ALPHABETS = _ALPHABETS_TEXT.split()
LETTERS = {letter: sound.strip(".") for letter, sound in zip(_ALPHABETS[::2], _ALPHABETS[1::2], strict=True)}
LATIN_ENDS = "\u0250"
"""Letters before this one are Latin, with or without accents."""
_NAMED = re.compile(r"(?:LETTER|SYLLABLE|CHARACTER|LIGATURE|VOWEL SIGN) (?:SMALL |FINAL )?([A-Z]+)")
_SYLLABIC = re.compile(
    "HIRAGANA|KATAKANA|HANGUL|ETHIOPIC|CHEROKEE|YI |CANADIAN|DEVANAGARI|BENGALI|TAMIL|TELUGU|KANNADA|MALAYALAM|"
    "GUJARATI|GURMUKHI|ORIYA|SINHALA|KHMER|MYANMAR|TIBETAN|LAO"
)
_JAPANESE = {"si": "shi", "ti": "chi", "tu": "tsu", "hu": "fu", "zi": "ji"}


def compatible(word: str) -> str:
    """Return a word in compatible characters (NFKC), with plain apostrophes and hyphens.

    >>> compatible("ﬁnance"), compatible("don’t"), compatible("10²"), compatible("2½")
    ('finance', "don't", '10^2', '2 1/2')
    """
    if word.isascii():
        return word
    word = _MIXED_NUMBER.sub(" ", _POWER.sub(r"^\1", word.translate(_PUNCTUATION)))
    return unicodedata.normalize("NFKC", word).translate(_PUNCTUATION)


def folded(word: str) -> str:
    """Return a lower-case word without accents and special letters of Latin alphabets.

    >>> folded("straße"), folded("łódź"), folded("encyclopædia"), folded("й")
    ('strasse', 'lodz', 'encyclopaedia', 'й')
    """
    if word.isascii():
        return word
    plain: list[str] = []
    for character in unicodedata.normalize("NFD", word.translate(_SPECIAL_LETTERS)):
        if unicodedata.category(character) != "Mn" or not (plain and plain[-1] < "\u0250"):
            plain.append(character)
    return unicodedata.normalize("NFC", "".join(plain))


def spelt_out(word: str) -> str:
    """Return a lower-case word with umlauts as two letters, as Germans write them on foreign keyboards.

    >>> spelt_out("müller")
    'mueller'
    """
    return folded(word.translate(_UMLAUTS))


def in_other_letters(word: str, other: str) -> bool:
    """Return whether one of two words is in Latin letters only and the other one in letters of other alphabets only.

    >>> in_other_letters("москва", "moskau"), in_other_letters("straße", "strasse"), in_other_letters("банban", "ban")
    (True, False, False)
    """
    if word.isascii() and other.isascii():
        return False
    latin = [{letter < LATIN_ENDS for letter in text if letter.isalpha()} for text in (word, other)]
    return latin in ([{True}, {False}], [{False}, {True}])


@lru_cache(maxsize=4096)
def _sound(character: str) -> str | None:
    """Return the Latin letters of one character; None for one without a sound of its own."""
    if character.isascii() or character in LETTERS:
        return LETTERS.get(character, character)
    base = unicodedata.normalize("NFD", character)[0]
    if base in LETTERS:
        return LETTERS[base]
    name = unicodedata.name(character, "")
    found = _NAMED.search(name)
    if found is None:
        return None
    sound = found[1].lower()
    return _JAPANESE.get(sound, sound) if _SYLLABIC.match(name) else sound[0]


def transliterated(word: str) -> tuple[str, float]:
    """Return a word of another script in Latin letters, and what share of its letters could be read.

    Alphabets are spelt out by hand; syllables and other letters have the sound that their Unicode name tells.

    >>> transliterated("собака"), transliterated("ひらがな"), transliterated("नमस्ते")
    (('sobaka', 1.0), ('hiragana', 1.0), ('namaste', 1.0))
    """
    latin, read, letters = "", 0, 0
    for character in folded(word.lower()):
        name = "" if character.isascii() else unicodedata.name(character, "")
        if "VOWEL SIGN" in name or "VIRAMA" in name:  # they replace the vowel that a letter of India has in it
            latin = latin.removesuffix("a")
        elif character.isalpha():
            letters += 1
        sound = None if "VIRAMA" in name else _sound(character)
        if sound is not None:
            latin += sound
            read += character.isalpha()
    return latin, read / letters if letters else 0.0
