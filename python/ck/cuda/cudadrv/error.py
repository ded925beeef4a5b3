"""Exceptions of the driver, where Numba has them: all are ck.Error."""

from ck._core import Error

CudaDriverError = CudaSupportError = NvvmError = NvvmSupportError = Error

__all__ = ["CudaDriverError", "CudaSupportError", "NvvmError", "NvvmSupportError"]
