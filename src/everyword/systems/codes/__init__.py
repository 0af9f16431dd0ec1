"""Discrete codes: a speaker and a listener agree on messages of some bits for strings of concepts."""
