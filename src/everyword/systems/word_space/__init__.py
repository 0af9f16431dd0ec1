"""Build a space of word vectors from a sentence encoder, its corpus, dictionary definitions, tables and relations.

`config`, `lexicon` (the words and what dictionaries know of them), `sources` (vectors of each word from each source),
`combine` (one space of all sources), `tuning` (synonyms closer, look-alikes apart), `build` (stage by stage).
"""
