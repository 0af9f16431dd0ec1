"""Known words found by spelling rather than by meaning."""
