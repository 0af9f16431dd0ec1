"""Give the words of another language vectors in the space of an English model.

`config`, `lexicon` (dictionary, frequencies, the words that get vectors), `english` (the English side), `relatives`
(inflected forms and compounds by their spelling), `sources` (what each source says of a word), `combine` (how far each
is believed), `build` (all of it, to a table that a spelling model learns).
"""
