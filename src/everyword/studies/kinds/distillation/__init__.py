"""Small classifiers that learn from larger ones: `study`, and the `runs` that it is made of."""
