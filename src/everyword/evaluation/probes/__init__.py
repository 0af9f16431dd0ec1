"""Probes: what is in vectors, and what a model knows.

`representation` is what is probed, at a layer (`layers`) if it is a transformer; `probe` is a question, `probing` asks
them one after the other, `probe_results` keeps the answers, `intervals` say how sure they are, `control` draws labels
that say nothing. Questions: `word_properties`, `parts_of_speech`; `linguistic` predicts `sentence_features` of
`parsed` sentences by `linear_svr`; `tree_probes` reads labels above words (`constituents`, `trees`, `labelled_words`)
with the networks of `mlp`; `span_probes` reads labels of spans (`span_data`, `mentions`, `roles`) with those of
`spans` from frozen vectors (`token_vectors`); `components` scores cuts of a principal space on `word_probes`, which
read `text_sets`; `cloze/` asks a language model for words. Of a classifier, `attention` changes the attention, and
`word_identity` (as a question, `identity_probe`) asks states for their words; `residual_entropy` divides discrete codes
among attributes, those of quantised vectors in `word_codes`.
"""
