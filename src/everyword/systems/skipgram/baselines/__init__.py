"""The methods before it, on the same sentences and for the same words."""
