"""What a model needs to read words by context: n-grams of a corpus, and networks that weigh them against spelling."""
