"""Torch modules that turn unit ids into vectors, one idea a file."""
