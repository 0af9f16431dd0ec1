"""Changes of a space of vectors: `study`, and tables in fewer bytes (`shrunk_tables`)."""
