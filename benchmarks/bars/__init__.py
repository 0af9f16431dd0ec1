"""What the default model must reach: each bar, how it is measured, and the peers measured in the same run."""
