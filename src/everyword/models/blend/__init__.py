"""Unknown words: known words of similar spelling and the vector from a word's own spelling, blended by a gate."""
