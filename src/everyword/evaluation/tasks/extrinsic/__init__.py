"""Tasks that train a tagger or a classifier on top of word vectors."""
