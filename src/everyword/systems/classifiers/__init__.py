"""Text classifiers over word vectors, and fine-tuned transformers."""
