"""WordNet's own files: the data of nouns, their index, irregular forms and counts, with zero bytes between them."""

from pathlib import Path

from everyword.corpus.lexicons.attributes import wordnet_lexicon
from everyword.corpus.lexicons.wordnet import NOUN, WordNet, read_exceptions, sense_counts
from fuzz.targets.common import read_folder

FILES = ("data.noun", "index.noun", "noun.exc", "cntlist.rev")


def _look_up(folder: Path) -> None:
    wordnet = WordNet(folder, [NOUN])
    wordnet_lexicon(wordnet)
    for lemma in wordnet.lemmas(NOUN):
        for synset in wordnet.senses(lemma, NOUN):
            wordnet.depth(synset)


def read(data: bytes) -> None:
    """Read a folder and follow the senses up."""
    files = dict(zip(FILES, [*data.split(b"\0"), b"", b"", b""], strict=False))
    read_folder(files, _look_up, read_exceptions, sense_counts)
