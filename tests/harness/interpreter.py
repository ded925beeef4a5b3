"""The Python that runs: one that has NumPy, which the run tests need."""

import importlib.util
import os
import sys

SYSTEM_PYTHON = "/usr/bin/python3"


def with_numpy(tool):
    """Goes on as Debian's Python where this one has no NumPy."""
    if importlib.util.find_spec("numpy"):
        return
    if os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON):
        sys.exit(f"{tool}: NumPy is missing (Debian: python3-numpy)")
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
