"""Flat files from configuration to saved model; one TOML for each model we publish."""
