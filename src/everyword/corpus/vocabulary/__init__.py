"""Which words, phrases and foreign words a model stores, chosen from named sources.

Read in order: `informal` (spellings that people choose on purpose), `sources` (what is read), `corpus_counts` (words
and phrases of a corpus, counted in one reading), `function_words`, `inflections` (forms and lemmas), `words`, `phrases`
and `foreign` (what is chosen), `definitions` (what dictionaries say about it), `build` (everything in one go, and the
files).
"""
