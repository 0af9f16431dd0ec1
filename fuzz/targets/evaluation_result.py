"""A kept result."""

from contextlib import suppress

from everyword.errors import EverywordError
from everyword.evaluation.results import read_all
from fuzz.targets.common import a_folder


def read(data: bytes) -> None:
    """Read a folder of results."""
    with a_folder() as folder, suppress(EverywordError):
        (folder / "x.json").write_bytes(data)
        for result in read_all([folder]):
            assert isinstance(result.benchmark, str)
            assert result.value is None or result.value == result.value
