"""Load transformer language models and extract vectors of words from them."""
