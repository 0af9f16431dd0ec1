"""Tokens that are not stored as they stand: read as known words, and made from them."""
