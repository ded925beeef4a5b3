"""Streams, events, pinned memory, devices: what programs do around their kernels."""
import numpy as np
from numba import cuda


@cuda.jit
def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor


assert cuda.is_available() and len(cuda.gpus) >= 1
cuda.select_device(0)
device = cuda.get_current_device()
assert device.id == 0 and device.WARP_SIZE == 32 and device.MAX_THREADS_PER_BLOCK == 1024
assert len(device.compute_capability) == 2 and device.MULTIPROCESSOR_COUNT >= 1
free, total = cuda.current_context().get_memory_info()
assert 0 < free <= total
with cuda.gpus[0]:
    assert cuda.get_current_device() == device

n = 1000
host = cuda.pinned_array(n, dtype=np.float32)
host[:] = np.arange(n)
stream = cuda.stream()
start, end = cuda.event(), cuda.event(timing=True)
start.record(stream)
d = cuda.to_device(host, stream=stream)
scale[4, 256, stream](d, np.float32(3))
result = d.copy_to_host(stream=stream)
end.record(stream)
end.synchronize()
stream.synchronize()
assert (result == 3 * np.arange(n)).all()
assert cuda.event_elapsed_time(start, end) >= 0 and start.elapsed_time(end) >= 0 and end.query()

with stream.auto_synchronize():
    scale[4, 256, stream](d, np.float32(2))
back = np.empty(n, np.float32)
d.copy_to_host(back)
assert (back == 6 * np.arange(n)).all()
other = cuda.stream()
end.record(stream)
end.wait(other)
scale[4, 256, other](d, np.float32(0.5))
other.synchronize()
assert (d.copy_to_host() == back / 2).all()
scale[4, 256, cuda.default_stream()](d, 0)
cuda.synchronize()
assert not d.copy_to_host().any()
managed = cuda.managed_array(16, np.int32)
managed[:] = 4
assert (managed.copy_to_host() == 4).all()
with cuda.pinned(back), cuda.defer_cleanup():
    pass
assert cuda.is_cuda_array(d) and not cuda.is_cuda_array(back)
assert cuda.as_cuda_array(d) is d
