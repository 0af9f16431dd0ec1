"""Where targets come from."""
