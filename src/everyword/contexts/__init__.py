"""Sentences in which words stand: found in a corpus, kept in a folder, read again."""
