"""Published tables as data: reproduced, their claims checked, and pictures of results.

Read in order: `config` (a study as TOML, in `published/`), `job` (what every run has), `kinds/` (what runs it, by its
kind); `benchmarks` (the columns), `networks` (on the vectors of a row), `claims` (the verdicts), `findings` (the
outcome as JSON and text, with the `commit` of the code and the `inputs` that were given), `kept` (saved findings,
judged again). `neighbour_lists` shows examples side by side, `plots/` draws.
"""
