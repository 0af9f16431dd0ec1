"""Models for a table of one's own: adapted to its space without training, or with its words attached."""
