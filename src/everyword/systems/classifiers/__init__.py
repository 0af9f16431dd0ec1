"""Text classifiers: a CNN and a BiLSTM with attention over word vectors, and fine-tuned transformers."""
