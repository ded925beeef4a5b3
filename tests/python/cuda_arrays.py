"""Arrays in a GPU's memory, with the driver's stand-in: its device memory is the host's, and its
kernels store one byte at the first argument's address, or do nothing."""

from python.common import KERNELS, fake_gpu

# What a GPU's array is to ck: an address that the driver knows, and how it is laid out.
ARRAYS = '''
from ck import _core
import ctypes
gpu = _core.gpu(0)

class Cai:
    def __init__(self, shape=(8,), typestr="<i4", strides=None, stream=None, read_only=False, mask=None, offset=0, address=None):
        self.address = gpu.allocate(256) if address is None else address
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (self.address + offset, read_only), "version": 3,
            "strides": strides, "stream": stream, "mask": mask}

def first_byte(array):
    return ctypes.c_uint8.from_address(array.address).value
'''


def launches(log):
    return [line for line in log if line.startswith("cuLaunch")]


def copies(log):
    return [line for line in log if line.startswith(("cuMemcpy", "cuMemAlloc"))]


def test_used_where_they_lie(t):
    """The kernel gets the address; nothing is copied, and the launch is not waited for."""
    log = fake_gpu(t, ARRAYS + '''
x = Cai()
ctypes.memset(x.address, 0, 256)
mod.fixed[1, 8](x)
assert first_byte(x) == 9
y = Cai(shape=(4, 4), strides=(16, 4))
mod.copy2[(1, 1), (4, 4)](y, Cai(shape=(4, 4), offset=64))
mod.copy2[(1, 1), (4, 4)](Cai(shape=(2, 2), strides=(-16, 8), offset=64), y)
mod.fixed[1, 8](Cai(shape=(0,), address=0))
''', store=9)
    assert len(launches(log)) == 4, log
    assert "copy2__int32a2_int32c2" in launches(log)[2], launches(log)
    assert all("MemcpyH" not in line and "MemcpyD" not in line for line in log), copies(log)
    assert "cuStreamSynchronize" not in " ".join(log)


def test_wrong(t):
    fake_gpu(t, ARRAYS + '''
raises(ck.LaunchError, "float32", lambda: mod.fixed[1, 8](Cai(typestr="<f4")))
raises(ck.LaunchError, "x", lambda: mod.fixed[1, 8](Cai(strides=(8,))))
raises(TypeError, "mask", lambda: mod.fixed[1, 8](Cai(mask=Cai())))
raises(TypeError, "strides for", lambda: mod.fixed[1, 8](Cai(strides=(8, 8))))
raises(TypeError, "elements of dtype", lambda: mod.fixed[1, 8](Cai(typestr="|S4")))
freed = Cai()
gpu.release(freed.address)
raises(ValueError, "was freed", lambda: mod.fixed[1, 8](freed))
host = np.zeros(8, np.int32)
raises(ValueError, "no memory that the CUDA driver knows", lambda: mod.fixed[1, 8](Cai(address=host.ctypes.data)))
there = Cai(address=_core.gpu(1).allocate(64))
on_zero = ck.compile(text=KERNELS, device="cuda:0")
error = raises(ValueError, "lies on GPU 1", lambda: on_zero.fixed[1, 8](there))
assert 'device="cuda:1"' in str(error)
on_one = ck.compile(text=KERNELS, device="cuda:1")
assert on_one.device == "cuda:1"
on_one.fixed[1, 8](there)
raises(ValueError, "lies on GPU 0", lambda: on_one.fixed[1, 8](Cai()))
raises(ck.Error, "", lambda: ck.compile(text=KERNELS, device="cuda:2"))
class Property:
    @property
    def __cuda_array_interface__(self):
        raise RuntimeError("no memory yet")
raises(RuntimeError, "no memory yet", lambda: mod.fixed[1, 8](Property()))
''', devices=2)


def test_launch_where_the_arrays_lie(t):
    """With device="cuda" a launch is on the GPU that has the arrays; all of them must lie there."""
    log = fake_gpu(t, ARRAYS + '''
other = _core.gpu(1)
def there(n=64):
    return Cai(shape=(4, 4), address=other.allocate(n))
kernel = mod.copy2
for _ in range(3):
    kernel[1, 8](there(), there())
kernel[1, 8](x=there(), y=np.zeros((4, 4), np.int32))
mod.copy2[1, 8, 5](Cai(shape=(4, 4)), Cai(shape=(4, 4)))
raises(ValueError, "lies on GPU", lambda: mod.copy2[1, 8](there(), Cai(shape=(4, 4))))
raises(ValueError, "lies on GPU", lambda: mod.copy2[1, 8](Cai(shape=(4, 4)), there()))
third = Cai(shape=(4, 4), address=_core.gpu(2).allocate(64))
raises(ValueError, "lies on GPU", lambda: mod.copy2[1, 8](there(), third))
mod.copy2[1, 8](third, third)
''', devices=3)
    assert len(launches(log)) == 6, launches(log)
    retained = {line for line in log if line.startswith("cuDevicePrimaryCtxRetain")}
    assert retained == {f"cuDevicePrimaryCtxRetain {n}" for n in range(3)}, retained
    assert [line[-1] for line in launches(log)] == ["0"] * 4 + ["1", "0"]


def test_no_driver(t):
    """Without a driver "auto" is the CPU device, and "cuda" an error."""
    log = fake_gpu(t, '''
raises(ck.Error, "", lambda: ck.compile(text=KERNELS, device="cuda"))
assert ck.compile(text=KERNELS, device="auto").device == "cpu"
''', head=KERNELS.replace('check="")', 'check="", device="cpu")'), devices=0)
    assert not launches(log)


def test_checks_choose_the_cpu(t):
    """A GPU has checks of bounds alone, so that "auto" with others is the CPU device."""
    fake_gpu(t, '''
assert ck.compile(text=KERNELS, device="auto", check="bounds").device == "cuda:0"
assert ck.compile(text=KERNELS, device="auto", check="all").device == "cpu"
raises(ck.LaunchError, "", lambda: ck.compile(text=KERNELS, device="cuda", check="race").fixed[1, 8](np.zeros(8, np.int32)))
''')


def test_streams(t):
    """A launch comes after the streams of its arrays, which their interfaces name."""
    log = fake_gpu(t, ARRAYS + '''
streams = [gpu.stream_create(1) for _ in range(3)]
class Protocol:
    def __cuda_stream__(self):
        return 0, streams[1]
class CuPy:
    ptr = streams[1]
class PyTorch:
    cuda_stream = streams[1]
class Numba:
    handle = ctypes.c_void_p(streams[1])
class Handle:
    def __int__(self):
        return streams[1]
class Bindings:
    handle = Handle()
class Default:
    handle = ctypes.c_void_p(None)
from ck import _device
for stream in (streams[1], Protocol(), CuPy(), PyTorch(), Numba(), Bindings()):
    assert _device.handle_of(stream) == streams[1]
    mod.fixed[1, 8, stream](Cai())
mod.fixed[1, 8, streams[1]](Cai(stream=streams[1]))
mod.fixed[1, 8, Default()](Cai())
gpu.synchronize()
mod.copy2[1, 8, streams[1]](Cai(shape=(4, 4), stream=streams[0]), Cai(shape=(4, 4), stream=streams[2]))
mod.fixed[1, 8, None](Cai(stream=1))
raises(TypeError, "a stream is", lambda: mod.fixed[1, 8, object()])
assert _device.handle_of(Default()) == 0
raises(ValueError, "more than 8 streams", lambda: mod.nested[1, 1]((0, tuple(Cai(stream=i) for i in range(2, 12))), Cai()))
''')
    before, after = log[:log.index("cuCtxSynchronize")], log[log.index("cuCtxSynchronize"):]
    assert [line[-1] for line in launches(before)] == 7 * ["1"] + ["0"]
    assert not [line for line in before if line.startswith("cuStreamWait")]
    order = [line for line in after if line.startswith(("cuEventRecord", "cuStreamWaitEvent", "cuLaunch"))]
    assert sorted(order[:4]) == ["cuEventRecord 1 1", "cuEventRecord 1 3"] + 2 * ["cuStreamWaitEvent 2 0"], order
    assert order[4].startswith("cuLaunchKernel copy2") and order[5].endswith("stream=0"), order


def test_host_arrays(t):
    """Arrays in the host's memory are copied to the GPU and back, those that overlap as one."""
    log = fake_gpu(t, ARRAYS + '''
base = rng.integers(0, 100, (6, 10)).astype(np.int32)
kept = base.copy()
mod.fixed[1, 8](base[0, :8])
kept[0, :1].view(np.uint8)[0] = 9
assert (base == kept).all()
part = base[::2, ::-3]                     # its last column comes first in memory
mod.swap[1, (2, 2)](part, base[1:3])
kept[0, 9:].view(np.uint8)[0] = 9
assert (base == kept).all()
mod.copy2[1, (2, 2)](part, base[1:3])      # whatever happens to `part` there: the kernel only reads it
assert (base == kept).all()
mod.copy2[1, (2, 2)](base, base.T)
kept[0, :1].view(np.uint8)[0] = 9
assert (base == kept).all()
frozen = np.zeros(8, np.int32)
frozen.flags.writeable = False
raises(ValueError, "argument 1: the kernel writes this array", lambda: mod.fixed[1, 8](frozen))
assert not frozen.any()
odd = np.zeros(37, np.uint8)[1:33].view(np.int32)
raises(ck.LaunchError, "", lambda: mod.fixed[1, 8](odd))
mod.fixed[1, 8](np.zeros(0, np.int32))
x = Cai(shape=(6, 10))
mod.copy2[1, 8, gpu.stream_create(1)](x, base)
''', store=9)
    assert sum("cuMemAlloc_v2" in line for line in log) == sum("cuMemFree" in line for line in log) + 1
    last = [i for i, line in enumerate(log) if line.startswith("cuLaunch")][-1]
    assert [line for line in log[:last] if "cuStreamWaitEvent" in line] == ["cuStreamWaitEvent 1 0"]
    assert "cuStreamSynchronize 1" in log[last:], log[last:]


def test_only_written_arrays_come_back(t):
    log = fake_gpu(t, ARRAYS + '''
x, y = np.ones((3, 3), np.int32), np.zeros((3, 3), np.int32)
x.flags.writeable = False
mod.copy2[1, (3, 3)](x, y)
''')
    assert sum("cuMemcpyHtoD" in line for line in log) == 2, copies(log)
    assert sum("cuMemcpyDtoH" in line for line in log) == 1, copies(log)


def test_read_only_in_gpu_memory(t):
    """A kernel may read it; one that writes it is refused before its launch."""
    log = fake_gpu(t, ARRAYS + '''
x, y = Cai(shape=(4, 4), read_only=True), Cai(shape=(4, 4))
mod.copy2[1, (4, 4)](x, y)
mod.copy2[1, (4, 4)](x, x.__class__(shape=(4, 4), address=x.address))
raises(ValueError, "argument 2 `y`: the array is read-only, and the kernel may write it: pass a copy", lambda: mod.copy2[1, (4, 4)](y, x))
raises(ValueError, "argument 1 `x`", lambda: mod.fixed[1, 8](Cai(read_only=True)))
checked = ck.compile(text=KERNELS, check="bounds")
checked.copy2[1, (4, 4)](x, y)
''')
    assert len(launches(log)) == 3, launches(log)


def test_host_arrays_without_memory(t):
    """An allocation or a copy that fails leaves nothing behind and the arrays as they were."""
    for call in ("cuMemAlloc_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuLaunchKernel", "cuStreamSynchronize"):
        log = fake_gpu(t, '''
x, y = np.arange(8, dtype=np.int32), np.arange(8, dtype=np.int32)
try:
    mod.copy2[1, 8](x.reshape(2, 4), y.reshape(2, 4))
except (ck.LaunchError, MemoryError) as error:
    pass
else:
    assert os.environ["FAKE_CUDA_FAIL"].startswith("cuStreamS")
assert (x == range(8)).all() and (y == range(8)).all()
''', fail=f"{call}=2")
        made = sum("cuMemAlloc_v2" in line for line in log) if call != "cuMemAlloc_v2" else 0
        assert made == sum("cuMemFree" in line for line in log), (call, log)


DLPACK = ARRAYS + '''
class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("byte_offset", ctypes.c_uint64)]
class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

class Dl:
    def __init__(self, shape=(8,), strides=None, code=0, bits=32, lanes=1, kind=2, offset=0, major=1, flags=0, old=False, address=None):
        self.address = address or gpu.allocate(256)
        self.arrays = [None if n is None else (ctypes.c_int64 * len(n))(*n) for n in (shape, strides)]
        pointers = [a and ctypes.addressof(a) for a in self.arrays]
        self.kind, self.old = kind, old
        self.whole = Versioned(major, 0, None, None, flags,
                               Tensor(self.address, kind, 0, len(shape), code, bits, lanes, *pointers, offset))
    def __dlpack_device__(self):
        return self.kind, 0
    def __dlpack__(self, *, stream=None, **rest):
        self.stream = stream
        if self.old:
            if rest:
                raise TypeError("max_version")
            return new_capsule(ctypes.addressof(self.whole.tensor), b"dltensor", None)
        assert rest == {"max_version": (1, 0)}
        return new_capsule(ctypes.addressof(self.whole), b"dltensor_versioned", None)
'''


def test_dlpack(t):
    log = fake_gpu(t, DLPACK + '''
for old in (False, True):
    x = Dl(old=old)
    ctypes.memset(x.address, 0, 256)
    mod.fixed[1, 8](x)
    assert first_byte(x) == 9 and x.stream == 1
    x = Dl(shape=(2, 3), strides=(1, 2), offset=32, old=old)
    ctypes.memset(x.address, 0, 256)
    mod.copy2[1, 8, 77](x, x)
    assert ctypes.string_at(x.address, 64) == bytes(32) + bytes([9]) + bytes(31) and x.stream == 77
types = [(6, 8), (0, 8), (0, 16), (0, 32), (0, 64), (1, 8), (1, 16), (1, 32), (1, 64), (2, 16), (2, 32), (2, 64), (4, 16), (5, 64), (5, 128)]
names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128"
for (code, bits), name in zip(types, names.split()):
    assert mod.race.prepare(Dl(code=code, bits=bits)) == f"({name}[::1])"
raises(TypeError, "DLPack's type", lambda: mod.race[1, 1](Dl(lanes=2)))
raises(TypeError, "DLPack's type", lambda: mod.race[1, 1](Dl(code=3)))
raises(TypeError, "kind 10", lambda: mod.race[1, 1](Dl(kind=10)))
raises(TypeError, "DLPack 2", lambda: mod.race[1, 1](Dl(major=2)))
raises(TypeError, "at most 8 dimensions", lambda: mod.race[1, 1](Dl(shape=(1,) * 9)))
host = np.arange(8, dtype=np.int32)
there = Dl(kind=1, address=host.ctypes.data)
mod.fixed[1, 8](there)
assert there.stream is None and host.view(np.uint8)[0] == 9
on_cpu = ck.compile(text=KERNELS, device="cpu")
on_cpu.fixed[1, 8](there)
assert (host == 7).all()
host[:] = 5
raises(ValueError, "read-only", lambda: on_cpu.race[1, 8](Dl(kind=1, address=host.ctypes.data, flags=1)))
assert (host == 5).all()
raises(ValueError, "read-only", lambda: on_cpu.race[1, 8](Dl(kind=1, address=host.ctypes.data, old=True)))
assert (host == 5).all()
raises(TypeError, "GPU's memory", lambda: on_cpu.fixed[1, 8](Dl()))
''', store=9)
    assert launches(log)


# PyTorch as ck sees it: the methods that it calls.
TORCH = ARRAYS + '''
import sys, types
class Dtype:
    def __init__(self, name):
        self.name = name
    def __str__(self):
        return "torch." + self.name
class Tensor:
    requires_grad = negated = conjugated = False
    def __init__(self, shape=(8,), stride=(1,), dtype="int32", ordinal=0, address=None):
        self.shape, self.strides, self.dtype, self.ordinal = shape, stride, Dtype(dtype), ordinal
        self.address = address or gpu.allocate(256)
    def get_device(self):
        return self.ordinal
    def data_ptr(self):
        return self.address
    def stride(self):
        return self.strides
    def is_neg(self):
        return self.negated
    def is_conj(self):
        return self.conjugated
class Parameter(Tensor):
    pass
stream = gpu.stream_create(1)
sys.modules["torch"] = types.SimpleNamespace(Tensor=Tensor)
sys.modules["torch._C"] = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda ordinal: stream)
'''


def test_torch(t):
    """Tensors are read by their methods, and launched on PyTorch's current stream."""
    log = fake_gpu(t, TORCH + '''
x = Tensor()
ctypes.memset(x.address, 0, 256)
mod.fixed[1, 8](x)
assert first_byte(x) == 9
mod.fixed[1, 8, 0](x)
mod.fixed[1, 8](Cai())
mod.copy2[1, 8](Parameter((2, 3), (1, 2)), Tensor((2, 3), (3, 1)))
assert mod.race.prepare(Tensor(dtype="bfloat16")) == "(bfloat16[::1])"
raises(TypeError, "no elements of dtype torch.float8_e4m3fn", lambda: mod.race[1, 1](Tensor(dtype="float8_e4m3fn")))
for member, text in (("requires_grad", "x.detach()"), ("negated", "x.resolve_neg()"), ("conjugated", "x.resolve_conj()")):
    y = Tensor(dtype="complex64" if member == "conjugated" else "int32")
    setattr(y, member, True)
    raises(TypeError, text, lambda: mod.fixed[1, 8](y))
raises(ck.LaunchError, "float32", lambda: mod.fixed[1, 8](Tensor(dtype="float32")))
mod.fixed[1, 8](Tensor(ordinal=1, address=_core.gpu(1).allocate(64)))
host = np.arange(8, dtype=np.int32)
mod.fixed[1, 8](Tensor(ordinal=-1, address=host.ctypes.data))
assert host.view(np.uint8)[0] == 9
on_cpu = ck.compile(text=KERNELS, device="cpu")
on_cpu.fixed[1, 8](Tensor(ordinal=-1, address=host.ctypes.data))
assert (host == 7).all()
raises(TypeError, "x.cpu()", lambda: on_cpu.fixed[1, 8](x))
''', store=9, devices=2)
    streams = [line[-1] for line in launches(log)]
    assert streams == ["1", "0", "0", "1", "1", "0"], launches(log)


KNOWN = """
import numpy as np
from ck import cuda
from ck import _core

@cuda.jit
def store(x, y):
    x[0] = y[0]
"""


def test_known_arrays(t):
    """A launch with arrays of ck.cuda calls the driver twice, and not about their memory."""
    log = fake_gpu(t, KNOWN + '''
x = cuda.to_device(np.zeros((4, 6), np.float32))
views = x[1, 2:], x[::2, 1], x.T[3], x.ravel()[5:9], x.view(np.int32)[2]
for _ in range(3):
    cuda.synchronize()
    for view in views:
        store[1, 1](view, x[0])
assert cuda.current_context().get_memory_info()
''')
    third = log[len(log) - 1 - log[::-1].index("cuCtxSynchronize"):]
    calls = [line.split()[0] for line in third[2:] if not line.startswith("cuMemGetInfo")]
    assert calls[:10] == 5 * ["cuCtxGetCurrent", "cuLaunchKernel"], third


def test_known_arrays_are_read_alike(t):
    """What a launch remembers of an array is what it reads of one without ck's memory."""
    log = fake_gpu(t, KNOWN + '''
class Cai:
    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__
x = cuda.to_device(np.zeros((6, 8), np.float64))
for view in (x, x[1:, 3:], x[::2, ::3], x[::-1], x.T, x[:0], x[2], x[..., 5], x.view(np.uint8), x.reshape(2, 24)):
    for array in (view, view, Cai(view)):
        cuda.synchronize()
        store[1, 1](array, array)
''', params=1)
    lines = launches(log)
    assert len(lines) == 30 and all(lines[i] == lines[i + 1] == lines[i + 2] for i in range(0, 30, 3)), lines


def test_known_arrays_of_others(t):
    """An array around another package's memory is asked for at each launch, and one on another GPU
    is no argument."""
    fake_gpu(t, KNOWN + '''
class Cai:
    address = _core.gpu(0).allocate(64)
    __cuda_array_interface__ = {"shape": (8,), "typestr": "<f4", "version": 3, "data": (address, False)}
x = cuda.as_cuda_array(Cai())
y = cuda.device_array(8, np.float32)
store[1, 1](x, y)
store[1, 1](x, y)
_core.gpu(0).release(Cai.address)
raises(ValueError, "argument 1: its address lies in no memory", lambda: store[1, 1](x, y))
store[1, 1](y, y)
cuda.select_device(1)
raises(ValueError, "the array lies on GPU 0, and the kernel runs on GPU 1", lambda: store[1, 1](y, y))
there = cuda.device_array(8, np.float32)
store[1, 1](there, there)
on_any = ck.compile(text=KERNELS, device="cuda")
on_any.fixed[1, 8](cuda.device_array(8, np.int32))
raises(ValueError, "the array lies on GPU", lambda: on_any.swap[1, (1, 1)](there, y))
on_cpu = ck.compile(text=KERNELS, device="cpu")
for _ in range(2):
    raises(TypeError, "which the CPU device cannot read", lambda: on_cpu.fixed[1, 8](y))
for array in (cuda.managed_array(8, np.float32), cuda.device_array(8, np.float32)):
    for _ in range(2):
        store[1, 1](array, array)
''', devices=2)


def test_context_of_a_thread(t):
    """The first GPU's context becomes that of a thread that has none; no other is changed."""
    log = fake_gpu(t, '''
import ctypes
import numpy as np
from ck import cuda
driver = ctypes.CDLL("libcuda.so.1")
def current():
    context = ctypes.c_void_p()
    assert driver.cuCtxGetCurrent(ctypes.byref(context)) == 0
    return context.value
assert current() is None
cuda.select_device(1)
assert current() is None
cuda.to_device(np.zeros(4))
assert current() is None
cuda.select_device(0)
first = current()
assert first
cuda.select_device(1)
cuda.to_device(np.zeros(4))
assert current() == first
driver.cuCtxSetCurrent(None)
driver.cuCtxSetCurrent(ctypes.c_void_p(first + 1))
cuda.select_device(0)
assert current() == first + 1
''', head="", devices=2)
    assert log.count("cuCtxSetCurrent") == 3, log


def test_driver_is_used_in_its_context(t):
    """Every call that needs a context has one, and leaves the caller's as it was."""
    fake_gpu(t, ARRAYS + '''
driver = ctypes.CDLL("libcuda.so.1")
mod.fixed[1, 8](Cai())
mod.fixed[1, 8, gpu.stream_create(0)](np.zeros(8, np.int32))
event = gpu.event_create(0)
gpu.event_record(event, 0)
assert gpu.event_query(event) and gpu.stream_query(0) and gpu.event_elapsed(event, event) == 0
gpu.event_synchronize(event)
gpu.stream_wait(0, event)
gpu.event_destroy(event)
assert gpu.memory_info() == (1 << 30, 2 << 30) and gpu.name == "Fake GPU" and gpu.ordinal == 0
assert gpu.attribute(75) == 9
page = gpu.host_allocate(64, 0)
gpu.copy(gpu.allocate(64), page, 64, 0)
gpu.host_free(page)
gpu.release(gpu.allocate_managed(64))
raises(ck.Error, "INVALID_DEVICE", lambda: _core.gpu(5))
raises(OverflowError, "", lambda: gpu.allocate(-1))
mod.synchronize()
assert driver.fake_cuda_depth() == 0
''')
