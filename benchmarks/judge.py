"""Judge the claims of kept studies again, from their kept scores.

    python benchmarks/judge.py           # rewrite the verdicts
    python benchmarks/judge.py --check   # exit 1 if a verdict would change

Nothing is trained or scored: a verdict follows from the scores, their spread over seeds and the margin of the study.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from record import RESULTS

from everyword.atomic import write_atomic
from everyword.studies.config import load_study
from everyword.studies.findings import to_text_of_json
from everyword.studies.kept import judged_again


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; fail if a verdict is out of date.")
def main(check: bool) -> None:
    """Bring the verdicts of all kept studies up to date."""
    stale = [path for path in sorted((RESULTS / "studies").glob("*.json")) if path.read_text("utf-8") != judged(path)]
    for path in stale:
        print(("out of date: " if check else "rewritten: ") + path.name)
        if not check:
            write_atomic(path, judged(path))
    sys.exit(1 if check and stale else 0)


def judged(path: Path) -> str:
    """Return a kept study as it should be."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    return to_text_of_json(judged_again(kept, load_study(kept["study"]))) + "\n"


if __name__ == "__main__":
    main()
