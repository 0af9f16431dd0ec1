"""Tables of vectors that commands of everyword make: `study` (schema) and `run`."""
