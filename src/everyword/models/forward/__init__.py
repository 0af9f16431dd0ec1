"""NumPy forward passes, one for each encoder that can be saved."""
