"""Probes: what a model knows, asked without training it."""
