"""How good the vectors are: tasks, data sets, results and tables of them.

Read in order: `evaluated_model` (a model under a policy), `task` (how vectors are scored), `catalogue` with
`data_sets.json` (where data sets are; `function_words.tsv` and `associations.tsv` are our own), `benchmark` (a task on
a data set), `run` (scores benchmarks one after the other), `results` (one JSON file each), `scoreboard` (results as a
table), `by_resource` with `distributions` and `by_frequency` (scores by the size of a resource). The tasks are in
`tasks/`, questions to language models in `probes/`, misspellings and rare words in `robustness/`; `context_models` has
baselines that make vectors from sentences, `language_distance` measures of how close languages are, `paired` tests of
two systems, `significance` tests of several runs, `average_precision` scores rankings, `tagging` tags by kinds of
words, `compare` and `item_results` say where two systems differ, `shrinking` compares smaller versions of a table.
"""
