"""Informal spellings that people choose on purpose: contractions without their apostrophe, and -in for -ing.

They are words with the meaning of their normal form ("thats", "goin"), unlike misspellings ("teh", "alot").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

FREQUENT_ZIPF = 3.3
"""A form must be as frequent as this to be one that people choose."""
EVERYDAY = 70
"""SCOWL's size below which a spelling is another word already: "well" is not "we'll"."""
RARER = 0.3
"""How much rarer than its normal form, on the Zipf scale, an informal form is at least."""
SHORTEST_VERB = 2

CONTRACTIONS = (
    *("ain't", "aren't", "can't", "couldn't", "didn't", "doesn't", "don't", "hadn't", "hasn't", "haven't", "isn't"),
    *("mustn't", "needn't", "shouldn't", "wasn't", "weren't", "won't", "wouldn't", "shan't", "mightn't"),
    *("i'm", "you're", "we're", "they're", "i've", "you've", "we've", "they've", "would've", "could've", "should've"),
    *("might've", "must've", "i'll", "you'll", "she'll", "they'll", "it'll", "that'll", "there'll", "who'll"),
    *("i'd", "you'd", "he'd", "they'd", "it'd", "that'd", "he's", "she's", "that's", "what's", "who's", "where's"),
    *("there's", "here's", "how's", "when's", "why's", "let's", "everyone's", "somebody's", "y'all", "c'mon", "ma'am"),
)


def informal_forms(frequencies: Mapping[str, float], sizes: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield frequent informal spellings that are no other word, with their normal forms.

    Args:
        frequencies: Words with their Zipf frequencies.
        sizes: Words of SCOWL with the smallest list that has them.

    >>> dict(informal_forms({"thats": 4.5, "well": 6.0, "goin": 3.9, "going": 6.2}, {"well": 10, "going": 10}))
    {'thats': "that's", 'goin': 'going'}
    """
    for contraction in CONTRACTIONS:
        form = contraction.replace("'", "")
        if sizes.get(form, 95) >= EVERYDAY and frequencies.get(form, 0) >= FREQUENT_ZIPF:
            yield form, contraction
    for form, zipf in frequencies.items():
        if not form.endswith("in") or len(form) < SHORTEST_VERB + 2 or zipf < FREQUENT_ZIPF:
            continue
        normal = f"{form}g"
        is_verb = sizes.get(normal, 95) < EVERYDAY and frequencies.get(normal, 0) >= zipf + RARER
        if is_verb and form not in sizes:
            yield form, normal
