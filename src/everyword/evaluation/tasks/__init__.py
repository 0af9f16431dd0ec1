"""Tasks: each scores the vectors of a model on one kind of data set."""
