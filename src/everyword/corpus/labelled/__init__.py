"""Labelled texts and tagged sentences: reading them, splitting them, and scoring tags."""
