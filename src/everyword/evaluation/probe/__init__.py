"""A cloze probe of rare words, built from WordNet: "A lingonberry is a ___"."""
