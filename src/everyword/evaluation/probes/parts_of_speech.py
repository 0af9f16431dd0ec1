"""Parts of speech: can a linear classifier read the tag of a word from its vector?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.evaluation.probes.control import control_labels
from everyword.evaluation.probes.intervals import mean_interval
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.probes.probe import CONTROL_LABELS, MAJORITY, Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.representation import Representation
from everyword.files import read_lines

MOST_TOKENS = {"train": 40_000, "test": 20_000}
QUICK_SHARE = 8
STRENGTH = 1.0


class Tagged(NamedTuple):
    """Sentences, and the universal part of speech of each token."""

    texts: list[list[str]]
    tags: list[str]

    @property
    def words(self) -> list[str]:
        """All tokens, one sentence after the other."""
        return [word for text in self.texts for word in text]


def read_tagged(path: Path, most: int) -> Tagged:
    """Read the first sentences of a file of tokens and tags between tabs, until they have so many tokens."""
    texts: list[list[str]] = [[]]
    tags: list[str] = []
    for number, line in enumerate(read_lines(path, "file of tags"), start=1):
        cells = line.split("\t")
        if not line.strip():
            if len(tags) >= most:
                break
            texts.append([])
        elif len(cells) < 2 or not all(cells[:2]):
            raise InputError(f"{path}:{number}: needs a token, a tab and a part of speech. Got {line[:60]!r}.")
        else:
            texts[-1].append(cells[0])
            tags.append(cells[1])
    return Tagged([text for text in texts if text], tags)


def run(asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress) -> ProbeScore:
    """Fit a logistic regression to train and score it on test."""
    share = QUICK_SHARE if settings.quick else 1
    train, test = (read_tagged(path, most // share) for path, most in zip(paths, MOST_TOKENS.values(), strict=True))
    vectors = [asked.tokens(part.texts).vectors[:, 0] for part in (train, test)]
    progress(1, 3)
    found = _predicted(vectors, train.tags)
    right = np.array([100.0 * (one == tag) for one, tag in zip(found, test.tags, strict=True)])
    progress(2, 3)
    majority = Counter(train.tags).most_common(1)[0][0]
    controls = {MAJORITY: 100 * float(np.mean([tag == majority for tag in test.tags]))}
    if settings.control_labels:
        drawn = control_labels([*train.words, *test.words], [*train.tags, *test.tags], settings.seed)
        wanted = drawn[len(train.tags) :]
        guessed = _predicted(vectors, drawn[: len(train.tags)])
        controls[CONTROL_LABELS] = 100 * float(np.mean([one == tag for one, tag in zip(guessed, wanted, strict=True)]))
    progress(3, 3)
    sentence = np.repeat(np.arange(len(test.texts)), [len(text) for text in test.texts])
    of_tag = {tag: right[[one == tag for one in test.tags]] for tag in sorted(set(test.tags))}
    return ProbeScore(
        value=float(right.mean()),
        metric="accuracy",
        n=len(right),
        interval=mean_interval(right, sentence),
        controls=controls,
        details={tag: {"accuracy": float(some.mean()), "n": len(some)} for tag, some in of_tag.items()},
        items={
            "score": (right / 100).tolist(),
            "word": test.words,
            "gold": test.tags,
            "predicted": found,
            "group": sentence.tolist(),
        },
    )


def _predicted(vectors: Sequence[FloatArray], tags: Sequence[str]) -> list[str]:
    """Return the tags of the tokens of test, given those of train."""
    names = sorted(set(tags))
    number = {tag: place for place, tag in enumerate(names)}
    labels: IndexArray = np.array([number[tag] for tag in tags])
    found = LogisticRegression.fit(vectors[0], labels, STRENGTH).predict(vectors[1])
    return [names[place] for place in found.tolist()]


PROBE = Probe(
    name="parts-of-speech",
    version=1,
    summary="Can the part of speech of a word be read from its vector?",
    needs=("tagging/ud_ewt/train.conll.gz", "tagging/ud_ewt/test.conll.gz"),
    run=run,
)
