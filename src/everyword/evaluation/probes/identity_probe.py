"""Word identity: do the vectors of words in texts still say which words they are?

Static vectors do, whatever the text; those of a transformer's layers less and less, as they take in the words around.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from everyword.evaluation.probes.parts_of_speech import read_tagged
from everyword.evaluation.probes.probe import Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.probes.word_identity import Choice, word_information

MOST_TOKENS, WORDS = 40_000, 300
QUICK_SHARE = 8
NATS = "nats"


def run(asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress) -> ProbeScore:
    """Cluster the vectors of frequent words, and of words drawn by frequency, and compare clusters and words."""
    tagged = read_tagged(paths[0], MOST_TOKENS // (QUICK_SHARE if settings.quick else 1))
    words = [word.lower() for word in tagged.words]
    vectors = asked.tokens(tagged.texts).vectors[:, 0]
    progress(1, 3)
    found = {}
    choices: tuple[Choice, ...] = ("frequent", "sampled")
    for number, choice in enumerate(choices, start=2):
        found[f"{choice} words"] = word_information(
            words,
            vectors,
            choice=choice,
            most_words=WORDS,
            clusters=WORDS,
            most_states=20_000,
            seed=settings.seed,
        )
        progress(number, 3)
    first = found["frequent words"]
    return ProbeScore(
        value=100 * first.share,
        metric="% known",
        n=first.states,
        interval=(100 * first.interval[0], 100 * first.interval[1]),
        parts={name: 100 * one.share for name, one in found.items()},
        details={
            name: {NATS: one.information, "of": one.entropy, "by chance": one.by_chance} for name, one in found.items()
        },
    )


PROBE = Probe(
    name="word-identity",
    version=2,
    summary="Does the vector of a word in a text still say which word it is?",
    needs=("tagging/ud_ewt/train.conll.gz",),
    run=run,
    random_control=False,
)
