"""Word → units: normalising, characters, word pieces, and ways to misspell."""
