"""The texts of a column, in files of any kind and size: Parquet, JSON lines, CSV and plain text.

Read in order: `files` (which files, on this machine or elsewhere, and how they are opened), `records` (what a row is),
`lines` (files of lines), `parquet`, `column` (any of them).
"""
