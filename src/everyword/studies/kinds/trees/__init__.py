"""Labels above words in trees: `study`, `vectors`, a network that reads `left_to_right`, and `details`."""
