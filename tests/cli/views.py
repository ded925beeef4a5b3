"""Views: slices, transposes, shapes and fields share memory with their arrays, as NumPy's do."""

import json
import re

import numpy as np

KERNELS = """
@kernel
def fill1(v: int32[:], first: int32):
    for i in range(grid(1), len(v), gridsize(1)):
        v[i] = first + i

@kernel
def fill2(v: int32[:, :], first: int32):
    for i in range(grid(1), v.size, gridsize(1)):
        v[i // v.shape[1], i % v.shape[1]] = first + i

@kernel
def fill3(v: int32[:, :, :], first: int32):
    for i in range(grid(1), v.size, gridsize(1)):
        k = i // v.shape[2]
        v[k // v.shape[1], k % v.shape[1], i % v.shape[2]] = first + i

@kernel
def fill0(v: int32[()], first: int32):
    v[()] = first

@kernel
def copy(y: float32[:], x: float32[:]):
    i = grid(1)
    if i < len(y):
        y[i] = x[i]

@kernel
def dense(x: float32[::1]):
    x[0] = 1

@kernel
def pairs(p, x):
    x[threadIdx.x] = p[0][threadIdx.x] + p[1][threadIdx.x]

@kernel
def halve(x: float32[:]):
    x[threadIdx.x] /= 2
"""


def command(t, *words, device="cpu"):
    return [t.ckrun, "--device", device, t.write("k.ck", KERNELS), *words]


def random_index(rng, length):
    """A slice, an integer, a new dimension or all of one dimension."""
    bounds = ["", *map(str, range(-length - 1, length + 2))]
    kind = rng.integers(8)
    if kind == 0 and length:
        return str(rng.integers(-length, length))
    if kind == 1:
        return "None, :"
    if kind == 2:
        return ":"
    step = rng.choice(["", ":", ":1", ":2", ":3", ":-1", ":-2"])
    return f"{rng.choice(bounds)}:{rng.choice(bounds)}{step}"


def random_view(rng, x):
    """The text of a chain of views of `x`, and the view; of at most three dimensions."""
    text, v = "x", x
    for _ in range(rng.integers(1, 5)):
        kind = rng.integers(5)
        if kind == 0:
            new, made = ".T", v.T
        elif kind == 1:
            shape = rng.permutation([n for n in (1, 2, 3, -1) if n < 0 or v.size % n == 0])[:3]
            if -1 not in shape:
                shape = [*shape[:2], -1]
            if not v.size or v.size % abs(np.prod(shape)):
                continue
            new, made = f".reshape({', '.join(map(str, shape))})", v.reshape(*shape)
        else:
            new = f"[{', '.join(random_index(rng, n) for n in v.shape) or '...'}]"
            made = eval("v" + new)
        if not isinstance(made, np.ndarray) or made.ndim > 3:
            break
        text, v = text + new, made
    return text, v


def test_random_views(t):
    """What a kernel writes to a view is where NumPy writes it, of arguments and of names; where
    NumPy's result has its own memory, so has ckrun's."""
    rng = np.random.default_rng()
    shapes = [(24,), (4, 6), (2, 3, 4), (6, 1, 4)]
    n_views = n_copies = 0
    for trial in range(60):
        x = rng.integers(0, 1000, shapes[trial % len(shapes)], dtype=np.int32)
        x = np.asfortranarray(x) if trial % 3 == 0 else x
        np.save(t.tmp / "x.npy", x)
        text, v = random_view(rng, x)
        is_named = trial % 2
        words = ["x=@x.npy", *([f"v={text}"] if is_named and text != "x" else [])]
        argument = "v" if len(words) == 2 else text
        launch = f"fill{v.ndim}[2, 8]({argument}, 5000)"
        shares = v is x or v.base is (x if x.base is None else x.base)
        if not shares and not is_named:
            n_copies += 1
            t.fails(command(t, launch, *words), 2, "give the array a name of its own: 'NAME=")
            continue
        v[...] = 5000 + np.arange(v.size).reshape(v.shape)
        saved = [f"--save={name}=out.npz" for name in ("x", "v") if f"{name}=" in " ".join(words)]
        t.ok(command(t, launch, *words, *saved))
        got = np.load(t.tmp / "out.npz")
        assert np.array_equal(got["x"], x), (text, x.flags, got["x"], x)
        assert "v" not in got or (got["v"].shape == v.shape and np.array_equal(got["v"], v)), text
        n_views += 1
    assert n_views > 30, (n_views, n_copies)


def test_reshapes_that_copy(t):
    for text in ("x[:, 1:].reshape(-1)", "x.T.reshape(24)", "x[::-1].reshape(-1)"):
        t.fails(command(t, f"fill1[1, 32]({text}, 1)", "x=zeros((4, 6), int32)"), 2,
                f"give the array a name of its own: 'NAME={text}', and NAME here")
        t.ok(command(t, "fill1[1, 32](y, 1)", "x=zeros((4, 6), int32)", f"y={text}", "--expect", "x=0"))
    for text in ("x.reshape(2, -1)", "x[1:].reshape(2, 9)", "x[:, ::2].reshape(2, 2, 3)", "x[:2, None].reshape(12)"):
        dims = np.ndim(eval(text, {"x": np.zeros((4, 6))}))
        out = t.ok(command(t, f"fill{dims}[1, 32]({text}, 1)", "x=zeros((4, 6), int32)", "--print", "x")).out
        assert "12" in out.replace("]", " ").split(), out


def test_fields_of_records(t):
    """The field of all records is a view, and so is an array in a record."""
    words = ["p=zeros((3, 4), record(a=int32, v=(int32, (2, 5)), r=record(b=float64, c=int32)))", "--save", "p=p.npy"]
    record = [("a", "<i4"), ("v", "<i4", (2, 5)), ("r", [("b", "<f8"), ("c", "<i4")])]
    for text, dims in (("p.a", 2), ("p[::-1].a[1]", 1), ("p.v[2]", 3), ("p[1, 2].v", 2), ("p.r.c", 2), ("p['r'][0].c", 1),
                       ("p[1, 1:].v[:, 0]", 2), ("p.v[..., 3].T", 3)):
        want = np.zeros((3, 4), np.dtype(record, align=True))
        v = eval(re.sub(r"\.([acrv])\b", r"['\1']", text), {"p": want})
        v[...] = 7 + np.arange(v.size).reshape(v.shape)
        t.ok(command(t, f"fill{dims}[1, 64]({text}, 7)", *words))
        got = np.load(t.tmp / "p.npy")
        assert all(np.array_equal(got[name], want[name]) for name in "av") and got["r"].tolist() == want["r"].tolist(), text
    t.fails(command(t, "fill1[1, 1](p[0, 0].a, 7)", words[0]), 1, "argument 1 `v`: int32 was given for int32[:]")


def test_names(t):
    """A name of a view, of a view of a view, and of a copy; a view of what has no name."""
    words = ["x=arange(8, dtype=float32)", "v=x[::2]", "w=v[1:]", "c=v.copy()", "u=zeros((3, 2), float32).T[0]"]
    out = t.ok(command(t, "halve[1, 3](w)", "halve[1, 3](u)", *words, *(f"--print={n}" for n in "xvwcu"))).out
    assert out == ("[0. 1. 1. 3. 2. 5. 3. 7.]\n[0. 1. 2. 3.]\n[1. 2. 3.]\n[0. 2. 4. 6.]\n[0. 0. 0.]\n"), out
    t.ok(command(t, "halve[1, 3](w)", *words[:3], "--expect", "v=where(v == 0, v, v / 2)", "--expect", "w=x[2::2] / 2"))
    # An expectation that is a view has the values from before the launches.
    t.fails(command(t, "halve[1, 3](w)", *words[:3], "--expect", "w=x[2::2]"), 1, "3 of 3 elements")
    for text in ("x", "(x)"):
        t.fails(command(t, words[0], f"y={text}", "--print", "y"), 2,
                "an array has one name: write x.copy() for another array, x[:] for another name of its memory")
    t.ok(command(t, "halve[1, 8](y)", words[0], "y=x[:]", "--expect", "x=arange(8) / 2"))
    t.fails(command(t, "halve[1, 8](x + 1)", words[0]), 2, "give the array a name of its own: 'NAME=x + 1', and NAME here")
    t.fails(command(t, "halve[1, 8]((x + 1)[1:])", words[0]), 2, "'NAME=(x + 1)[1:]', and NAME here")
    t.fails(command(t, words[0], "p=(x[1:], x + 1)", "--print", "p"), 2, "give the array a name of its own")


def test_tuples_of_views(t):
    words = ["x=arange(8, dtype=float32)", "y=zeros(4, float32)"]
    t.ok(command(t, "pairs[1, 4]((x[::2], x[1::2]), y)", *words, "--expect", "y=x[::2] + x[1::2]"))
    t.ok(command(t, "pairs[1, 4](p, y)", *words, "p=(x[:4], x[4:])", "--expect", "y=x[:4] + x[4:]"))
    t.ok(command(t, "pairs[1, 2](p, x[:2])", *words[:1], "p=(x[4:], x[6:])", "--expect",
                 "x=where(arange(8) < 2, arange(8) * 2 + 10, x)"))


def test_empty_views_and_bounds(t):
    words = ["x=arange(8, dtype=float32)"]
    for text in ("x[8:]", "x[5:5]", "x[::-1][8:]", "x[:0:-1][9:]", "x[20:]"):
        t.ok(command(t, f"copy[1, 8]({text}, {text})", *words, "--expect", "x=x"))
    # An index outside of a view is an error, though its array has an element there.
    result = t.fails(command(t, "copy[1, 8](x, x[4:])", *words, "--save", "x=x.npy"), 1, "[out-of-bounds]")
    assert "`x` has size 4" in result.err or "4" in result.err, result
    assert not (t.tmp / "x.npy").exists()


def test_layouts(t):
    """A view with gaps is refused where the parameter is contiguous; one without is taken."""
    words = ["x=zeros((4, 6), float32)"]
    t.ok(command(t, "dense[1, 1](x[2])", *words, "--expect", "x=(arange(24) == 12).reshape(4, 6)"))
    t.ok(command(t, "dense[1, 1](x[:, 3:4].T[0][:1])", *words, "--expect", "x=(arange(24) == 3).reshape(4, 6)"))
    fault = "float32[:] was given for float32[::1] (its strides (24,) bytes are not C-contiguous)"
    t.fails(command(t, "dense[1, 1](x[:, 2])", *words), 1, fault)
    result = t.fails(command(t, "dense[1, 1](c)", *words, "c=x[:, 2]"), 1, fault)
    assert "  write 'c=x[:, 2].copy()'\n" in result.err, result
    t.ok(command(t, "dense[1, 1](c)", *words, "c=x[:, 2].copy()", "--expect", "x=0"))


def test_races_between_views(t):
    """Two views of one array race where they overlap, and only there."""
    words = ["x=arange(9, dtype=float32)", "v=x[8:0:-1]", "w=x[1:]", "--check", "--schedule", "random:3"]
    for launch in ("copy[1, 8](x[1:], x[:-1])", "copy[1, 8](x[1:], x[7::-1])", "copy[8, 1](v, x)"):
        result = t.fails(command(t, launch, *words), 1, "[data-race]")
        assert re.search(r"data race on `[xy]\[\d\]`", result.err), result
    for launch in ("copy[1, 4](x[1::2], x[::2])", "copy[1, 4](x[:4], x[4:])", "copy[1, 4](x[:8:2], w[::2])"):
        assert "[data-race]" not in t.ok(command(t, launch, *words)).err


def test_values_that_are_not_set(t):
    """A view of an array without values has none either."""
    words = ["x=empty(8, float32)", "y=zeros(4, float32)", "--check=init"]
    t.fails(command(t, "copy[1, 4](y, x[::2])", *words), 1, "[uninitialized-read]")
    t.ok(command(t, "copy[1, 4](x[::2], y)", "copy[1, 4](y, x[::2])", *words))
    t.fails(command(t, "copy[1, 4](x[::2], y)", "copy[1, 4](y, x[1::2])", *words), 1, "[uninitialized-read]")


def test_schedules_and_loops(t):
    words = ["x=ones(8, float32)", "v=x[::2]"]
    t.ok(command(t, "halve[1, 4](v)", "halve[1, 8](x)", *words, "--schedule", "all", "--expect",
                 "x=where(arange(8) % 2 == 0, 0.25, 0.5)"))
    t.ok(command(t, "until v.max() < 0.01: halve[1, 8](x)", *words, "--expect", "x=0.0078125"))
    t.ok(command(t, "until x.min() < 0.01: halve[1, 4](x[::2])", *words, "--expect", "v=0.0078125", "--expect", "x=where(arange(8) % 2 == 0, 0.0078125, 1)"))
    t.ok(command(t, "repeat 3: halve[1, 4](x[:4]); halve[1, 4](x[4:])", *words, "--expect", "x=0.125"))


def test_benchmarks(t):
    """Each repetition begins from the same array, and overlapping views count its bytes once."""
    out = t.ok(command(t, "copy[1, 7](x[1:], x[:-1])", "halve[1, 4](v)", "x=arange(8, dtype=float32)", "v=x[::2]",
                       "--bench=3", "--json")).out
    assert [row["bytes"] for row in json.loads(out)["bench"]["launches"]] == [32, 16], out


def test_on_a_gpu(t):
    """One buffer of the array's size; the arguments are addresses in it, and strides."""
    log = t.tmp / "calls"
    t.ok(command(t, "copy[1, 4](x[1::2], v)", "x=arange(9, dtype=float32)", "v=x[8:0:-2]", "--save", "v=v.npy",
                 device="cuda"), env=t.fake_cuda_env(log=log))
    calls = log.read_text().splitlines()
    assert len([c for c in calls if c.startswith("cuMemAlloc")]) == 1, calls
    assert len([c for c in calls if c.startswith("cuMemcpyHtoD")]) == 1, calls
    assert np.load(t.tmp / "v.npy").tolist() == [8, 6, 4, 2]
