"""Two models item by item, as in `everyword compare-results`.

python benchmarks/compare_models.py results/everyword-en/encode results/love-en/encode --data DATA

The folders are those that `everyword evaluate --items` and `everyword probe --items` have filled.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
from record import keep

from everyword.evaluation.compare import Comparison
from everyword.evaluation.item_results import Compared, compare_saved, read_saved

MOST = 6
"""Labels, words and parts that are kept, those that differ most."""


@click.command()
@click.argument("first", type=click.Path(path_type=Path, exists=True))
@click.argument("second", type=click.Path(path_type=Path, exists=True))
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True, help="The data folder.")
def main(first: Path, second: Path, data: Path) -> None:
    """Compare two models and keep the differences."""
    found, _ = compare_saved(read_saved(first), read_saved(second), data)
    names = [label.partition(",")[0] for label in (found[0].first, found[0].second)]
    keep("compare-results", {"first": names[0], "second": names[1], "comparisons": [_plain(one) for one in found]})


def _plain(one: Compared) -> dict[str, Any]:
    found = one.found
    if isinstance(found, Comparison):
        found = replace(found, labels=found.labels[:MOST], words=found.words[:MOST])
    record: dict[str, Any] = _rounded(asdict(replace(one, found=found, sections=one.sections[:MOST])))
    return record


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return round(value, 4) if isinstance(value, float) else value


if __name__ == "__main__":
    main()
