"""Attributes of words in a causal language model: `study`, `run`, then `models`, `texts` and `measures`."""
