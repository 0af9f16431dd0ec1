"""Models that infer a word's vector from its spelling: LOVE, MIMICK, DAN, bag of substrings, KVQ-FH and others."""
