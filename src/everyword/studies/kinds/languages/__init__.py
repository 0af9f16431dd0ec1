"""Vectors of other languages in a tagger: `study`, its `inputs` and its `outcomes`."""
