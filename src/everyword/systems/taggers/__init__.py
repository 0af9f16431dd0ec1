"""Sequence taggers: BiLSTM, CRF and character features over word vectors."""
