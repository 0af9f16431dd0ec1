"""The kinds of studies, each with a schema of its TOML and what runs it.

A kind of one file is a module; a larger one is a package, to be read from `study`. None needs another but for what two
share: `labelled_columns` (adversarial training and pruning), `spaces.study` (taggers) and `spans` (trees).
"""
