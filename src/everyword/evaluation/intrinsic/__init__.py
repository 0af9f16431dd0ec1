"""Tasks that look at the vectors themselves and train nothing."""
