"""A builder of parts whose process ends: in a file of its own, because another process has to find it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from everyword.systems.skipgram.parts import Part, PartBuilder


class DeadlyBuilder(PartBuilder):
    def build(self, texts: Sequence[str]) -> Part:
        os._exit(1)
