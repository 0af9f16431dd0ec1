"""Vectors of all texts of files of any size, in several processes or on a cluster, resumable.

Read in order: `plan` (which rows go to which part, and the manifest), `parts` (files of vectors), `worker` (what a
worker does), `embed` (all of it).
"""
