"""Models that infer a word's vector from its spelling: LOVE, MIMICK, DAN, bag of substrings, KVQ-FH and others.

A training reads `recipe` (TOML files) into `config`, builds a `teacher`, prepares data (`preparation`,
`related_words`), draws `examples` (or `shown_words`, where nothing is misspelt), trains an encoder of `encoders/`
(`trainer`) and a gate (`gate_training`, `gate_network`, `respelling`), and assembles the model (`train`).
"""
