"""Robustness: scores under misspellings and with rare words."""
