"""Search with Atheris: python fuzz/run.py --seconds 20 [TARGET ...]."""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEEDS = Path(__file__).parent / "seeds"
MOST_MEGABYTES, MOST_SECONDS, MOST_BYTES = 2048, 10, 4096


def search(target: str, seconds: int) -> bool:
    """Whether nothing was found; what was found lies among the seeds."""
    seeds = SEEDS / target
    seeds.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as tried:  # what libFuzzer keeps of its way; only findings are seeds
        done = subprocess.run(
            [
                *(sys.executable, __file__, "--one", target),
                *(f"-max_total_time={seconds}", f"-rss_limit_mb={MOST_MEGABYTES}", f"-timeout={MOST_SECONDS}"),
                *(f"-max_len={MOST_BYTES}", f"-artifact_prefix={seeds}/found-", "-verbosity=0", "-print_final_stats=1"),
                *(tried, str(seeds)),
            ],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])},
            check=False,
        )
    return done.returncode == 0


def search_here(target: str, arguments: list[str]) -> None:
    """Hand this process over to Atheris."""
    import atheris

    with atheris.instrument_imports(include=["everyword"]):
        read = importlib.import_module(f"fuzz.targets.{target}").read
    atheris.Setup([target, *arguments], read)
    atheris.Fuzz()


def main() -> int:
    """All targets that are named, or all."""
    if sys.argv[1:2] == ["--one"]:
        search_here(sys.argv[2], sys.argv[3:])
    sys.path.insert(0, str(ROOT))
    from fuzz.targets import NAMES

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=20, help="for each target")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(NAMES))
    options = parser.parse_args()
    if strangers := set(options.targets) - set(NAMES):
        parser.error(f"there is no target {', '.join(sorted(strangers))}; choose from {', '.join(NAMES)}")
    return sum(not search(target, options.seconds) for target in options.targets or NAMES)


if __name__ == "__main__":
    sys.exit(main())
