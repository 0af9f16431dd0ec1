"""One file for each post-processing step."""
