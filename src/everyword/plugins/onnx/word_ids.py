"""Words → the ids that an exported model takes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everyword import config, registry
from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.extras import require
from everyword.models.model import Model
from everyword.text.normalise import Normaliser
from everyword.text.units import PAD, Units

KEY = "everyword"
"""The entry of an ONNX file's metadata with the normaliser and units, as JSON."""


@dataclass(frozen=True)
class WordIds:
    """Turns words into the ids that an exported model takes."""

    normalise: Normaliser
    units: Units

    @classmethod
    def of(cls, model: Model) -> WordIds:
        """Return the ids of a model.

        Args:
            model: The model that was or will be exported.
        """
        return cls(model.normalise, model.form_encoder.units)

    @classmethod
    def load(cls, path: str | Path) -> WordIds:
        """Return the ids of the model in an ONNX file; needs the extra `onnx`.

        Args:
            path: A file that `export` wrote.

        Raises:
            InputError: If there is no such file.
        """
        if not Path(path).is_file():
            raise InputError(f"There is no file {path}; give the path of a model that everyword export onnx wrote.")
        onnx: Any = require("onnx", "Reading an ONNX file")
        try:
            metadata = {entry.key: entry.value for entry in onnx.load(path, load_external_data=False).metadata_props}
            described = json.loads(metadata[KEY])
        except Exception as error:  # whatever a file of another kind makes the package raise
            raise InputError(f"{path} is not a model that everyword export onnx wrote; export it again.") from error
        units = described["units"]
        kind = registry.unit_vocabularies.get(units["name"])
        return cls(
            config.build(Normaliser, described["normalise"]),
            kind(units["units"], config.build(kind.Config, units["config"])),
        )

    def described(self) -> dict[str, Any]:
        """Return what `load` reads."""
        units = self.units
        return {
            "normalise": self.normalise.described(),
            "units": {"name": units.NAME, "config": asdict(units.config), "units": units.units},
        }

    def __call__(self, words: Iterable[str]) -> IndexArray:
        """Return one row of ids per word, padded with 0; an unusable word is all 0, and its vector too."""
        batch = self.units.batch([self.normalise(word) for word in words])
        ids = batch.sequences.padded().astype(np.int64)
        ids[~batch.usable] = PAD
        return ids
