"""What an installation takes, for the page about installing."""

from __future__ import annotations

from record import read
from tables import table


def section() -> str:
    """Return sizes and times of an installation with and without a compiler."""
    result = read("install-size")
    compiled, plain = result["from_the_wheel"], result["from_the_source_without_a_compiler"]
    packages = ", ".join(f"{name} {size:.0f}" for name, size in compiled["mb"].items())
    steps = {
        "`import everyword`": "import",
        "and `load()`": "import and load",
        "and the first vector of an unknown word": "first vector",
    }
    rows = [(name, *(f"{one['s'][step]:.2f} s" for one in (compiled, plain))) for name, step in steps.items()]
    return (
        f"The wheel has {result['wheel_mb']:.1f} MB, with three models, the source distribution "
        f"{result['source_mb']:.1f} MB. Installed with all it needs, MB on disk: {packages}. Times of fresh processes, "
        f"median of nine ({result['date']}, {result['machine']['processor']}):\n\n"
        + table(("", "with the kernel", "NumPy alone"), rows)
    )
