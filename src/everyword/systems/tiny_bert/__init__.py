"""A small BERT, pre-trained on a corpus of your own."""
