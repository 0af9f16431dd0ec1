"""Text classifiers: a CNN over word vectors, and fine-tuned transformers."""
