"""What several commands of the shell share."""
