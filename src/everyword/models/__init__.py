"""Saved folder → vectors, without torch."""
