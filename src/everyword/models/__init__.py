"""Saved folder → vectors, without torch.

Read in order: `load` finds a model and reads its folder (`saved/`); `model` answers every question about words (asked
as `terms` says). `known` holds the words with vectors: `word_list` their letters, `word_index` their rows; their
matrix is one of `vectors.storage`. An unknown word is compared with known words of similar spelling (`retrieval/`),
and `blend/` weighs these and the vector of `form_encoder`, which runs a pass of `forward/`. A token that is no single
word (a number, an emoji, a phrase, another script) is read as known words by `readings/`.
`saving` writes a model; `texts` has what it says about texts, whose weights are a `part` in a file of their own.
`explanation` says where a vector comes from, `unit_weights` what letters and units contribute. `adapt/` makes models
for a table of one's own; `pruned` leaves out small weights; `unknown` has the baselines for words that a table lacks.
"""
