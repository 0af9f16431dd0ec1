"""Words as text: normalised, cut into units, misspelt.

Read in order: `normalise`, `units` (the interface), `mixed` with `wordpiece` and `vocabulary`, `ngrams` with
`ngram_index`, `hashing`, `corruption`, `word_pattern`.
"""
