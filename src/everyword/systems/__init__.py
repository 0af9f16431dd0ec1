"""Trainable systems, one folder per family of papers; no system imports another."""
