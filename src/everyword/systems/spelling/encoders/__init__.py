"""Spelling encoders in torch; each has a NumPy twin in `everyword.models.forward`."""
