"""The device that ck.cuda works on: GPUs, or the CPU. CK_DEVICE and CK_CHECK choose, as they do for
ck.compile."""

import os
import threading
import time
import weakref

from ck import _core

_NON_BLOCKING = 1
_TIMED, _UNTIMED = 0, 2


class Cpu:
    """The CPU device: its memory is NumPy's, and work is complete when a call returns."""

    is_gpu = False
    name = "cpu"
    ordinal = 0

    @property
    def spec(self):
        spec = os.environ.get("CK_DEVICE", "")
        return spec if spec.startswith("cpu") else "cpu"

    def allocate(self, nbytes):
        import numpy

        memory = numpy.empty(nbytes + 256, numpy.uint8)  # aligned as a GPU's
        address = memory.__array_interface__["data"][0]
        return (address + 255) // 256 * 256, memory

    def copy(self, to, source, nbytes, stream=0):
        import ctypes

        ctypes.memmove(to, source, nbytes)

    def synchronize(self, stream=None):
        pass


class Gpu:
    """One GPU, by the driver."""

    is_gpu = True

    def __init__(self, ordinal):
        self.driver = _core.gpu(ordinal)
        self.ordinal = ordinal
        self.spec = f"cuda:{ordinal}"
        self.name = self.driver.name

    def allocate(self, nbytes):
        address = self.driver.allocate(nbytes)
        return address, Allocation(self.driver.release, address, self.ordinal)

    def allocate_managed(self, nbytes):
        address = self.driver.allocate_managed(nbytes)
        return address, Allocation(self.driver.release, address)

    def allocate_pinned(self, nbytes, flags):
        address = self.driver.host_allocate(nbytes, flags)
        return address, Allocation(self.driver.host_free, address)

    def copy(self, to, source, nbytes, stream=0):
        self.driver.copy(to, source, nbytes, stream)
        if not stream:
            self.driver.stream_synchronize(0)

    def synchronize(self, stream=None):
        if stream is None:
            self.driver.synchronize()
        else:
            self.driver.stream_synchronize(stream)


class Allocation:
    """Memory of one GPU, or that all reach, freed with its last array. At exit the driver frees
    it."""

    def __init__(self, free, address, gpu=None):
        self.gpu = gpu
        finalizer = weakref.finalize(self, _free, free, address)
        finalizer.atexit = False


def _free(free, address):
    try:
        free(address)
    except _core.Error:  # the context is gone, or an earlier kernel failed
        pass


_local = threading.local()
_gpus = {}


def _wants_cpu():
    spec = os.environ.get("CK_DEVICE") or "auto"
    if spec != "auto":
        return spec.startswith("cpu")
    checks = set(filter(None, os.environ.get("CK_CHECK", "").split(",")))
    return bool(checks - {"bounds"}) or not _core.gpu_count()


_cpu = Cpu()


def current():
    """The device of this thread."""
    if getattr(_local, "device", None) is None:
        select(None)
    return _local.device


def select(ordinal):
    """Makes a device this thread's; None: that of the environment."""
    if _wants_cpu():
        if ordinal:
            raise _core.Error(f"there is no GPU {ordinal}: the device is the CPU")
        _local.device = _cpu
        return _local.device
    if ordinal is None:
        _, _, number = (os.environ.get("CK_DEVICE") or "").partition(":")
        ordinal = int(number or 0)
    if ordinal not in _gpus:
        _gpus[ordinal] = Gpu(ordinal)
    _local.device = _gpus[ordinal]
    if ordinal == 0:  # another one would become that of PyTorch's and CuPy's calls
        _local.device.driver.make_current()
    return _local.device


def count():
    """The number of devices that can be selected."""
    return 1 if _wants_cpu() else _core.gpu_count()


def handle_of(stream):
    """The handle of a stream: an int, or an object that has one."""
    if stream is None:
        return 0
    if isinstance(stream, int):
        return stream
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1] or 0
    for name in ("cuda_stream", "ptr", "handle"):
        if hasattr(stream, name):
            handle = getattr(stream, name)
            handle = getattr(handle, "value", handle)
            return 0 if handle is None else int(handle)
    raise TypeError(f"a stream is an int, or an object with __cuda_stream__, not {stream!r}")


class Stream:
    """A queue of work on a device. Work of one stream follows in order."""

    def __init__(self, device, handle, owned=True):
        self._device = device
        self.handle = handle
        if owned and device.is_gpu:
            weakref.finalize(self, _free, device.driver.stream_destroy, handle).atexit = False

    def __cuda_stream__(self):
        return 0, self.handle

    def __int__(self):
        return self.handle

    def __bool__(self):
        return bool(self.handle)

    def __eq__(self, other):
        return isinstance(other, Stream) and other.handle == self.handle

    def __hash__(self):
        return hash(self.handle)

    def synchronize(self):
        """Waits for the work of this stream."""
        self._device.synchronize(self.handle)

    def add_callback(self, callback, arg=None):
        """Calls callback(stream, 0, arg), in a thread of its own, when the work that the stream has
        is done."""
        event = Event(self._device, timing=False)
        event.record(self)

        def wait():
            event.synchronize()
            callback(self, 0, arg)

        threading.Thread(target=wait, daemon=True).start()

    def async_done(self):
        """A future of asyncio that is done when the work that the stream has is done."""
        import asyncio

        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def finish():
            if not future.cancelled():
                future.set_result(self)

        self.add_callback(lambda *_: loop.call_soon_threadsafe(finish))
        return future

    def auto_synchronize(self):
        """A context that waits for the work of this stream at its end."""
        import contextlib

        @contextlib.contextmanager
        def context():
            yield self
            self.synchronize()

        return context()


class Event:
    """A point in a stream's work, and when it was reached."""

    def __init__(self, device, timing=True):
        self._device = device
        self._time = None
        if device.is_gpu:
            self.handle = device.driver.event_create(_TIMED if timing else _UNTIMED)
            weakref.finalize(self, _free, device.driver.event_destroy, self.handle).atexit = False

    def record(self, stream=0):
        """Puts the event behind the work that `stream` has."""
        if self._device.is_gpu:
            self._device.driver.event_record(self.handle, handle_of(stream))
        else:
            self._time = time.perf_counter()

    def synchronize(self):
        """Waits until the event is reached."""
        if self._device.is_gpu:
            self._device.driver.event_synchronize(self.handle)

    def wait(self, stream=0):
        """Makes later work of `stream` wait for the event."""
        if self._device.is_gpu:
            self._device.driver.stream_wait(handle_of(stream), self.handle)

    def query(self):
        """Whether the event is reached."""
        return self._device.driver.event_query(self.handle) if self._device.is_gpu else True

    def elapsed_time(self, end):
        """Milliseconds from this event to `end`."""
        if self._device.is_gpu:
            return self._device.driver.event_elapsed(self.handle, end.handle)
        if self._time is None or end._time is None:
            raise _core.Error("an event was not recorded")
        return (end._time - self._time) * 1e3


def new_stream(device):
    if not device.is_gpu:
        return Stream(device, 0)
    return Stream(device, device.driver.stream_create(_NON_BLOCKING))
