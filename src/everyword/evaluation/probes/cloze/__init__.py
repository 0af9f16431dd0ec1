"""Cloze questions about rare words, built from WordNet."""
