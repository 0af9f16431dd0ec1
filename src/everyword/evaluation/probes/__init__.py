"""Probes: what a model knows, asked without training it.

`cloze/` asks a language model for words; `spans` reads labels of spans (`span_data`) from frozen vectors; `components`
scores cuts of a principal space on `word_probes`, which read `text_sets`.
"""
