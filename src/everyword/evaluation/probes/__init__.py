"""Probes: what a model knows, asked without training it.

`cloze/` asks a language model for words; `spans` reads labels of spans (`span_data`, `mentions`, `roles`) from frozen
vectors; `constituents` reads the labels above words in `trees` with the networks of `mlp`; `control` draws labels that
say nothing, for any probe; `components` scores cuts of a principal space on `word_probes`, which read `text_sets`.
"""
