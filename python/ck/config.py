"""Settings that programs for Numba read and make: `from ck import config`. They have no meaning for
ck, whose own are arguments of ck.compile and environment variables."""

CUDA_ARRAY_INTERFACE_SYNC = 1
CUDA_DEBUGINFO_DEFAULT = 0
CUDA_ENABLE_PYNVJITLINK = 0
CUDA_LOG_LEVEL = ""
CUDA_LOW_OCCUPANCY_WARNINGS = 0
CUDA_MEMORY_MANAGER = "default"
CUDA_PER_THREAD_DEFAULT_STREAM = 0
CUDA_USE_NVIDIA_BINDING = 1
CUDA_WARN_ON_IMPLICIT_COPY = 0
DEBUG = 0
DISABLE_CUDA = 0
DISABLE_JIT = 0
DISABLE_PERFORMANCE_WARNINGS = 0
ENABLE_CUDASIM = 0
