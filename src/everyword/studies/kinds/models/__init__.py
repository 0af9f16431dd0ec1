"""Models of spelling on a teacher: `study` trains and scores them, `cells` keeps the scores of a seed."""
