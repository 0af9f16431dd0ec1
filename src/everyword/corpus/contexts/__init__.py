"""Find sentences of given words in a corpus of any size: in parallel, resumable, reproducible."""
