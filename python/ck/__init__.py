"""GPU kernels written in a small Python-like language, launched with arrays of NumPy, PyTorch, CuPy
and whatever speaks their protocols.

    mod = ck.compile("saxpy.ck")
    mod.saxpy[blocks, 256](2.5, x, y)
"""

import os as _os
import sys as _sys


def _has_core():
    """Whether there is a core that this Python can load: a free-threaded one has no stable ABI."""
    import importlib.util

    return importlib.util.find_spec("ck._core") is not None


try:
    from ck import _core
except ImportError:
    if "t" in getattr(_sys, "abiflags", "") and not _has_core():
        raise ImportError("this installation of ck is for Pythons with the GIL: build one for "
                          f"{_sys.executable}, by `pip install` from ck's sources") from None
    raise
from ck import _types
from ck._core import (CheckError, CompileError, CooperativeLaunchTooLarge, Error, Kernel, Launcher,
                      LaunchError, Module, Usage, __version__, compile, max)

__all__ = ["CheckError", "CompileError", "CooperativeLaunchTooLarge", "Error", "Kernel", "Launcher",
           "LaunchError", "Module", "Usage", "compile", "max"]

_os.register_at_fork(after_in_child=_core._forked)

_FOR_THE_HOST = ("ck compiles kernels for GPUs, and functions that these call need no decorator: keep "
                 "Numba's own for functions of the host, `from numba import {}`")


def __getattr__(name):
    """What programs for Numba import beside `cuda`: the types of signatures, as ck.float32, and the
    modules and functions that have to do with them."""
    if name in _types.TYPES:
        return _types.TYPES[name]
    if name in _types.VECTORS:
        return _types.VECTORS[name]
    if name in ("config", "cuda", "types"):
        import importlib

        return importlib.import_module(f"ck.{name}")
    if name in ("from_dtype", "record"):
        from ck import _records

        return getattr(_records, name)
    if name in ("carray", "farray"):
        from ck import _source

        return _source.KernelOnly(f"numba.{name}")
    if name == "typeof":
        return _types.typeof
    if name in ("vectorize", "guvectorize"):
        from ck import _elementwise

        return getattr(_elementwise, f"{name}_for_target")
    if name in ("jit", "njit", "prange", "stencil", "jitclass", "objmode", "cfunc"):
        raise NotImplementedError(f"ck has no {name}: {_FOR_THE_HOST.format(name)}")
    raise AttributeError(f"module 'ck' has no attribute {name!r}")
