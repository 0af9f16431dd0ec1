"""Text vectors without a neural network, learnt from a sentence encoder; see README.md."""
