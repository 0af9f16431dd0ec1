"""What a reader sees at a glance: one file for each kind of picture; matplotlib is asked for in `picture` alone."""
