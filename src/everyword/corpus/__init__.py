"""Text files, word lists and the sentences in which words occur.

Read in order: `text_file` (lines of files of any size), `rows` (data sets as tab-separated files or JSON lines),
`word_list`, `codespell_split` and `human_misspellings` (words and misspellings to train on),
`lexicons/` (dictionaries in their own formats), `vocabulary/` (which words and phrases a model stores), `executors`
(processes or Ray), `contexts/` (sentences that contain given words),
`piece_vectors` (vectors of word pieces), `labelled/` (texts with labels, sentences with tags),
`columns/` (texts in files of any kind), `embedding/` (their vectors), `search` (the nearest of them).
"""
