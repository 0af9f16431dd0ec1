"""Losses that bring texts of a class together: `study`, and the fine-tuned `encoders`."""
