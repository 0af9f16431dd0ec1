"""What the tagger of an extrinsic task reads of a word."""

from __future__ import annotations

from typing import Literal, get_args

Input = Literal["frozen", "frozen+char", "full", "full+emb", "char"]
"""What the tagger reads of a word.

- frozen: its vector, which is not trained;
- frozen+char: the same, and a character encoder;
- full: a lookup trained from random vectors, and a character encoder;
- full+emb: the same, initialised with the word vectors;
- char: a character encoder only; CHAR(D) if that was trained before.
"""
INPUTS: tuple[str, ...] = get_args(Input)
FROZEN = ("frozen", "frozen+char")
WITH_VECTORS = (*FROZEN, "full+emb")
