"""Build the compiled kernel if a C compiler is there; without one everyword computes the same with NumPy.

All else about the package is in pyproject.toml.
"""

import os
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).parent
# One file for Python 3.11 and all later versions: 3.11 is the first whose limited interface has buffers.
PURE = bool(os.environ.get("EVERYWORD_PURE"))  # for a wheel that any system can install
STABLE = sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED")
IS_MSVC = sys.platform == "win32" and "GCC" not in sys.version

kernel = Extension(
    "everyword._kernel",
    sources=sorted(path.relative_to(HERE).as_posix() for path in (HERE / "src" / "kernel").glob("*.c")),
    depends=sorted(path.relative_to(HERE).as_posix() for path in (HERE / "src" / "kernel").glob("*.h")),
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE else [],
    extra_compile_args=["/O2", "/std:c11"] if IS_MSVC else ["-O3", "-std=c11", "-ffp-contract=fast"],
    py_limited_api=STABLE,
    optional=True,
)
setup(
    ext_modules=[] if PURE else [kernel],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE and not PURE else {},
)
