"""Vectors of texts and of their parts: `study`, the `text_sources` it compares, and a trained `word_average`."""
