"""Arrays of compiled modules: `module.NAME`."""

from python.common import fake_gpu, script

MODULE = '''
from ck._module_array import ModuleArray
TEXT = """
import numpy as np
Pair = np.dtype([("key", np.int32), ("at", np.float32, (2,))], align=True)
COUNTS = device_array((2, 4), int32)
TABLE = to_device(np.arange(6, dtype=np.float32))
WEIGHTS = const.array(4, float64)
PAIRS = device_array(3, Pair)
QUADS = device_array(2, float4)
HALF = device_array(2, bfloat16)

@kernel
def count(x):
    i = grid(1)
    if i < x.size:
        atomic.add(COUNTS, (1, x[i] % 4), 1)

@kernel
def use(y):
    i = grid(1)
    y[i] = TABLE[i] * WEIGHTS[i] + QUADS[1].z + HALF[0]
    if i > 0:
        PAIRS[i % 3].at[1] = i

@kernel
def double(x: int32[:, ::1]):
    i = grid(1)
    x[i // 4, i % 4] *= 2
"""
m = ck.compile(text=TEXT, check="")
'''


def test_values(t):
    """Types and shapes; values set and read by elements and whole; one memory for all launches; the
    array as an argument, and as a NumPy array of the same memory on the CPU device."""
    script(t, MODULE + '''
assert sorted(m.arrays) == ["COUNTS", "HALF", "PAIRS", "QUADS", "TABLE", "WEIGHTS"], m.arrays
assert m.COUNTS.shape == (2, 4) and m.COUNTS.dtype == np.int32 and m.COUNTS.nbytes == 32 and len(m.COUNTS) == 2
assert m["QUADS"].shape == (2, 4) and m.QUADS.dtype == np.float32 and m.HALF.dtype == np.uint16
assert m.PAIRS.dtype == np.dtype([("key", np.int32), ("at", np.float32, (2,))]), m.PAIRS.dtype
assert m.WEIGHTS.constant and not m.COUNTS.constant and "WEIGHTS: float64" in repr(m.WEIGHTS)
m.COUNTS[1] = [1, 2, 3, 4]
m.count[2, 32](np.arange(40, dtype=np.int32))
m.count[2, 32](np.arange(20, dtype=np.int64))
assert m.COUNTS.copy_to_host().tolist() == [[0] * 4, [16, 17, 18, 19]], m.COUNTS[:]
m.WEIGHTS[:] = 2
m.QUADS[1, 2] = 0.5
m.HALF[0] = 0x3f80  # 1.0
y = np.zeros(4)
m.use[1, 4](y)
assert y.tolist() == [1.5, 3.5, 5.5, 7.5], y
m.WEIGHTS.copy_to_device(np.arange(4))
m.use[1, 4](y)
assert y.tolist() == [1.5, 2.5, 5.5, 10.5], y
assert m.PAIRS[:]["at"][:, 1].tolist() == [3, 1, 2], m.PAIRS[:]
m.double[1, 8](m.COUNTS)
assert np.asarray(m.COUNTS)[1].tolist() == [32, 34, 36, 38] and m.COUNTS[1, 3] == 38
out = np.empty((2, 4), np.int64)
assert m.COUNTS.copy_to_host(out) is out and out[1, 0] == 32
if device == "cpu":
    shared = np.asarray(m.COUNTS)
    m.double[1, 8](shared)
    assert shared[1, 0] == 64 and m.COUNTS[1, 0] == 64
else:
    interface = m.COUNTS.__cuda_array_interface__
    assert interface["shape"] == (2, 4) and not hasattr(m.WEIGHTS, "__cuda_array_interface__")
keep = m.TABLE
del m
assert keep[5] == 5  # the array keeps its module
''')


def test_mistakes(t):
    script(t, MODULE + '''
raises(AttributeError, "COUNT", lambda: m.COUNT)
raises(KeyError, "NONE", lambda: m["NONE"])
raises(ValueError, "shape (3,) cannot be copied to (2, 4)", lambda: m.COUNTS.copy_to_device(np.zeros(3)))
raises(ValueError, "shape (3,) cannot hold one of (2, 4)", lambda: m.COUNTS.copy_to_host(np.zeros(3)))
try:
    m.count[1, 32](m.WEIGHTS)
except TypeError as error:
    assert "ModuleArray" in str(error) or "argument 1" in str(error), error
else:
    raise AssertionError("constant memory as an argument")
''')


def test_on_a_fake_gpu(t):
    """On a GPU the array has an address there, and copies go through the driver."""
    fake_gpu(t, MODULE + '''
m.COUNTS[0, 1] = 5
assert m.COUNTS[0, 1] == 5 and m.COUNTS.__cuda_array_interface__["data"][0]
assert m.WEIGHTS[:].tolist() == [0, 0, 0, 0]
m.WEIGHTS[2] = 3
assert m.WEIGHTS[2] == 3 and m.TABLE[:].tolist() == [0, 1, 2, 3, 4, 5]
m.double[1, 8](m.COUNTS)
''')
