"""Vector file formats, one file each; `guess` finds the format of a file."""
