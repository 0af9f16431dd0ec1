"""Training for every system.

Start with `loop.py`, which says how a system uses it, and `hooks.py`, in which techniques plug in. `optimisers.py`,
`schedules.py` and `losses.py` are the usual parts; `checkpoint.py` is the state on disk, `processes.py` distributed
training, `interrupt.py` Ctrl-C and `device.py` the choice of a GPU. `batching.py` and `word_vectors.py` serve networks
on top of word vectors.
"""
