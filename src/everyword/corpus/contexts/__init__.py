"""Find sentences of words in a corpus of any size, in several processes or on a cluster."""
