"""Published tables as data: made again, their claims judged, and pictures of results.

`config` reads a study from its TOML file in `published/`; `load_study` and `published_studies` are its doors. A study
is run by the job of its kind: `models` (with `networks` on the vectors), `rare_words` (with `rare_models`) or
`tables`. `benchmarks` finds and scores the columns, `claims` judges, `findings` renders the outcome as JSON and text.
"""
