"""GPU kernels written in a small Python-like language, launched with arrays of NumPy, PyTorch, CuPy
and whatever speaks their protocols.

    mod = ck.compile("saxpy.ck")
    mod.saxpy[blocks, 256](2.5, x, y)
"""

import os as _os
import sys as _sys

try:
    from ck import _core
except ImportError:
    if "t" in getattr(_sys, "abiflags", ""):  # no Python without the GIL has the limited API
        raise ImportError("ck needs a Python with the GIL: one without it, as "
                          f"{_sys.executable}, loads no modules of the stable ABI") from None
    raise
from ck import _types
from ck._core import (CheckError, CompileError, CooperativeLaunchTooLarge, Error, Kernel, Launcher,
                      LaunchError, Module, Usage, __version__, compile, max)

__all__ = ["CheckError", "CompileError", "CooperativeLaunchTooLarge", "Error", "Kernel", "Launcher",
           "LaunchError", "Module", "Usage", "compile", "max"]

_os.register_at_fork(after_in_child=_core._forked)


def __getattr__(name):
    """The types of Numba's signatures, as ck.float32, and from_dtype."""
    if name in _types.TYPES:
        return _types.TYPES[name]
    if name == "from_dtype":
        from ck import _records

        return _records.from_dtype
    raise AttributeError(f"module 'ck' has no attribute {name!r}")
