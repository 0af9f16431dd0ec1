"""Searches for bytes that everyword's readers do not answer with a value or a sentence."""
