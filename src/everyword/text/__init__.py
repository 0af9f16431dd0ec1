"""Words as text: normalised, cut into units, misspelt.

Read in order: `normalise` with `languages` and `scripts`, `tokens` (what kind of token it is) with `numbers`,
`quantities`, `symbols` and `meanings`, `units` (the interface), `mixed` with `wordpiece` and `vocabulary`, `ngrams`
with `ngram_index`, `hashing`, `corruption`, `word_pattern`.
"""
