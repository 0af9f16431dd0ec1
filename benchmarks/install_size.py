"""What an installation takes: megabytes of the wheel and on disk, seconds to install, to import and to a first vector.

    python benchmarks/install_size.py

Builds the wheel and the source distribution of this checkout and installs each in a fresh environment, the second one
as on a machine without a compiler. Needs the package index for NumPy, safetensors and Click.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

from bars.subject import commit
from record import keep

ROOT = Path(__file__).parents[1]
PACKAGES = ("everyword", "numpy", "safetensors", "click")
ROUNDS = 9
MEGABYTE = 1e6
FIRST_VECTOR = """
import json, time
started = time.perf_counter()
import everyword
imported = time.perf_counter() - started
model = everyword.load()
loaded = time.perf_counter() - started
model.encode(["mispelling"])
print(json.dumps({"import": imported, "import and load": loaded, "first vector": time.perf_counter() - started}))
"""
KERNEL = "from everyword import kernel; print(kernel.status)"


def main() -> None:
    """Measure and save."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        build = [sys.executable, "-m", "build", "--outdir", home / "dist", ROOT]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        [wheel], [source] = (home / "dist").glob("*.whl"), (home / "dist").glob("*.tar.gz")
        result = {
            "commit": commit(),
            "wheel_mb": round(wheel.stat().st_size / MEGABYTE, 2),
            "source_mb": round(source.stat().st_size / MEGABYTE, 2),
            "from_the_wheel": installed(home / "wheel", wheel, {}),
            "from_the_source_without_a_compiler": installed(home / "source", source, {"CC": "/bin/false"}),
        }
    print(json.dumps(result, indent=2))
    keep("install-size", result)


def installed(home: Path, file: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Install a file in a fresh environment and measure what came of it."""
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    started = time.perf_counter()
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", file]
    subprocess.run(install, check=True, env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - started
    [packages] = (home / "lib").glob("python*/site-packages")
    rounds = [json.loads(told(python, FIRST_VECTOR)) for _ in range(ROUNDS)]
    return {
        "install_s": round(seconds, 1),
        "mb": {name: megabytes(packages, name) for name in PACKAGES},
        "kernel": told(python, KERNEL),
        "s": {step: round(statistics.median(one[step] for one in rounds), 3) for step in rounds[0]},
    }


def megabytes(packages: Path, name: str) -> float:
    """Return the size of a package with the libraries beside it."""
    folders = [packages / name, *packages.glob(f"{name}.libs"), *packages.glob(f"{name}-*.dist-info")]
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return round(sum(path.stat().st_size for path in files) / MEGABYTE, 1)


def told(python: Path, program: str) -> str:
    """Run a program outside of the checkout and return what it prints."""
    return subprocess.check_output([python, "-c", program], text=True, cwd=python.parent).strip()


if __name__ == "__main__":
    main()
