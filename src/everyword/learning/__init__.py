"""What all training shares: loop, optimisers, schedules, checkpoints, processes, losses."""
