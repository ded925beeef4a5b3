"""ck.cuda: programs written for Numba's CUDA target, with one import line changed.

    from ck import cuda

    @cuda.jit
    def saxpy(a, x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = a * x[i] + y[i]

    saxpy[blocks, threads](2.5, x, y)

The device is a GPU, or the CPU where there is none, or with CK_DEVICE=cpu."""

import contextlib
import os
from typing import NamedTuple

from ck import _core, _device, _source, _types
from ck._core import CooperativeLaunchTooLarge, Error, LaunchError
from ck._dispatcher import jit

_FOR_KERNELS = frozenset("""
activemask all_sync any_sync atomic ballot_sync blockDim blockIdx brev cbrt cg clz const eq_sync
ffs fma fp16 grid gridDim gridsize laneid lanemask_lt libdevice local match_all_sync match_any_sync
nanosleep popc selp shared shfl_down_sync shfl_sync shfl_up_sync shfl_xor_sync syncthreads
syncthreads_and syncthreads_count syncthreads_or syncwarp threadIdx threadfence threadfence_block
threadfence_system vote_sync_intrinsic warpsize clock64 warpid
""".split())
_INSTEAD = {
    "declare_device": "write the device function in Python",
    "to_host": "call copy_to_host() of the device array",
    "open_ipc_handle": "share memory by PyTorch or CuPy",
    "set_memory_manager": "allocate by PyTorch or CuPy, and pass their arrays",
    "mapped": "make the array by mapped_array, or pass it as it is",
    "compile": "call compile_ptx, or ckc",
    "compile_all": "call compile_ptx, or ckc",
    "compile_for_current_device": "call compile_ptx_for_current_device, or ckc",
    "simulator": "kernels run on the CPU with CK_DEVICE=cpu, and with CK_CHECK=all they are checked",
    "nvvm": "ck needs no NVVM",
    "driver": "what fails is a ck.Error, and cuda.current_context() has the device's memory",
    "runtime": "ck needs no CUDA runtime",
}
_ARRAYS = {"DeviceNDArray": "DeviceNDArray", "to_device": "to_device", "device_array": "empty",
           "device_array_like": "empty_like", "as_cuda_array": "as_device",
           "pinned_array": "pinned_array", "pinned_array_like": "pinned_array_like",
           "managed_array": "managed_array", "mapped_array": "mapped_array",
           "mapped_array_like": "mapped_array_like"}
_ELEMENTWISE = {"Reduce": "Reduce", "reduce": "Reduce", "vectorize": "vectorize",
                "guvectorize": "guvectorize"}


def __getattr__(name):
    if name == "random":
        import importlib

        return importlib.import_module("ck.cuda.random")
    if name == "cudadrv":
        import importlib

        for module in ("devicearray", "driver", "error"):
            importlib.import_module(f"ck.cuda.cudadrv.{module}")
        return importlib.import_module("ck.cuda.cudadrv")
    if name in _ARRAYS:  # these need NumPy
        from ck import _device_array

        return getattr(_device_array, _ARRAYS[name])
    if name in _ELEMENTWISE:
        from ck import _elementwise

        return getattr(_elementwise, _ELEMENTWISE[name])
    if name in _FOR_KERNELS:
        return _source.KernelOnly(f"cuda.{name}")
    if name in _types.VECTORS:
        return _types.VECTORS[name]
    if name in _types.TYPES:
        return _types.TYPES[name]
    if name in _INSTEAD:
        raise NotImplementedError(f"ck.cuda has no {name}: {_INSTEAD[name]}")
    raise AttributeError(f"ck.cuda has no {name}")


def __dir__():
    return sorted({*globals(), *_ARRAYS, *_ELEMENTWISE, *_FOR_KERNELS})


# --- Devices --------------------------------------------------------------------------------------


class Device:
    """A device: `id`, `name`, `compute_capability`, and the driver's attributes in capitals."""

    _ATTRIBUTES = {
        "MAX_THREADS_PER_BLOCK": 1, "MAX_BLOCK_DIM_X": 2, "MAX_BLOCK_DIM_Y": 3,
        "MAX_BLOCK_DIM_Z": 4, "MAX_GRID_DIM_X": 5, "MAX_GRID_DIM_Y": 6, "MAX_GRID_DIM_Z": 7,
        "MAX_SHARED_MEMORY_PER_BLOCK": 8, "TOTAL_CONSTANT_MEMORY": 9, "WARP_SIZE": 10,
        "MAX_PITCH": 11, "MAX_REGISTERS_PER_BLOCK": 12, "CLOCK_RATE": 13, "TEXTURE_ALIGNMENT": 14,
        "GPU_OVERLAP": 15, "MULTIPROCESSOR_COUNT": 16, "KERNEL_EXEC_TIMEOUT": 17, "INTEGRATED": 18,
        "CAN_MAP_HOST_MEMORY": 19, "COMPUTE_MODE": 20, "CONCURRENT_KERNELS": 31, "ECC_ENABLED": 32,
        "PCI_BUS_ID": 33, "PCI_DEVICE_ID": 34, "TCC_DRIVER": 35, "MEMORY_CLOCK_RATE": 36,
        "GLOBAL_MEMORY_BUS_WIDTH": 37, "L2_CACHE_SIZE": 38, "MAX_THREADS_PER_MULTI_PROCESSOR": 39,
        "ASYNC_ENGINE_COUNT": 40, "UNIFIED_ADDRESSING": 41, "PCI_DOMAIN_ID": 50,
        "COMPUTE_CAPABILITY_MAJOR": 75, "COMPUTE_CAPABILITY_MINOR": 76,
        "STREAM_PRIORITIES_SUPPORTED": 78, "GLOBAL_L1_CACHE_SUPPORTED": 79,
        "LOCAL_L1_CACHE_SUPPORTED": 80, "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": 81,
        "MAX_REGISTERS_PER_MULTIPROCESSOR": 82, "MANAGED_MEMORY": 83, "MULTI_GPU_BOARD": 84,
        "PAGEABLE_MEMORY_ACCESS": 88, "CONCURRENT_MANAGED_ACCESS": 89,
        "COOPERATIVE_LAUNCH": 95, "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 97,
        "MAX_BLOCKS_PER_MULTIPROCESSOR": 106, "RESERVED_SHARED_MEMORY_PER_BLOCK": 111,
    }
    _CPU = {"MAX_THREADS_PER_BLOCK": 1024, "MAX_BLOCK_DIM_X": 1024, "MAX_BLOCK_DIM_Y": 1024,
            "MAX_BLOCK_DIM_Z": 64, "MAX_GRID_DIM_X": 2**31 - 1, "MAX_GRID_DIM_Y": 65535,
            "MAX_GRID_DIM_Z": 65535, "WARP_SIZE": 32, "COOPERATIVE_LAUNCH": 1,
            "MAX_SHARED_MEMORY_PER_BLOCK": 227 << 10, "TOTAL_CONSTANT_MEMORY": 64 << 10,
            "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 227 << 10, "INTEGRATED": 1, "MANAGED_MEMORY": 1,
            "UNIFIED_ADDRESSING": 1, "CAN_MAP_HOST_MEMORY": 1, "COMPUTE_CAPABILITY_MAJOR": 9,
            "COMPUTE_CAPABILITY_MINOR": 0}

    def __init__(self, device):
        self._device = device
        self.id = device.ordinal

    @property
    def name(self):
        return self._device.name.encode()

    @property
    def compute_capability(self):
        if not self._device.is_gpu:
            return (9, 0)
        return tuple(self._device.driver.attribute(number) for number in (75, 76))

    @property
    def uuid(self):
        """"GPU-..." as nvidia-smi has it; the CPU's has zeros."""
        digits = self._device.driver.uuid().hex() if self._device.is_gpu else "0" * 32
        parts = (digits[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))
        return f"GPU-{'-'.join(parts)}"

    def __getattr__(self, name):
        if name not in self._ATTRIBUTES:
            raise AttributeError(f"a device of ck.cuda has no {name}")
        if self._device.is_gpu:
            return self._device.driver.attribute(self._ATTRIBUTES[name])
        if name == "MULTIPROCESSOR_COUNT":
            return os.cpu_count()
        return self._CPU.get(name, 0)

    def __repr__(self):
        return f"<ck.cuda device {self._device.spec} '{self._device.name}'>"

    def __eq__(self, other):
        return isinstance(other, Device) and other._device is self._device

    def __hash__(self):
        return hash(self._device)

    def __enter__(self):
        self._before = _device.current()
        _device.select(self.id)
        return self

    def __exit__(self, *_):
        _device.select(self._before.ordinal)

    def synchronize(self):
        self._device.synchronize()

    def reset(self):
        """Waits for all work. ck keeps no state of a device that could be reset."""
        self._device.synchronize()

    @property
    def primary_context(self):
        return Context(self._device)


class MemoryInfo(NamedTuple):
    """Bytes of a device's memory."""

    free: int
    total: int


class Context:
    """The context of a device."""

    def __init__(self, device):
        self._device = device
        self.device = Device(device)

    def get_memory_info(self):
        """(free, total) bytes of the device's memory."""
        if self._device.is_gpu:
            return MemoryInfo(*self._device.driver.memory_info())
        page = os.sysconf("SC_PAGE_SIZE")
        return MemoryInfo(os.sysconf("SC_AVPHYS_PAGES") * page, os.sysconf("SC_PHYS_PAGES") * page)

    def synchronize(self):
        self._device.synchronize()

    def reset(self):
        """Waits for all work: memory is freed with its last array."""
        self._device.synchronize()

    @property
    def deallocations(self):
        """What memory waits to be freed: none, as it is freed with its last array."""
        return Deallocations()


class Deallocations:
    """An empty list of memory that waits to be freed."""

    def __len__(self):
        return 0

    def clear(self):
        """Has no effect."""

    def disable(self):
        """A context without effect."""
        return contextlib.nullcontext()


class _Gpus:
    """The devices there are, as a sequence: `with cuda.gpus[1]: ...`."""

    def __len__(self):
        return _device.count()

    def __getitem__(self, number):
        if not 0 <= number < len(self):
            raise IndexError(number)
        before = _device.current()
        device = _device.select(number)
        _device._local.device = before
        return Device(device)

    def __repr__(self):
        return f"<ck.cuda devices {list(self)}>"

    @property
    def lst(self):
        return list(self)

    @property
    def current(self):
        return get_current_device()


gpus = _Gpus()
list_devices = _Gpus


def is_available():
    """True: where there is no GPU, kernels run on the CPU."""
    return True


def is_supported_version():
    return True


def cudadrv_is_available():
    return bool(_core.gpu_count())


def detect():
    """Prints the devices, and returns whether there is one."""
    print(f"Found {len(gpus)} device{'s' * (len(gpus) != 1)}")
    for device in gpus:
        print(f"id {device.id}    {device._device.name}    {device._device.spec}")
    return True


def select_device(device_id):
    """Makes a device this thread's."""
    return Device(_device.select(int(device_id)))


def get_current_device():
    return Device(_device.current())


def current_context(devnum=None):
    return Context(_device.current() if devnum is None else gpus[devnum]._device)


def require_context(function):
    """The function itself: ck makes a device's context when something uses it."""
    return function


def close():
    """Waits for all work."""
    _device.current().synchronize()


def synchronize():
    """Waits for all work of the device. Raises what a kernel failed with."""
    _device.current().synchronize()


# --- Streams and events ---------------------------------------------------------------------------


def stream():
    """A new stream, whose work does not wait for other streams'."""
    return _device.new_stream(_device.current())


def default_stream():
    return _device.Stream(_device.current(), 0, owned=False)


def legacy_default_stream():
    return _device.Stream(_device.current(), 1 if _device.current().is_gpu else 0, owned=False)


def per_thread_default_stream():
    return _device.Stream(_device.current(), 2 if _device.current().is_gpu else 0, owned=False)


def external_stream(ptr):
    """A stream that another package made, by its handle."""
    return _device.Stream(_device.current(), int(ptr), owned=False)


def event(timing=True):
    """A new event."""
    return _device.Event(_device.current(), timing)


def event_elapsed_time(evtstart, evtend):
    """Milliseconds from one event to another."""
    return evtstart.elapsed_time(evtend)


# --- Memory ---------------------------------------------------------------------------------------


def is_cuda_array(obj):
    """Whether an object is an array on the device."""
    return hasattr(obj, "__cuda_array_interface__") or hasattr(obj, "_ghost")


def In(ary):
    """An argument of a launch that the kernel may write, and the caller's array keeps its values."""
    from ck import _device_array

    return ary if is_cuda_array(ary) else _device_array.to_device(ary)


def Out(ary):
    """An argument of a launch that the kernel writes: the array itself, as any that is written."""
    return ary


def InOut(ary):
    """An argument of a launch that the kernel reads and writes: the array itself."""
    return ary


@contextlib.contextmanager
def pinned(*arylist):
    """Has no effect: the copies of these arrays are right, and no faster."""
    yield


@contextlib.contextmanager
def defer_cleanup():
    """Has no effect: memory is freed with its last array."""
    yield


# --- Code, and profilers --------------------------------------------------------------------------


def compile_ptx(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None,
                opt=True, **options):
    """(PTX, void) of a kernel for one signature, and for a compute capability `cc`, as (9, 0):
    without it the device's."""
    if device:
        raise NotImplementedError("a device function by itself has no PTX: kernels contain its code")
    kernel = jit(pyfunc, lineinfo=lineinfo, fastmath=fastmath)
    return kernel.ptx_for(sig, cc), _types.TYPES["void"]


def compile_ptx_for_current_device(pyfunc, sig, **options):
    """compile_ptx for the device's compute capability."""
    return compile_ptx(pyfunc, sig, **options)


def profile_start():
    """Lets a profiler that is attached to the process begin. The CPU device has none."""
    if _device.current().is_gpu:
        _device.current().driver.profiler_start()


def profile_stop():
    """Lets a profiler end."""
    if _device.current().is_gpu:
        _device.current().driver.profiler_stop()


@contextlib.contextmanager
def profiling():
    """A context in which a profiler is at work."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()
