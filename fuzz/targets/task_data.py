"""The data sets of tasks that are tab-separated files."""

from everyword import registry
from everyword.evaluation.catalogue import DATA_SETS
from fuzz.targets.common import read_file

KINDS = {data.kind for data in DATA_SETS if not data.parts and data.kind not in ("classification", "translation")}
"""Kinds of data whose sets are single files, without those that have targets of their own."""
TASKS = [task for name in registry.tasks if (task := registry.tasks.get(name)).kind in KINDS]


def read(data: bytes) -> None:
    """Read a data set as each task would."""
    read_file(data, "x.tsv", *(task.load for task in TASKS))
