"""Test sets in which rare words matter: frequent words of texts give way to rare ones of the same meaning."""
