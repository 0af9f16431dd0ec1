"""How good the vectors are: one file for each kind of task."""
