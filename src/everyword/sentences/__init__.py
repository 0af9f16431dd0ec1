"""Texts → vectors, without torch.

Read in order: `tokens` cuts a text; `terms` finds those of several words that a model stores; `bags` says which stored
words a token stands for; `weights` how much each counts; `encoder` adds them up. `index` searches among texts.
`context/` reads words by those around them; `specificity` says how specific texts are; `gaussian` and `operators` make
Gaussians of them; `spans` and `text_poolings` pool the vectors of tokens. `text_features` runs trained classifiers of
texts.
"""
