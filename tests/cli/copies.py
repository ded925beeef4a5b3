"""Steps that copy on the device: `u[:] = v`."""

import json

import numpy as np

SOURCE = """
COUNTS = device_array((2, 3), int32)
TABLE = const.array(4, float32)

@kernel
def step(u: float32[::1], v: float32[::1]):
    for i in range(grid(1), len(u), gridsize(1)):
        v[i] = 2 * u[i] + 1

@kernel
def count(n: int32[::1]):
    if grid(1) == 0:
        n[0] += 1
        COUNTS[1, 2] += n[0]

@kernel
def look(u: float32[::1], v: float32[::1]):
    v[0] = u[0] + TABLE[1]
"""


def command(t, *words, device="cpu"):
    return [t.ckrun, "--device", device, t.write("k.ck", SOURCE), *words]


# Copies and numbers, as NumPy executes them on the same arrays.
ASSIGNMENTS = ["u[:] = v", "u[2:5] = v[7:4:-1]", "m[1] = u[:4]", "m[:, 2] = u[3:6]", "m[::-1, ::2] = u[:2]",
               "m[:] = u[4:8]", "m[0] = u[1:2]", "f[:] = m", "m[:, 1:3] = f[:, :2]", "m.T[1:] = f.T[:3]",
               "u[::2] = 0", "u[1::2] = -1.5", "m[...] = 3", "m[-1, 1:] = nan", "c[:] = 1 - 2j", "b[3:] = True",
               "i[:] = 300", "i[:] = -1", "p.x[:] = u[:5]", "p[1:3] = q", "z[...] = 4", "m[:, None, 1] = m[:, :1]", "e[:] = 5"]
ARRAYS = {"u": "arange(12, dtype=float32)", "v": "arange(12, 0, -1, dtype=float32)", "m": "zeros((3, 4), float32)",
          "f": "ones((3, 4), float32, order='F')", "c": "zeros(3, complex128)", "b": "zeros(5, bool)",
          "i": "zeros((2, 2), int16)", "p": "zeros(5, record(x=float32, y=int64))",
          "q": "array([(1, 2), (3, 4)], record(x=float32, y=int64))", "z": "zeros((), int32)", "e": "zeros((0, 3), int8)"}


def test_like_numpy(t):
    record = np.dtype([("x", "f4"), ("y", "i8")], align=True)
    arrays = {"u": np.arange(12, dtype="f4"), "v": np.arange(12, 0, -1, dtype="f4"), "m": np.zeros((3, 4), "f4"),
              "f": np.ones((3, 4), "f4", order="F"), "c": np.zeros(3, complex), "b": np.zeros(5, bool),
              "i": np.zeros((2, 2), "i2"), "p": np.zeros(5, record), "q": np.array([(1, 2), (3, 4)], record),
              "z": np.zeros((), "i4"), "e": np.zeros((0, 3), "i1")}
    words = [f"{name}={value}" for name, value in ARRAYS.items()]
    for name in ARRAYS:
        words += ["--save", f"{name}=out.npz"]
    t.ok(command(t, *ASSIGNMENTS, *words))
    for text in ASSIGNMENTS:
        exec(text.replace("p.x", "p['x']"), {"nan": np.nan}, arrays)
    got = np.load(t.tmp / "out.npz")
    for name, array in arrays.items():
        assert got[name].dtype == array.dtype and np.array_equal(got[name], array, equal_nan=array.dtype.kind in "fc"), name


def test_in_loops(t):
    u, v = "u=zeros(40, float32)", "v=zeros(40, float32)"
    t.ok(command(t, u, v, "repeat 5: step[3, 8](u, v); u[:] = v", "--expect", "u=31", "--expect", "v=31"))
    result = t.ok(command(t, u, v, "until u[0] > 100: step[3, 8](u, v); u[1:] = v[1:]; u[:1] = v[:1]", "--expect", "u=127"))
    assert result.err == "ckrun: note: `until u[0] > 100` took 7 passes\n"
    t.ok(command(t, u, v, "w=zeros(40, float32)", "step[3, 8](u, v)", "w[:]=u", "u[:]=v", "v[:] = w", "--expect", "u=1",
                 "--expect", "v=0"))
    t.ok(command(t, "n=zeros(1, int32)", "repeat 3: n[:] = 4; count[1, 1](n)", "--expect", "n=5"))
    t.ok(command(t, u, v, "repeat 2: step[1, 8](u, v); u[:] = v", "--schedule", "all", "--check", "--expect", "u=3"))


def test_arrays_of_the_module(t):
    n = "n=zeros(1, int32)"
    t.ok(command(t, n, "repeat 3: COUNTS[:] = 10; count[1, 1](n)", "COUNTS[0, 1:] = -1", "--expect",
                 "COUNTS=array([[10, -1, -1], [10, 10, 13]])"))
    t.ok(command(t, "TABLE[1:3] = 2.5", "look[1, 1](u, v)", "u=ones(1, float32)", "v=zeros(1, float32)", "--expect", "v=3.5"))
    for text, place in (("COUNTS[:] = m", 12), ("m[:] = COUNTS", 7)):
        fails(t, text, place, "arrays of the module are copied by kernels: a step sets `COUNTS` to a number alone",
              "m=zeros((2, 3), int32)")


def test_memory_without_values(t):
    """What is copied from it has none, and what a number is copied to has one."""
    words = ["--check=init", "look[1, 1](u, v)", "u=zeros(3, float32)", "v=zeros(1, float32)", "w=empty(3, float32)"]
    t.fails(command(t, "u[:] = w", *words), 1, "[uninitialized-read]", "u[:] = w")
    t.ok(command(t, "u[1:] = w[1:]", *words))
    t.ok(command(t, "w[:1] = 7", "u[:] = w", *words, "--expect", "v=7"))
    t.fails(command(t, "w[1:] = 7", "u[:] = w", *words), 1, "[uninitialized-read]")


def test_bench(t):
    words = ["u=zeros(1000, float32)", "v=zeros(1000, float32)", "repeat 2: step[4, 32](u, v); u[:] = v", "u[:10] = 0", "--bench=3"]
    rows = json.loads(t.ok(command(t, *words, "--json")).out)["bench"]["launches"]
    assert [row["bytes"] for row in rows] == [2 * (8000 + 8000), 40]
    assert rows[0]["grid"] == [4, 1, 1] and rows[1]["grid"] is None and rows[1]["block"] is None
    assert "u[:10] = 0" in t.ok(command(t, *words)).out


def test_cuda(t):
    """Copies do not go by way of the host, and no pass waits."""
    log = t.tmp / "calls"
    t.ok(command(t, "u=zeros((8, 50), float32)", "v=ones((8, 50), float32)", "w=zeros(400, float32)", "repeat 10: u[:] = v; v[:, :7] = 0",
                 device="cuda"), env=t.fake_cuda_env(log=log))
    calls = log.read_text()
    assert calls.count("cuMemcpyDtoDAsync_v2 1600") == 10 and calls.count("cuMemsetD8Async 0 28 0\n") == 80, calls
    assert calls.count("cuMemcpyHtoD") == 2 and calls.count("cuCtxSynchronize") == 1, calls


def test_driver_errors(t):
    words = ["u=zeros(5, float32)", "v=ones(5, float32)", "repeat 2: u[:] = v", "--save", "u=o.npy"]
    env = t.fake_cuda_env(fail="cuMemcpyDtoDAsync_v2=700")
    t.fails(command(t, *words, device="cuda"), 3, "CUDA_ERROR_ILLEGAL_ADDRESS", "in u[:] = v", env=env)
    assert not (t.tmp / "o.npy").exists()


def fails(t, text, place, message, *words):
    arrays = ["u=zeros(6, float32)", "w=arange(3, dtype=float32)"]
    result = t.fails(command(t, *arrays, *words, text, "--save", "u=o.npy"), 2)
    assert result.err == f"ckrun: error: {message}\n  {text}\n  {' ' * place}^\n", result.err
    assert not (t.tmp / "o.npy").exists()


def test_errors(t):
    fails(t, "u[:] = w", 7, "an array of shape (3,) does not fit into one of shape (6,)")
    fails(t, "u[:3] = d", 8, "a copy on the device has one dtype: this is float64, and the array float32", "d=zeros(3)")
    fails(t, "p[:] = w", 7, "a copy on the device has one dtype: this is float32, and the array {x:float32}",
          "p=zeros(3, record(x=float32))")
    fails(t, "p[:] = 1", 7, "records are copied from an array of records: this is an integer", "p=zeros(3, record(x=float32))")
    fails(t, "u[1:] = u[:-1]", 0, "the two share memory: copy by way of a third array")
    fails(t, "u[:] = u + 1", 7, "give the array a name of its own: 'NAME=u + 1', and NAME here")
    fails(t, "u[:] = u.max()", 7, "a number of an array is taken before anything runs: give it a name, 'NAME=u.max()'")
    fails(t, "u[3] = 1", 0, "a copy goes to an array, as x[:] or x[2:3]: this is a float")
    fails(t, "u.T = w", 0, "write u.T[:] to copy to the array")
    fails(t, "zeros(3)[:] = 1", 0, "a copy goes to an array that has a name: this one is new")
    fails(t, "u[:] = 'a'", 7, "a copy takes an array or a number: this is a string")
    fails(t, "u[:] = 1e100", 7, "1e+100 does not fit in float32")
    fails(t, "u[:] = w w", 9, "unexpected text after the expression")
    fails(t, "u[:] = x", 7, "`x` is not defined; give it as x=VALUE")
    fails(t, "b[::2, ::2] = 0", 0, "the copy has more than 4096 pieces, of 1 byte: a kernel copies them faster", "b=zeros((200, 200), int8)")
    t.fails(command(t, "u=zeros(6)", "repeat 2: u = 1"), 2, "write u[:] to copy to the array")
    t.fails(command(t, "u=zeros(6)", "u[:] += 1"), 2, "expected a value")
