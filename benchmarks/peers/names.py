"""The contenders as saved results name them."""

from __future__ import annotations

USER, FORM = "everyword, as a user gets it", "everyword, form only"
TEACHER = "the merged teacher"
NEW, MISSPELT = "new words", "misspellings"
FASTTEXT, FLORET, MODEL2VEC = "fastText", "floret", "model2vec"
SYMSPELL, RAPIDFUZZ = "symspell", "rapidfuzz"
LOOK_UP = "a table's look-up"
VECTORS = (FASTTEXT, FLORET, MODEL2VEC)
"""The peers that give every word a vector."""
PEERS = (*VECTORS, SYMSPELL, RAPIDFUZZ)
