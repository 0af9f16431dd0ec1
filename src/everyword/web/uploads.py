"""Texts that were sent to be searched: kept in memory, for as long as newer ones do not need their place."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from everyword.models.model import Model
from everyword.web.corpus import Corpus
from everyword.web.problems import Problem, Refusal

MOST = 8
"""Lists of texts that are kept; the one that was not used for longest goes first."""


class Uploads:
    """Lists of texts by an id that nobody can guess."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Corpus] = OrderedDict()
        self._lock = Lock()

    def add(self, name: str, texts: Sequence[str], model: Model) -> str:
        """Index texts and return the id to search them by."""
        corpus, key = Corpus(name, list(texts), model), secrets.token_urlsafe(12)
        with self._lock:
            self._kept[key] = corpus
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return key

    def get(self, key: str) -> Corpus:
        """Return the texts of an id; refuse one that is unknown or gone."""
        with self._lock:
            if key not in self._kept:
                error = "The texts of this id are not kept here, or not any more; send them again to /v1/texts."
                raise Refusal(404, Problem(error=error, field="among"))
            self._kept.move_to_end(key)
            return self._kept[key]
