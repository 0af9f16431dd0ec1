"""How an encoder learns: losses, synonyms, hard negatives, batches, the trainer and its checkpoints."""
