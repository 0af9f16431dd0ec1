"""Training for every system.

Read in order: `loop`, which says how a system uses it, and `hooks`, in which techniques plug in: `adversary`,
`adversarial`, `pruning` and `averaging`; `multitask` gives the loop batches of several tasks. `optimisers`, `schedules`
and `losses` are the usual parts, and `captured` replays the steps of a small network on a GPU; `classification` and
`metric_losses` have what classifiers learn from, `distillation` what from a teacher, and `techniques` what their
training shares with that of taggers; `checkpoint` is the state on disk, `saved_weights` puts those of a file into a
network, `processes` is distributed training, `interrupt` Ctrl-C and `device` the choice of a GPU. `batching`,
`sources`, `word_vectors`, `word_forms`, `characters`, `dropout`, `crf`, `experts` and `word_objectives` serve networks
on top of word vectors, `costs` counts what they take, and `sampling` weighs what is drawn.
"""
