"""Published tables as data: reproduced, their claims checked, and pictures of results.

Read in order: `config` (a study as TOML, in `published/`), `job` (what every run has); the job of its kind, `models`
(with `model_cells` and `networks` on the vectors), `encoders` (with `encoder_tasks` and `noisy_texts`), `rare_words`
(with `rare_study`, `rare_models` and `rare_training`), `tables` (with `table_study`), `texts`, `spans`, `profiles`,
`trees` (with `tree_vectors`, `left_to_right` and `tree_details`), `pairs` (with `pair_benchmarks`), `languages` (with
`language_inputs` and `language_outcomes`), `lexicons`, `transfer`, `spaces` (with `shrunk_tables`), `features`,
`resources`, `codes`, `attention` (with `attention_adversary`), `attributes` (with `attribute_measures`,
`attribute_texts`, `attribute_models` and `attribute_runs`), `compositionality` (with `text_sources` and
`word_average`), `names`, `distillation` (with `distillation_runs`), `taggers`, `inference`, `metric` (with
`tuned_encoders`), `adversarial` (with `robust_classifiers`) or `pruned_encoders`, both of `labelled_columns`;
`benchmarks` (the columns), `claims` (the verdicts), `findings` (the outcome as JSON and text, with the `commit` of the
code and the `inputs` that were given), `kept` (saved findings, judged again). `neighbour_lists` shows examples side by
side, `plots/` draws."""
