"""Load transformer language models and get vectors of words from them."""
