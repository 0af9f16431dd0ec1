"""One file per format; `guess` tells which one a file has."""
