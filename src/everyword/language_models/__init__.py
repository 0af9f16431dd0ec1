"""Load transformer language models and extract vectors of words from them.

Read in order: `language_model`, with `pieces` (texts → pieces), `pooling` (pieces → one vector), `text_vectors` (whole
texts), `heads` (models that predict masked words, classify texts or tag words), `fine_tuning` (of classifiers),
`token_tuning` (of taggers) and `teachers` (what classifiers say of texts). The methods of `everyword extract` follow:
`templates` (bare words and templates), `input_embeddings`, `one_token`, and `corpus_pooling` with `mentions` for words
in a corpus. `attributes` adds what a lexicon knows of words to a model that is trained, and `attribute_vectors` gives
vectors to the words of that lexicon.
"""
