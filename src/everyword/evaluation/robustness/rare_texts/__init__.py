"""Texts rewritten so that their label depends on a rare word, and scores on them."""
