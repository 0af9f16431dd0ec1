"""What a tagger can read of a word."""

from __future__ import annotations

from typing import Literal, get_args

Input = Literal["frozen", "frozen+char", "full", "full+emb", "char"]
"""What the tagger reads of a word.

- frozen: its vector, which is not trained;
- frozen+char: the same, beside a character encoder;
- full: a lookup trained from a random start, beside a character encoder;
- full+emb: the same, started from the vector;
- char: a character encoder only; CHAR(D) if that was trained before.
"""
INPUTS: tuple[str, ...] = get_args(Input)
FROZEN = ("frozen", "frozen+char")
WITH_VECTORS = (*FROZEN, "full+emb")
