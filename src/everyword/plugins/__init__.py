"""everyword in other packages: one module per package, which alone imports it.

Read in order: `inputs` (the arguments that plug-ins share), `sklearn`, `gensim` with `keyed_table`, `spacy`,
`transformers/` (robust encoders, new tokens), `sentence_transformers/`, `onnx/`.
"""
