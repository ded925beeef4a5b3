"""Kernels of Python functions: what their names stand for, and messages with their places."""

from python.common import fake_gpu, freed, script

HELPERS = '''
from ck import cuda
import numpy as np
SIZE = 7
TABLE = np.array([1.5, 2.5, np.inf], np.float32)
N = 100

def offset(v):
    return v + SIZE

@cuda.jit(device=True)
def square(v):
    return v * v + N

def broken(v):
    return v + missing
'''

HEAD = '''
import enum, math, operator, os, sys
from collections import namedtuple
from math import sqrt as root
from typing import List, Optional
import numpy as np, numpy as xp
import ck
import ck.cuda as kuda
from ck import cuda, float64
from ck.cuda import grid as position
device = os.environ["CK_DEVICE"]
rng = np.random.default_rng(int(os.environ["SEED"]))

def raises(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), str(error)
        return error
    raise AssertionError(f"no {kind.__name__}")
'''


def run(t, text, **options):
    t.write("helpers.py", HELPERS)
    script(t, text, head=HEAD, **options)


def test_names(t):
    """Constants, functions and modules by any name, those of two files with one name too."""
    run(t, '''
import helpers
import helpers as h
from helpers import square
N = 5
SIZE = 2
Point = namedtuple("Point", "x y")
class Mode(enum.IntEnum):
    A = 3
MODE, PAIR, FACTOR = Mode.A, (1, (2.5, True)), np.float32(0.1)
TYPE, DTYPE, INF, NOTHING = np.float32, np.dtype("int16"), -math.inf, None
GRID = np.arange(6, dtype=np.int64).reshape(2, 3)
thrice = lambda v: 3 * v

def factorial(n: int) -> ck.int64:
    if n <= 1:
        return 1
    return n * factorial(n - 1)

@cuda.jit
def k(x: List[float], out, p: Optional[int] = 3):
    """What a name of the program means here."""
    i = position(1)
    if i == 0:
        out[0] = square(2) + N
        out[1] = helpers.offset(1) + SIZE
        out[2] = h.SIZE + helpers.TABLE[1]
        out[3] = root(16.0) + xp.sqrt(9.0) + operator.add(1, 2)
        out[4] = MODE + PAIR[0] + PAIR[1][0]
        q = Point(1, 2)
        out[5] = q.x + q.y + thrice(3)
        s = cuda.local.array(4, TYPE)
        s[0] = 1.5
        s2 = kuda.local.array(4, DTYPE)
        s2[0] = 2
        out[6] = s[0] + s2[0]
        out[7] = factorial(5) + p
        out[8] = INF
        out[9] = FACTOR
        out[10] = 1 if NOTHING is None else 0
        out[11] = GRID[1, 2]

out = np.zeros(12)
k[1, 1](np.zeros(1), out)
assert np.allclose(out, [109, 10, 9.5, 10, 6.5, 12, 3.5, 123, -np.inf, 0.1, 1, 5]), out
assert out[9] == np.float32(0.1)
''')


def test_closures(t):
    run(t, '''
def make(factor, function):
    def inner(v):
        return function(v) * factor
    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = inner(x[i])
    return kernel
def negated(v):
    return -v
def halved(v):
    return v / 2
kernels = [make(3, negated), make(5.5, halved)]
for kernel, factor in zip(kernels, (-3, 2.75)):
    x = rng.random(100)
    due = x * factor
    kernel[2, 64](x)
    assert np.allclose(x, due)
''')


def test_scopes(t):
    """Where two values have one name, only uses of the outer name get another."""
    run(t, '''
import helpers
from helpers import offset, square
SIZE, N, v = 1000, 1, 50
SIZE_2 = 5                                       # what the other SIZE might be called
@cuda.jit
def k(x):
    N_2 = 4                                      # and the other N
    SIZE_3 = 6
    f = lambda SIZE: SIZE + 1
    def inner(v, N):
        return v * N
    x[0] = f(10) + SIZE
    x[1] = inner(2, 3) + N + N_2 + v
    x[2] = offset(1) + SIZE + SIZE_2 + SIZE_3
    x[3] = square(1) + helpers.N
    for N_3 in range(3):
        x[4] += N_3 + helpers.SIZE
def use(helpers):
    return helpers.shape[0]
@cuda.jit
def k2(x):
    x[5] = use(x)
x = np.zeros(6)
k[1, 1](x)
k2[1, 1](x)
assert list(x) == [1011, 61, 1019, 201, 24, 6], x
''')


def test_decorators(t):
    run(t, '''
def plain(x):
    x[cuda.grid(1)] = 3
def works(kernel, dtype=np.float64):
    x = np.zeros(8, dtype)
    kernel[1, 8](x)
    assert (x == 3).all()
    return kernel
works(cuda.jit(plain))
works(cuda.jit()(plain))
assert works(cuda.jit("void(float64[:])")(plain)).signatures == ["(float64[:])"]
works(cuda.jit("(f8[:])")(plain))
works(cuda.jit((float64[::1],), fastmath=True, max_registers=32, cache=True, opt=True)(plain))
two = works(cuda.jit([ck.void(float64[:]), "void(int32[:])"])(plain))
works(two, np.int32)
assert two.signatures == ["(float64[:])", "(int32[:])"]
raises(ck.LaunchError, "float32", lambda: works(two, np.float32))
raises(TypeError, "no option fastmat", lambda: cuda.jit(fastmat=True))
raises(NotImplementedError, "linked", lambda: cuda.jit(link=["a.ptx"]))
raises(TypeError, "no signature", lambda: cuda.jit(5))
raises(ValueError, "is launched as plain[grid, block]", lambda: cuda.jit(plain)(1))
raises(RuntimeError, "kernels call it", lambda: cuda.jit(device=True)(plain)(1))
raises(RuntimeError, "cuda.grid is for kernels", lambda: cuda.grid(1))
raises(NotImplementedError, "copy_to_host", lambda: cuda.to_host)
raises(AttributeError, "gird", lambda: cuda.gird)
raises(AttributeError, "int33", lambda: ck.int33)
documented = cuda.jit(plain)
assert documented.__name__ == "plain" and documented.py_func is plain
kernel = works(cuda.jit(plain))
assert kernel.configure(1, 8) and kernel.specialize(np.zeros(8)).signatures == ["(float64[::1])"]
x = np.zeros(1000)
@cuda.jit
def fill(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 1
fill.forall(1000)(x)
fill.forall(0)(x)
assert x.all()
''')


def test_queries(t):
    run(t, '''
@cuda.jit
def k(x, y):
    s = cuda.shared.array(64, np.float32)
    s[cuda.threadIdx.x] = x[cuda.threadIdx.x]
    cuda.syncthreads()
    y[cuda.threadIdx.x] = s[63 - cuda.threadIdx.x]
x = np.arange(64, dtype=np.float32)
y, z = np.zeros_like(x), np.zeros(64)
k[1, 64](x, y)
k[1, 64](x, z)
first, second = "(float32[::1], float32[::1])", "(float32[::1], float64[::1])"
assert k.signatures == [first, second] == list(k.overloads)
ptx = k.inspect_asm()
assert list(ptx) == [first, second] and all(".visible .entry" in text for text in ptx.values())
assert "define" in k.inspect_llvm(first) and k.inspect_asm(first) == ptx[first]
assert k.get_shared_mem_per_block(second) == 256
assert set(k.get_regs_per_thread()) == {first, second}
assert k.get_max_threads_per_block(first) >= 64
k.get_local_mem_per_thread()
import tempfile
holder = tempfile.TemporaryDirectory()
folder = holder.name
os.environ.update(PATH=folder, CUDA_HOME=folder)
def make(name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write("#!/bin/sh\\nPATH=/bin:/usr/bin\\n" + text + "\\n")
    os.chmod(file.name, 0o755)
make("ptxas", 'echo "$1" > "$3"; cat "$4" >> "$3"')
make("nvdisasm", 'cat "$1"')
sass = k.inspect_sass()
assert list(sass) == [first, second] and sass[first] == k.inspect_sass(first)
assert sass[first].startswith("-arch=sm_") and sass[first].endswith(ptx[first]), sass[first]
make("ptxas", "echo line 3: no such instruction >&2; exit 1")
raises(RuntimeError, "ptxas failed: line 3: no such instruction", k.inspect_sass)
os.remove(os.path.join(folder, "nvdisasm"))
from ck import _sass
if not _sass._find("nvdisasm") and not _sass._find("cuobjdump"):
    raises(RuntimeError, "needs ptxas, and nvdisasm or cuobjdump", k.inspect_sass)
compiled = cuda.jit(k.py_func).compile("void(float32[::1], float32[::1])")
compiled[1, 64](x, y)
''')


def test_none_and_defaults(t):
    run(t, '''
@cuda.jit
def k(x, weights=None, bias=2):
    i = cuda.grid(1)
    if i < x.size:
        if weights is None:
            x[i] = bias
        else:
            x[i] = weights[i] + bias
x = np.zeros(10)
k[1, 32](x)
assert (x == 2).all()
k[1, 32](x, None)
assert (x == 2).all()
k[1, 32](x, None, 7)
assert (x == 7).all()
k[1, 32](x, bias=9, weights=None)
assert (x == 9).all()
k[1, 32](x, bias=8)
assert (x == 8).all()
@cuda.jit
def two(x, weights=None, scale=3, bias=2):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = scale + 10 * bias + (100 if weights is None else weights[i])
two[1, 32](x, None, bias=4)
assert (x == 143).all()
raises(Exception, "4", lambda: two[1, 32](x, None, 5, 6, 7))
two[1, 32](x, None, 5)
assert (x == 125).all()
two[1, 32](x, bias=6, weights=np.ones(10))
assert (x == 64).all()
k[1, 32](x, np.arange(10), 1)
assert (x == 1 + np.arange(10)).all()
''')


def test_namedtuples(t):
    """Arguments have their fields, nested too, also where the parameter has no annotation."""
    run(t, '''
Point = namedtuple("Point", "x y")
Line = namedtuple("Line", "start end width")
@cuda.jit
def k(p, out):
    out[0] = p.x + 10 * p[1]
@cuda.jit
def annotated(p: Point, out):
    out[0] = p.x + 10 * p.y
@cuda.jit
def nested(line, pair, weights, out):
    out[0] = line.start.x + line.end.y * line.width + pair[0] + pair[1].x
    if weights is None:
        out[0] += 1000
@cuda.jit
def arrays(p):
    i = cuda.grid(1)
    p.y[i] = 2 * p.x[i]
@cuda.jit("void((int64, float64), float64[::1])")
def declared(p, out):
    out[0] = p[0] + p[1]
out = np.zeros(1)
for kernel in (k, annotated):
    kernel[1, 1](Point(1, 2.5), out)
    assert out[0] == 26
    kernel[1, 1](Point(np.int8(3), np.float32(1)), out)
    assert out[0] == 13
nested[1, 1](Line(Point(1, 2), Point(3, 4), 2.5), (7, Point(8, 9)), None, out)
assert out[0] == 1 + 10 + 7 + 8 + 1000
nested[1, 1](Line(Point(1, 2), Point(3, 4), 2.5), (7, Point(8, 9)), np.zeros(2), out)
assert out[0] == 26
x, y = np.arange(8.0), np.zeros(8)
arrays[1, 8](Point(x, y))
assert (y == 2 * x).all()
declared[1, 1](Point(1, 2.5), out)
assert out[0] == 3.5
raises(ck.CompileError, "has no attribute `x`", lambda: k[1, 1]((1, 2.5), out))
''')


def test_messages(t):
    """Errors and findings have the file, the line and the column of the Python program."""
    run(t, '''
from helpers import broken
def place(error, file, line, column):
    d = error.diagnostics[0]
    assert (os.path.basename(d["file"]), d["line"], d["column"]) == (file, line, column), d["rendered"]

def here():
    return sys._getframe(1).f_lineno

@cuda.jit
def k(x):
    x[0] = broken(x[0])
line = here()
error = raises(ck.CompileError, "`missing` is not defined", lambda: k[1, 1](np.zeros(1)))
place(error, "helpers.py", 16, 16)
assert f"called in line {line - 1} of `k`" in str(error)

class Config:
    pass
CONFIG = Config()
def outer():
    @cuda.jit
    def k(x):
        y = x[0]
        x[0] = y + CONFIG.size
    return k
line = here() - 2
error = raises(ck.CompileError, "a 'Config' of the Python program", lambda: outer()[1, 1](np.zeros(1)))
place(error, "script.py", line, 20)

@cuda.jit("void(int32[:])")
def early(x):
    if cuda.threadIdx.x > 3:
        cuda.syncthreads()
    cuda.syncthreads()
    x[cuda.threadIdx.x] = 1
line = here() - 3
error = raises(ck.CompileError, "not every thread", lambda: early[1, 8](np.zeros(8, np.int32)))
place(error, "script.py", line, 9)

exec("def nowhere(x):\\n    x[0] = 1\\n")
raises(OSError, "cannot be read", lambda: cuda.jit(nowhere)[1, 1](np.zeros(1)))
big = np.zeros(100000)
@cuda.jit
def large(x):
    x[0] = big[1]
raises(ck.CompileError, "an array of 100000 elements", lambda: large[1, 1](np.zeros(1)))
''')


def test_findings(t):
    run(t, '''
@cuda.jit
def race(x):
    x[0] = cuda.threadIdx.x
error = raises(ck.CheckError, "script.py:", lambda: race[1, 32](np.zeros(4, np.int32)))
assert error.diagnostics[0]["line"] == race.py_func.__code__.co_firstlineno + 2

@cuda.jit
def outside(x):
    x[cuda.grid(1)] = 1
error = raises(ck.CheckError, "out of bounds", lambda: outside[1, 32](cuda.to_device(np.zeros(4))))
''', on=["cpu"], CK_CHECK="all")


def test_constants_are_those_of_the_first_compilation(t):
    """As in Numba: a global that changes afterwards does not change the kernel."""
    run(t, '''
N = 3
@cuda.jit
def k(x):
    x[0] = N
x = np.zeros(1)
k[1, 1](x)
N = 4
k[1, 1](x)
assert x[0] == 3

M = 5
@cuda.jit
def with_default(x, n=M, k=-M):
    x[0] = n - k
M = 6
with_default[1, 1](x)
assert x[0] == 10
''')


def test_copies_of_copies(t):
    """What is copied to put it in order exists until it is on the device."""
    script(t, '''
from ck import cuda
a = np.arange(4e6).reshape(2000, 2000)
for source in (a[::2, ::-1], a.T[::3], a[:, 1:].astype(np.float32)[::2]):
    assert (cuda.to_device(source).copy_to_host() == source).all()
    d = cuda.device_array(source.shape, np.int64)
    d.copy_to_device(source)
    assert (d.copy_to_host() == source).all()
''', **freed(t))


def test_device_arrays(t):
    """Views and copies, beside the same of NumPy's arrays; where there is no GPU the driver's
    stand-in too, whose device memory is the host's."""
    text = '''
for dtype in (np.float32, np.int16, np.complex128, np.bool_):
    for shape in ((7,), (4, 6), (3, 1, 5), (0,), (2, 0), ()):
        a = rng.integers(0, 100, shape).astype(dtype)
        d = cuda.to_device(a)
        assert (d.shape, d.dtype, d.size, d.nbytes, d.ndim) == (a.shape, a.dtype, a.size, a.nbytes, a.ndim)
        assert not a.size or d.strides == a.strides
        assert (d.copy_to_host() == a).all() and (np.asarray(d) == a).all()
        assert (d.T.copy_to_host() == a.T).all() and d.T.shape == a.T.shape
        assert (d.ravel().copy_to_host() == a.ravel()).all()
        like = cuda.device_array_like(d)
        like.copy_to_device(d)
        assert (like.copy_to_host() == a).all()
a = rng.random((6, 8))
for source in (a, np.asfortranarray(a), a[::2, ::-1], a.T):
    d = cuda.to_device(source)
    assert (d.copy_to_host() == source).all()
keys = [np.s_[2], np.s_[1:5], np.s_[::2, 3], np.s_[::-1, ::3], np.s_[..., 1], np.s_[2:2], np.s_[None, 1], np.s_[4, 2:7], np.s_[:, :]]
for key in keys:
    d = cuda.to_device(a)
    assert (d[key].copy_to_host() == a[key]).all() and d[key].shape == a[key].shape, key
    into = np.empty_like(a[key])
    assert d[key].copy_to_host(into) is into and (into == a[key]).all()
    for value in (3.5, rng.random(a[key].shape), cuda.to_device(rng.random(a[key].shape))):
        b, d = a.copy(), cuda.to_device(a)
        b[key] = value.copy_to_host() if hasattr(value, "copy_to_host") else value
        d[key] = value
        assert (d.copy_to_host() == b).all(), key
d = cuda.to_device(a)
assert d[2, 3] == a[2, 3] and isinstance(d[2, 3], np.float64) and d[-1, -1] == a[-1, -1]
assert (d.reshape(4, 12).copy_to_host() == a.reshape(4, 12)).all() and d.reshape((-1,)).shape == (48,)
assert (d.view(np.int64).copy_to_host() == a.view(np.int64)).all()
assert [part.shape for part in d.ravel().split(20)] == [(20,), (20,), (8,)] and len(d) == 6
raises(NotImplementedError, "not contiguous", lambda: d[:, 1:].reshape(-1))
raises(IndexError, "integers and slices", lambda: d[[1, 2]])
raises(IndexError, "out of bounds", lambda: d[6])
raises(ValueError, "cannot be copied", lambda: d.copy_to_device(np.zeros(3)))
raises(ValueError, "cannot hold", lambda: d.copy_to_host(np.zeros(3)))
d.copy_to_device(np.ones((6, 8), np.int32))
assert (d.copy_to_host() == 1).all()
f = cuda.device_array((3, 4), np.float32, order="F")
assert f.is_f_contiguous() and f.strides == (4, 12)
assert cuda.device_array(5).dtype == np.float64 and cuda.device_array((2, 3), ck.int8).nbytes == 6
pinned = cuda.pinned_array((3, 4), np.int16)
pinned[:] = 7
assert (cuda.to_device(pinned).copy_to_host() == 7).all()
part = d[1:3]
import copy
same = copy.copy(d)
same[0, 0] = 5
assert d[0, 0] == 5 and same[1, 1] == 1
raises(TypeError, "cannot pickle", lambda: copy.deepcopy(d))
del d, same
assert (part.copy_to_host() == 1).all()
assert "device" in repr(part) or "array" in repr(part)
raises(TypeError, "no __cuda_array_interface__", lambda: cuda.as_cuda_array(np.zeros(3)))
'''
    run(t, text)
    log = fake_gpu(t, text + '''
from ck import _core
class Cai:
    __cuda_array_interface__ = part.__cuda_array_interface__
same = cuda.as_cuda_array(Cai())
assert same.__cuda_array_interface__["data"] == part.__cuda_array_interface__["data"]
assert (same.copy_to_host() == 1).all()
assert cuda.to_device(part, copy=False) is part
with cuda.gpus[1] as second:
    there = cuda.device_array(4, np.float64)
    assert cuda.get_current_device() == second and second.id == 1
assert cuda.get_current_device().id == 0
@cuda.jit
def k(x):
    x[cuda.grid(1)] = 1
k[1, 4](cuda.device_array(4, np.float64))
raises(ValueError, "lies on GPU 1", lambda: k[1, 4](there))
with second:
    k[1, 4](there)
raises(ck.Error, "INVALID_DEVICE", lambda: cuda.select_device(2))
cuda.detect()
''', head=HEAD, devices=2)
    assert sum("cuMemAlloc" in line for line in log) > 50
    launches = [line for line in log if line.startswith("cuLaunch")]
    assert len(launches) == 2


def test_streams_of_the_gpu(t):
    """Copies and launches go to the stream that they name, and are not waited for."""
    log = fake_gpu(t, '''
@cuda.jit
def k(x):
    x[cuda.grid(1)] = 1
first, second = cuda.stream(), cuda.stream()
host = cuda.pinned_array(8, np.float64)
d = cuda.to_device(host, stream=second)
k[1, 8, second](d)
d.copy_to_host(host, stream=second)
event = cuda.event()
event.record(second)
event.wait(first)
k[1, 8](d)
second.synchronize()
assert second != first and hash(second) != hash(first) and int(second) and bool(second)
assert cuda.external_stream(int(second)) == second
del first, second, event, d
''', head=HEAD)
    order = [line for line in log if line.startswith(("cuMemcpy", "cuLaunch", "cuEventR", "cuStreamW", "cuStreamS"))]
    assert order[0] == "cuMemcpyAsync 64 2" and order[1].endswith("stream=1") and order[2] == "cuMemcpyAsync 64 2", order
    assert order[3:5] == ["cuEventRecord 1 2", "cuStreamWaitEvent 1 0"], order
    assert order[5].endswith("stream=0") and order[6] == "cuStreamSynchronize 2", order
    assert "cuStreamDestroy_v2 2" in log and any("cuEventDestroy" in line for line in log)


def test_addresses(t):
    """Pointers in signatures, which take the addresses of arrays, and arrays of these."""
    script(t, '''
from ck import carray, cuda, farray, types, void
Pair = np.dtype([("key", np.int32), ("value", np.float32)])
@cuda.jit(void(types.CPointer(ck.float32), ck.int64, types.voidptr, types.CPointer(ck.from_dtype(Pair))))
def change(p, n, q, r):
    i = cuda.grid(1)
    x = carray(p, n)
    m = farray(q, (n, 2), np.int32)
    if i < n:
        x[i] += 1
        p[i] *= 2
        m[i, 1] = i
        r[i].value = r[i].key
        carray(r, n)[i].key += 1
on_gpu = device != "cpu"
there = cuda.to_device if on_gpu else lambda array: array
address = lambda array: array.__cuda_array_interface__["data"][0] if on_gpu else array.ctypes.data
back = lambda array: array.copy_to_host() if on_gpu else array
x, m, r = rng.random(9).astype("f4"), np.zeros((9, 2), np.int32, order="F"), np.zeros(9, Pair)
r["key"] = rng.integers(0, 99, 9)
want, keys = (x + 1) * 2, r["key"].copy()
x_, m_, r_ = there(x), there(m), there(r)
change[1, 32](address(x_), 9, address(m_), address(r_))
x, m, r = back(x_), back(m_), back(r_)
assert (x == want).all() and (m[:, 1] == np.arange(9)).all() and not m[:, 0].any()
assert (r["value"] == keys).all() and (r["key"] == keys + 1).all()
assert change.signatures == [
    "(CPointer(float32), int64, voidptr, CPointer({key:int32,value:float32}))"], change.signatures
assert list(change.inspect_asm()) == change.signatures
assert change.specialize(address(x_), 9, address(m_), address(r_)).signatures == change.signatures

@cuda.jit
def table(x, t):
    t[0] = x.ctypes.data
@cuda.jit
def by_table(t, n):
    carray(t[0], n, np.float32)[cuda.grid(1)] = 3
t_ = np.zeros(1, np.uint64)
table[1, 1](x_, t_)
assert t_[0] == address(x_)
by_table[1, 9](t_, 9)
assert (back(x_) == 3).all()
raises(OverflowError, "out of the range of uint64", lambda: change[1, 1](-1, 9, 0, 0))
raises(RuntimeError, "for kernels", lambda: carray(1, 2))
''')
