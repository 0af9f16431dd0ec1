"""Saved models: the folder, its configuration, the model card, and the hub."""
