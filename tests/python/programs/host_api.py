"""What programs do around their kernels: devices, memory, events, settings, profilers."""

import asyncio

import numpy as np
from numba import config, cuda
from numba.cuda.cudadrv.devicearray import DeviceNDArray
from numba.cuda.cudadrv.driver import CudaAPIError, Stream
from numba.cuda.cudadrv.error import CudaSupportError

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0


@cuda.jit
def bump(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += i


@cuda.jit
def nothing():
    pass


# Devices and their memory.
device = cuda.get_current_device()
assert device.MAX_THREADS_PER_BLOCK == 1024 and device.WARP_SIZE == 32
assert device.MAX_SHARED_MEMORY_PER_BLOCK >= 48 << 10 and device.MULTIPROCESSOR_COUNT > 0
assert device.compute_capability >= (7, 0) and device.name.decode()
assert len(device.uuid) == 40 and device.uuid.startswith("GPU-") and "device" in repr(cuda.gpus)
assert len(cuda.gpus.lst) == len(cuda.gpus) and cuda.gpus.lst[0].id == 0
for one in cuda.gpus.lst:
    with one:
        free, total = cuda.current_context().get_memory_info()
        assert 0 < free <= total == cuda.current_context().get_memory_info().total
cuda.current_context().deallocations.clear()
with cuda.current_context().deallocations.disable():
    pass
try:
    cuda.select_device(99)
    raise AssertionError("there are no 100 devices")
except (CudaSupportError, CudaAPIError):
    cuda.select_device(0)
assert cuda.require_context(nothing) is nothing and cuda.is_available() and cuda.detect()
nothing[1, 2]()

# Events, and work that is waited for.
start, end = cuda.event(), cuda.event()
start.record()
x = cuda.to_device(np.zeros(1000))
bump[4, 256](x)
end.record()
end.synchronize()
assert start.query() and end.elapsed_time(end) == 0 <= cuda.event_elapsed_time(start, end)

# Memory that the host and the device share.
for make in (cuda.managed_array, cuda.mapped_array):
    shared = make((3, 4), dtype=np.float32)
    shared[:] = 2
    bump[1, 32](shared.ravel())
    cuda.synchronize()
    assert (shared == 2 + np.arange(12).reshape(3, 4)).all() and shared.sum() == 90
    assert isinstance(shared, np.ndarray) and (shared.copy_to_host() == shared).all()
    shared.copy_to_device(np.ones((3, 4)))
    assert (shared == 1).all()
    shared.copy_to_device(cuda.to_device(np.full((3, 4), 5, np.float32)))
    assert (shared == 5).all()
fortran = np.asfortranarray(np.ones((3, 4)))
for like in (cuda.mapped_array_like(fortran), cuda.pinned_array_like(fortran), cuda.device_array_like(fortran)):
    assert like.shape == (3, 4) and like.dtype == np.float64 and like.strides == (8, 24)
assert cuda.mapped_array((2, 2), np.int32, strides=(16, 4)).strides == (16, 4)
assert cuda.managed_array(3).size == 3 and cuda.pinned_array((), np.int8).shape == ()
with cuda.defer_cleanup(), cuda.pinned(fortran), cuda.profiling():
    assert isinstance(cuda.to_device(fortran), DeviceNDArray)
cuda.profile_start()
cuda.profile_stop()
stream = cuda.stream()
assert isinstance(stream, Stream) and x.bind(stream).stream is stream

# What follows a stream's work.
called = []


async def main():
    bump[4, 256, stream](x)
    stream.add_callback(lambda *given: called.append(given), "argument")
    assert await stream.async_done() is stream
    assert (x.copy_to_host(stream=stream)[:3] == [0, 2, 4]).all()


asyncio.run(main())
while not called:
    pass
assert called == [(stream, 0, "argument")]
cuda.current_context().reset()
device.reset()
cuda.close()

# Arguments whose use the program says.
@cuda.jit
def spend(given, doubled, total):
    i = cuda.grid(1)
    if i < given.size:
        doubled[i] = 2 * given[i]
        total[i] += given[i]
        given[i] = 0


given, doubled, total = np.arange(40.0), np.empty(40), np.ones(40)
spend[2, 32](cuda.In(given), cuda.Out(doubled), cuda.InOut(total))
assert (given == np.arange(40)).all() and (doubled == 2 * given).all() and (total == given + 1).all()
on_device = cuda.to_device(given)
spend[2, 32](cuda.In(on_device), cuda.Out(doubled), cuda.InOut(cuda.to_device(total)))
assert (on_device.copy_to_host() == 0).all()
assert isinstance(on_device, cuda.cudadrv.devicearray.DeviceNDArray)
