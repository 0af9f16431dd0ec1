"""Readers of dictionaries in their own formats; none of them needs a download.

Read in order: `wordnet` (senses, glosses, relations, irregular forms), `attributes` (lexicons of attributes, such as
supersenses and hypernyms), `gcide` (Webster's definitions in the format of dictd), `spelling_lists` (SCOWL and
Hunspell: which spellings are words).
"""
