"""The parts of the benchmark of texts, its data, its encoders and its noise; `texts.py` runs them."""
