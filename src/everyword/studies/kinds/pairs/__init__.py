"""Word and context vectors of a corpus, by alpha: `study`, and the `benchmarks` of pairs of words."""
