"""Trainable systems, one folder per family of papers; no system imports another.

Read in order: `word_space/` (vectors from many sources), `language/` (words of another language in an
English space), `spelling/` (vectors from spelling), `bertram/` (rare words),
`skipgram/` (static vectors from a corpus), `sentences/` (weights of words in texts), `context/` (words read by those
around them), `operators/` (texts as Gaussians), `taggers/` and `classifiers/` (networks on vectors), `inference/`
(does a text follow from another?), `tiny_bert/`, `codes/` (messages of some bits).
"""
