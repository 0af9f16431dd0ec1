"""Baselines of the contextual skip-gram, on the same sentences and for the same words."""
