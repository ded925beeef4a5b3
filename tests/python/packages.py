"""Arrays of PyTorch, CuPy, Numba, JAX and ml_dtypes where these are installed: zero-copy, strided,
on streams, and what is refused."""

from python.common import need_module, script

# Each kernel stores at a known place, so that a copy would be noticed.
CHECK = '''
def used_in_place(make, read, names, on):
    """Launches on arrays of each dtype, whole, strided and offset, and compares all elements."""
    for name in names:
        base = rng.integers(0, 100, (12, 14)).astype(name)
        for view in (np.s_[:, :], np.s_[1:, 3:], np.s_[::2, ::3], np.s_[:0]):
            x, y = make(base), make(np.zeros((12, 14), name))
            mod.copy2[(2, 2), (8, 8)](x[view], y[view])
            due = np.zeros((12, 14), name)
            due[view] = base[view]
            assert (read(y) == due).all(), (name, view)
names = "bool int8 int16 int32 int64 uint8 float16 float32 float64 complex64 complex128".split()
'''


def test_torch(t):
    need_module(t, "torch")
    script(t, CHECK + '''
import torch
where = "cuda" if device == "cuda" else "cpu"
used_in_place(lambda a: torch.from_numpy(a).to(where), lambda y: y.cpu().numpy(), names, where)
x = torch.arange(12, dtype=torch.float32, device=where).reshape(3, 4)
y = torch.zeros(4, 3, device=where)
mod.copy2[1, (8, 8)](x.T, y)
assert (y == x.T).all()
h = torch.arange(64, dtype=torch.bfloat16, device=where)
total = torch.zeros(64, dtype=torch.bfloat16, device=where)
mod.axpy[2, 32](2.0, h, total)
assert (total == 2 * h).all()
g = torch.zeros(8, dtype=torch.int32, device=where)
mod.fixed[1, 8](g)
assert (g == 7).all()
raises(ck.LaunchError, "x", lambda: mod.fixed[1, 4](g[::2]))
raises(ck.LaunchError, "int64", lambda: mod.fixed[1, 8](g.long()))
w = torch.zeros(8, device=where, requires_grad=True)
raises(TypeError, "x.detach()", lambda: mod.axpy[1, 8](1.0, w, w))
mod.axpy[1, 8](1.0, torch.ones(8, device=where), w.detach())
assert (w == 1).all()
c = torch.zeros(4, dtype=torch.complex64, device=where)
raises(TypeError, "resolve_conj", lambda: mod.copy2[1, 4](c.reshape(2, 2).conj(), c.reshape(2, 2)))
if hasattr(torch, "float8_e4m3fn"):
    raises(TypeError, "no elements of dtype", lambda: mod.race[1, 1](torch.zeros(2, device=where).to(torch.float8_e4m3fn)))
p = torch.nn.Parameter(torch.zeros(3, device=where), requires_grad=False)
mod.axpy[1, 8](1.0, torch.ones(3, device=where), p)
assert (p == 1).all()
if device == "cuda":
    host = torch.zeros(8, dtype=torch.int32)
    mod.fixed[1, 8](host)
    assert (host == 7).all()
    stream = torch.cuda.Stream()
    big = torch.ones(1 << 24, device=where)
    with torch.cuda.stream(stream):
        for _ in range(20):
            big.mul_(1.0)
        out = torch.zeros(1 << 24, device=where)
        mod.axpy[1 << 16, 256](2.0, big, out)      # on PyTorch's current stream
        result = out.sum()
    stream.synchronize()
    assert result.item() == 2 << 24
    mod.axpy[1 << 16, 256, stream](1.0, big, out)
    stream.synchronize()
    assert out[-1].item() == 3
    del big, out
    if torch.cuda.device_count() > 1:
        there = torch.zeros(8, dtype=torch.int32, device="cuda:1")
        mod.fixed[1, 8](there)                    # on the tensor's device
        assert (there == 7).all()
        raises(ValueError, "lies on GPU", lambda: mod.copy2[1, 8](there.reshape(2, 4), g.reshape(2, 4)))
    on_cpu = ck.compile(text=KERNELS, device="cpu")
    raises(TypeError, "x.cpu()", lambda: on_cpu.fixed[1, 8](g))
''')


def test_torch_autograd(t):
    """A kernel as the forward and the backward of an autograd function."""
    need_module(t, "torch")
    script(t, '''
import torch
where = "cuda" if device == "cuda" else "cpu"
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        y = torch.zeros_like(x)
        mod.axpy[4, 64](factor, x.detach(), y)
        return y
    @staticmethod
    def backward(ctx, g):
        y = torch.zeros_like(g)
        mod.axpy[4, 64](ctx.factor, g.contiguous(), y)
        return y, None
x = torch.randn(200, dtype=torch.float64, device=where, requires_grad=True)
assert torch.autograd.gradcheck(lambda x: Scaled.apply(x, 2.5), (x,))
''')


def test_cupy(t):
    need_module(t, "cupy")
    script(t, CHECK + '''
import cupy
used_in_place(cupy.asarray, cupy.asnumpy, names, "cuda")
x = cupy.zeros(8, cupy.int32)
mod.fixed[1, 8](x)
assert (x == 7).all()
stream = cupy.cuda.Stream(non_blocking=True)
with stream:
    big = cupy.ones(1 << 24, cupy.float32)
    for _ in range(20):
        big *= 1
    out = cupy.zeros(1 << 24, cupy.float32)
mod.axpy[1 << 16, 256, stream](2.0, big, out)
stream.synchronize()
assert float(out.sum()) == 2 << 24
with stream:
    out[:] = 0
    mod.axpy[1 << 16, 256](2.0, big, out)     # after the arrays' stream, by their interface
mod.synchronize()
assert float(out[-1]) == 2
freed = cupy.cuda.Memory(1 << 26)
class Freed:
    __cuda_array_interface__ = {"shape": (8,), "typestr": "<i4", "data": (freed.ptr, False), "version": 3}
mod.fixed[1, 8](Freed())
del freed
raises(ValueError, "was freed", lambda: mod.fixed[1, 8](Freed()))
''', on=["cuda"])


def test_numba(t):
    """Numba's device arrays as arguments, and its streams."""
    need_module(t, "numba")
    script(t, CHECK + '''
from numba import cuda
used_in_place(cuda.to_device, lambda y: y.copy_to_host(), names, "cuda")
stream = cuda.stream()
d = cuda.to_device(np.zeros(8, np.int32))
mod.fixed[1, 8, stream](d)
stream.synchronize()
assert (d.copy_to_host() == 7).all()
''', on=["cuda"])


def test_numba_program_results(t):
    """The states of the generators are Numba's."""
    need_module(t, "numba")
    script(t, '''
os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
from numba.cuda import random as theirs
from ck.cuda import random as ours
for seed, start in ((1, 0), (2**63 + 5, 3)):
    states = np.zeros(5, dtype=[("s0", np.uint64), ("s1", np.uint64)])
    theirs.init_xoroshiro128p_states_cpu(states, seed, start)
    mine = ours.create_xoroshiro128p_states(5, seed, start).copy_to_host()
    assert (mine[:, 0] == states["s0"]).all() and (mine[:, 1] == states["s1"]).all(), (mine, states)
''')


def test_jax(t):
    """By DLPack. JAX's arrays are read-only."""
    need_module(t, "jax")
    script(t, '''
os.environ["JAX_PLATFORMS"] = "cuda" if device == "cuda" else "cpu"
import jax, jax.numpy as jnp
try:
    x = jnp.arange(100, dtype=jnp.float32)
except RuntimeError as error:
    print(error)
    sys.exit()
y = np.zeros(100, np.float32)
mod.axpy[1, 128](2.0, x, y)
assert (y == 2 * np.arange(100)).all()
if device == "cpu":
    raises(ValueError, "read-only", lambda: mod.axpy[1, 128](2.0, x + 1, x))
    assert (x == np.arange(100)).all()
'''.replace("import jax", "import sys\nimport jax", 1))


def test_ml_dtypes(t):
    need_module(t, "ml_dtypes")
    script(t, '''
import ml_dtypes
x = np.arange(50).astype(ml_dtypes.bfloat16)
y = np.ones(50, ml_dtypes.bfloat16)
mod.axpy[1, 64](ml_dtypes.bfloat16(2), x, y)
assert (y == (2 * np.arange(50) + 1).astype(ml_dtypes.bfloat16)).all()
assert mod.race.prepare(x) == "(bfloat16[::1])"
raises(TypeError, "no elements of dtype", lambda: mod.race[1, 1](np.zeros(3, ml_dtypes.float8_e4m3fn)))
''')
