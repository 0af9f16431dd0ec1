"""Words read by what stands around them: misspellings with several readings, and words that are other words misspelt.

Read in order: `stream` cuts a text into words and marks; `ngram_table` has the counts of pairs and triples of words;
`candidates` has the words that another one may be a misspelling of; `features` says how well each fits its place and
its spelling; `scorer` weighs that; `reader` decides; `saved` keeps what it needs in a model's folder; `read` has what
a model answers.
"""
