"""Matrices as they are stored: plain floats, int8 and int4 with scales, product quantisation."""
