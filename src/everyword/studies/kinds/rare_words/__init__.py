"""Rare words in a language model: `study` (the schema), `run`, the `models` of vectors, their `training` data."""
