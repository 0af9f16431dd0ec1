"""everyword reproduce: published tables, made again."""
