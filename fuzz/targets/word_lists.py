"""Lists of words in columns: dictionaries of two languages, frequencies, synonyms, and tables of scores."""

from everyword.cli.by_resource import read_scores
from everyword.evaluation.probes.word_properties import read_frequencies as read_zipf
from everyword.space.alignment.pairs import read_dictionary as read_pairs
from everyword.systems.language.lexicon import read_dictionary, read_frequencies, read_judging
from everyword.systems.spelling.related_words import read_synonym_pairs
from fuzz.targets.common import read_file

READERS = (
    read_pairs,
    lambda path: read_dictionary(path, str.lower, str.lower, {"der"}),
    lambda path: read_judging([path], str.lower),
    lambda path: read_frequencies(path, str.lower),
    read_zipf,
    read_synonym_pairs,
    read_scores,
)


def read(data: bytes) -> None:
    """Read a file."""
    read_file(data, "x.tsv", *READERS)
